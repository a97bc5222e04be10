import { list } from '../../schema/collections.ts';
import { int32, string } from '../../schema/scalars.ts';
import { field, type Infer, optional, struct } from '../../schema/struct.ts';
import type { KindContext } from '../context.ts';
import { kind } from '../meta/kind.ts';
import { LabelSelector } from '../meta/label-selector.ts';
import { plainStrategy } from '../plain-strategy.ts';
import { resource } from '../resource.ts';
import { failurePolicyType } from './failure-policy.ts';
import { MatchCondition } from './match-condition.ts';
import { matchPolicyType, RuleWithOperations } from './rules.ts';
import { sideEffectClass, WebhookClientConfig } from './webhook-client-config.ts';

export const ValidatingWebhook = struct('admissionregistration/v1.ValidatingWebhook', {
  name: field(1, string, { required: true }),
  clientConfig: field(2, WebhookClientConfig, { required: true }),
  rules: field(3, list(RuleWithOperations, { type: 'atomic' })),
  failurePolicy: field(4, optional(failurePolicyType)),
  matchPolicy: field(9, optional(matchPolicyType)),
  namespaceSelector: field(5, optional(LabelSelector)),
  objectSelector: field(10, optional(LabelSelector)),
  sideEffects: field(6, optional(sideEffectClass), { required: true }),
  timeoutSeconds: field(7, optional(int32)),
  admissionReviewVersions: field(8, list(string, { type: 'atomic' }), { required: true }),
  matchConditions: field(
    11,
    list(MatchCondition, { type: 'map', keys: ['name'], patch: 'merge', patchKey: 'name' }),
  ),
});
export type ValidatingWebhook = Infer<typeof ValidatingWebhook>;

export const ValidatingWebhookConfiguration = kind(
  'admissionregistration/v1.ValidatingWebhookConfiguration',
  {
    webhooks: field(
      2,
      list(ValidatingWebhook, { type: 'map', keys: ['name'], patch: 'merge', patchKey: 'name' }),
    ),
  },
  { doc: '' },
);
export type ValidatingWebhookConfiguration = Infer<typeof ValidatingWebhookConfiguration>;

export const validatingwebhookconfigurations = (context: KindContext) =>
  resource<ValidatingWebhookConfiguration>({
    group: 'admissionregistration',
    version: 'v1',
    kind: 'ValidatingWebhookConfiguration',
    plural: 'validatingwebhookconfigurations',
    categories: ['api-extensions'],
    namespaced: false,
    schema: ValidatingWebhookConfiguration,
    strategy: plainStrategy(context, ValidatingWebhookConfiguration),
  });
