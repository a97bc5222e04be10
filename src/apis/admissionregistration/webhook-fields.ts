// The schema fields that mutating and validating webhooks share.
import { LabelSelector } from '../../kind/meta/label-selector.ts';
import { list } from '../../schema/collections.ts';
import { int32, string } from '../../schema/scalars.ts';
import { field, optional } from '../../schema/struct.ts';
import { failurePolicyType } from './failure-policy.ts';
import { MatchCondition } from './match-condition.ts';
import { matchPolicyType, RuleWithOperations } from './rules.ts';
import { sideEffectClass, WebhookClientConfig } from './webhook-client-config.ts';

/** The fields that both webhook kinds share, except matchConditions. The field number of objectSelector differs. */
export const webhookFields = (objectSelectorNumber: number) => ({
  name: field(1, string, {
    required: true,
    doc: 'The name of the webhook: a domain name of at least three labels, unique in the configuration.',
  }),
  clientConfig: field(2, WebhookClientConfig, { required: true, doc: 'How to connect to the webhook.' }),
  rules: field(3, list(RuleWithOperations, { type: 'atomic' }), {
    doc: 'The requests that the webhook is called for. It is never called for webhook configurations and admission policies.',
  }),
  failurePolicy: field(4, optional(failurePolicyType), {
    default: 'Fail',
    doc: 'What happens to a request if the call fails: Fail or Ignore.',
  }),
  matchPolicy: field(9, optional(matchPolicyType), {
    default: 'Equivalent',
    doc: 'Exact: only the listed resources. Equivalent: also the same objects through another API group or version.',
  }),
  namespaceSelector: field(5, optional(LabelSelector), {
    default: {},
    doc: "Matches the labels of the object's namespace, or of the object itself if it is a Namespace. Empty matches all.",
  }),
  objectSelector: field(objectSelectorNumber, optional(LabelSelector), {
    default: {},
    doc: 'Matches the labels of the old or the new object. Empty matches all. Users can evade it by changing labels.',
  }),
  sideEffects: field(6, optional(sideEffectClass), {
    required: true,
    doc: 'Whether the webhook has side effects: None, or NoneOnDryRun if it has none on dry run.',
  }),
  timeoutSeconds: field(7, optional(int32), {
    default: 10,
    doc: 'The timeout of the call, 1 to 30 seconds.',
  }),
  admissionReviewVersions: field(8, list(string, { type: 'atomic' }), {
    required: true,
    doc: 'The AdmissionReview versions that the webhook accepts, in order of preference. Must include v1 or v1beta1.',
  }),
});

export const matchConditionsField = (number: number) =>
  field(number, list(MatchCondition, { type: 'map', keys: ['name'], patch: 'merge', patchKey: 'name' }), {
    doc: 'CEL conditions in addition to the rules, at most 64. A false condition skips the webhook or policy; a failing one is handled by the failure policy.',
  });
