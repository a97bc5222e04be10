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
import { reinvocationPolicyType, sideEffectClass, WebhookClientConfig } from './webhook-client-config.ts';

export const MutatingWebhook = struct('admissionregistration/v1.MutatingWebhook', {
  name: field(1, string, { required: true }),
  clientConfig: field(2, WebhookClientConfig, { required: true }),
  rules: field(3, list(RuleWithOperations, { type: 'atomic' })),
  failurePolicy: field(4, optional(failurePolicyType)),
  matchPolicy: field(9, optional(matchPolicyType)),
  namespaceSelector: field(5, optional(LabelSelector)),
  objectSelector: field(11, optional(LabelSelector)),
  sideEffects: field(6, optional(sideEffectClass), { required: true }),
  timeoutSeconds: field(7, optional(int32)),
  admissionReviewVersions: field(8, list(string, { type: 'atomic' }), { required: true }),
  reinvocationPolicy: field(10, optional(reinvocationPolicyType)),
  matchConditions: field(
    12,
    list(MatchCondition, { type: 'map', keys: ['name'], patch: 'merge', patchKey: 'name' }),
  ),
});
export type MutatingWebhook = Infer<typeof MutatingWebhook>;

export const MutatingWebhookConfiguration = kind(
  'admissionregistration/v1.MutatingWebhookConfiguration',
  {
    webhooks: field(
      2,
      list(MutatingWebhook, { type: 'map', keys: ['name'], patch: 'merge', patchKey: 'name' }),
    ),
  },
  { doc: '' },
);
export type MutatingWebhookConfiguration = Infer<typeof MutatingWebhookConfiguration>;

export const mutatingwebhookconfigurations = (context: KindContext) =>
  resource<MutatingWebhookConfiguration>({
    group: 'admissionregistration',
    version: 'v1',
    kind: 'MutatingWebhookConfiguration',
    plural: 'mutatingwebhookconfigurations',
    categories: ['api-extensions'],
    namespaced: false,
    schema: MutatingWebhookConfiguration,
    strategy: plainStrategy(context, MutatingWebhookConfiguration),
  });
