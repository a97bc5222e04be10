// MutatingWebhookConfiguration: schema and defaults (upstream: types.go, defaults.go). Field numbers are those of protobuf.
import { kind } from '../../kind/meta/kind.ts';
import { list } from '../../schema/collections.ts';
import { field, type Infer, optional, struct } from '../../schema/struct.ts';
import { reinvocationPolicyType } from './webhook-client-config.ts';
import { matchConditionsField, webhookFields } from './webhook-fields.ts';

export const MutatingWebhook = struct(
  'admissionregistration/v1.MutatingWebhook',
  {
    ...webhookFields(11),
    reinvocationPolicy: field(10, optional(reinvocationPolicyType), {
      default: 'Never',
      doc: 'IfNeeded: called again if a later webhook changed the object. Never: called once.',
    }),
    matchConditions: matchConditionsField(12),
  },
  { doc: 'A webhook that mutates objects or rejects requests.' },
);

export type MutatingWebhook = Infer<typeof MutatingWebhook>;

export const MutatingWebhookConfiguration = kind(
  'admissionregistration/v1.MutatingWebhookConfiguration',
  {
    webhooks: field(
      2,
      list(MutatingWebhook, { type: 'map', keys: ['name'], patch: 'merge', patchKey: 'name' }),
      { doc: 'The webhooks, called one after another.' },
    ),
  },
  { doc: 'Admission webhooks that mutate objects or reject requests.' },
);

export type MutatingWebhookConfiguration = Infer<typeof MutatingWebhookConfiguration>;
