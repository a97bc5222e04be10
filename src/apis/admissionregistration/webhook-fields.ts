// The schema fields that mutating and validating webhooks share.
import { LabelSelector } from '../../kind/meta/label-selector.ts';
import { list } from '../../schema/collections.ts';
import { int32, string } from '../../schema/scalars.ts';
import { field, optional } from '../../schema/struct.ts';
import { failurePolicyType } from './failure-policy.ts';
import { MatchCondition } from './match-condition.ts';
import { matchPolicyType, RuleWithOperations } from './rules.ts';
import { sideEffectClass, WebhookClientConfig } from './webhook-client-config.ts';

/** The fields of both kinds of webhooks, in two halves because fields of their own lie between. */
export const webhookFields = (objectSelectorNumber: number) => ({
  name: field(1, string, {
    required: true,
    doc: 'What the webhook is called: a domain of at least three parts, once in a configuration.',
  }),
  clientConfig: field(2, WebhookClientConfig, { required: true, doc: 'How it is reached.' }),
  rules: field(3, list(RuleWithOperations, { type: 'atomic' }), {
    doc: 'Which requests it is asked about. It never hears of webhook configurations and policies themselves.',
  }),
  failurePolicy: field(4, optional(failurePolicyType), {
    default: 'Fail',
    doc: 'What becomes of a request when it cannot be asked: Fail or Ignore.',
  }),
  matchPolicy: field(9, optional(matchPolicyType), {
    default: 'Equivalent',
    doc: 'Exact: only what the rules name. Equivalent: also the same objects in another group or version.',
  }),
  namespaceSelector: field(5, optional(LabelSelector), {
    default: {},
    doc: "Selects by the labels of the object's namespace; a Namespace by its own. Empty: all.",
  }),
  objectSelector: field(objectSelectorNumber, optional(LabelSelector), {
    default: {},
    doc: 'Selects by the labels of the object, old or new. Empty: all. Whoever writes the object can evade it.',
  }),
  sideEffects: field(6, optional(sideEffectClass), {
    required: true,
    doc: 'What it does elsewhere: None, or NoneOnDryRun where it does nothing if the request is a dry run.',
  }),
  timeoutSeconds: field(7, optional(int32), {
    default: 10,
    doc: 'How long it has to answer, 1 to 30 seconds.',
  }),
  admissionReviewVersions: field(8, list(string, { type: 'atomic' }), {
    required: true,
    doc: 'The versions of AdmissionReview that it understands, the best first: v1 or v1beta1 must be among them.',
  }),
});

export const matchConditionsField = (number: number) =>
  field(number, list(MatchCondition, { type: 'map', keys: ['name'], patch: 'merge', patchKey: 'name' }), {
    doc: 'What must hold beyond the rules, at most 64. One that is false leaves the webhook or policy out; one that fails is treated by the failure policy.',
  });
