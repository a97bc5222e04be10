// Admission webhooks: evaluates the matchConditions of a webhook. Only if all are true is the webhook called.
import type { AdmissionEnvironments } from '../../cel/index.ts';
import { type Cel, CelOnDemand } from '../../cel/on-demand.ts';
import type { ServedResource } from '../../kind/registry.ts';
import type { StorageContext } from '../../registry/verb-context.ts';
import type { Attributes } from '../attributes.ts';
import { AdmissionVariables } from '../expressions/admission-variables.ts';
import { evaluateWhenReady } from '../expressions/request-authorizer.ts';
import {
  type CompiledExpression,
  compileExpression,
  evaluateMatchConditions,
  outOfBudgetMessage,
} from '../matching/conditions.ts';
import { aggregateMessages, newForbidden } from '../new-forbidden.ts';
import type { WebhookAccessor } from './webhook-accessor.ts';

/** CEL cost limits: per expression, and for all matchConditions of one webhook. */
const costLimits = { expression: 1_000_000, allConditions: 2_500_000 };

/** Compiles the matchConditions of webhooks and evaluates them for requests. */
export class WebhookMatchConditions {
  readonly #engine: CelOnDemand<{ readonly cel: Cel; readonly environments: AdmissionEnvironments }>;
  readonly #compiled = new WeakMap<WebhookAccessor, readonly CompiledExpression[]>();

  constructor({ dialect }: StorageContext) {
    this.#engine = new CelOnDemand((cel) => ({
      cel,
      environments: new cel.AdmissionEnvironments({
        serviceName: dialect.name,
        escapedFields: dialect.rules.escapedFieldNames,
      }),
    }));
  }

  /**
   * Whether matchConditions are met. Where they cannot be evaluated, failurePolicy decides: Ignore skips the webhook
   * (false), Fail throws the rejection.
   */
  async areMet(
    hook: WebhookAccessor,
    attributes: Attributes,
    matchedResource: ServedResource,
  ): Promise<boolean> {
    if (!hook.webhook.matchConditions?.length) return true;
    await this.#engine.load();
    const variables = new MatchConditionVariables(this.#engine.value.cel, attributes, matchedResource);
    const result = await evaluateWhenReady(() => {
      const budget = { costLimit: costLimits.expression, remaining: costLimits.allConditions };
      return evaluateMatchConditions(this.#conditionsOf(hook), variables, budget);
    });
    if (result === 'met' || result === 'unmet') return result === 'met';
    if (hook.failsOpen) return false;
    throw newForbidden(
      attributes,
      result === 'too expensive' ? outOfBudgetMessage : aggregateMessages(result.problems),
    );
  }

  #conditionsOf(hook: WebhookAccessor): readonly CompiledExpression[] {
    let conditions = this.#compiled.get(hook);
    if (!conditions) {
      const { cel, environments } = this.#engine.value;
      const environment = environments.environmentFor({ params: false, authorizer: true });
      const { matchConditions = [] } = hook.webhook;
      conditions = matchConditions.map(({ expression }) => compileExpression(cel, environment, expression));
      this.#compiled.set(hook, conditions);
    }
    return conditions;
  }
}

/** As in kube-apiserver, `namespaceObject` compiles in matchConditions of webhooks, but is null there. */
class MatchConditionVariables extends AdmissionVariables {
  override get namespaceObject(): unknown {
    return null;
  }
}
