// The strategy of MutatingWebhookConfiguration and ValidatingWebhookConfiguration.
import { CelOnDemand } from '../../cel/on-demand.ts';
import type { ApiObject } from '../../kind/api-object.ts';
import type { KindContext } from '../../kind/context.ts';
import type { Strategy } from '../../kind/strategy.ts';
import type { Struct } from '../../schema/struct.ts';
import { AdmissionChecker } from './policy-expressions.ts';
import { registrationStrategy } from './strategy.ts';
import { validateWebhooks, type Webhook } from './webhook-validation.ts';

interface Configuration extends ApiObject {
  readonly webhooks?: readonly Webhook[];
}

/** The strategy compiles matchConditions on write, and loads CEL only for configurations that have some. */
export function webhookStrategy<T extends Configuration>(
  { dialect }: KindContext,
  schema: Struct<T>,
): Strategy<T> {
  const checker = new CelOnDemand((cel) => new AdmissionChecker(cel, dialect.name));
  const check = (object: T, old?: T) => {
    if (conditionsOf(object).length === 0) return validateWebhooks(object.webhooks);
    // Webhooks have neither parameters nor variables.
    const { condition } = checker.value.checksOf({}, old && { matchConditions: conditionsOf(old) });
    return validateWebhooks(object.webhooks, condition);
  };
  const load = (object: T) => (conditionsOf(object).length > 0 ? checker.load() : undefined);
  return registrationStrategy(schema, 'webhooks', check, load);
}

const conditionsOf = ({ webhooks = [] }: Configuration) =>
  webhooks.flatMap(({ matchConditions = [] }) => matchConditions);
