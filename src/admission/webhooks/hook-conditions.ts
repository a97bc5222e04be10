// Admission webhooks: evaluates matchConditions.
import type { AdmissionEnvironments } from '../../cel/index.ts';
import { type Cel, CelOnDemand } from '../../cel/on-demand.ts';
import type { ServedResource } from '../../kind/registry.ts';
import type { Api } from '../../registry/api.ts';
import type { Attributes } from '../attributes.ts';
import { evaluateWithDecisions } from '../expressions/rights.ts';
import { AdmissionVariables } from '../expressions/write-inputs.ts';
import {
  type CompiledExpression,
  compileExpression,
  evaluateMatchConditions,
  outOfBudget,
} from '../matching/conditions.ts';
import { aggregateMessages, newForbidden } from '../new-forbidden.ts';
import type { Hook } from './hook.ts';

/** Cost limits of the matchConditions of one webhook: each, and together. */
const costs = { expression: 1_000_000, together: 2_500_000 };

/** Holds writes to the match conditions of webhooks. */
export class HookConditions {
  readonly #engine: CelOnDemand<{ readonly cel: Cel; readonly environments: AdmissionEnvironments }>;
  readonly #compiled = new WeakMap<Hook, readonly CompiledExpression[]>();

  constructor({ dialect }: Api) {
    this.#engine = new CelOnDemand((cel) => ({
      cel,
      environments: new cel.AdmissionEnvironments({
        serviceName: dialect.name,
        escapedFields: dialect.rules.escapedFields,
      }),
    }));
  }

  /** Whether matchConditions are met. Throws the rejection where they cannot be evaluated and failurePolicy is Fail. */
  async areMet(hook: Hook, attributes: Attributes, as: ServedResource): Promise<boolean> {
    if (!hook.webhook.matchConditions?.length) return true;
    await this.#engine.load();
    const inputs = new HookInputs(this.#engine.value.cel, attributes, as);
    const verdict = await evaluateWithDecisions(() => {
      const budget = { costLimit: costs.expression, left: costs.together };
      return evaluateMatchConditions(this.#conditionsOf(hook), inputs, budget);
    });
    if (verdict === 'met' || verdict === 'unmet') return verdict === 'met';
    if (hook.failsOpen) return false;
    throw newForbidden(
      attributes,
      verdict === 'too expensive' ? outOfBudget : aggregateMessages(verdict.problems),
    );
  }

  #conditionsOf(hook: Hook): readonly CompiledExpression[] {
    let conditions = this.#compiled.get(hook);
    if (!conditions) {
      const { cel, environments } = this.#engine.value;
      const environment = environments.for({ params: false, authorizer: true });
      const { matchConditions = [] } = hook.webhook;
      conditions = matchConditions.map(({ expression }) => compileExpression(cel, environment, expression));
      this.#compiled.set(hook, conditions);
    }
    return conditions;
  }
}

/** Of the namespace, conditions of webhooks may speak, but there is nothing in it. */
class HookInputs extends AdmissionVariables {
  override get namespaceObject(): unknown {
    return {};
  }
}
