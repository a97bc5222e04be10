// The schema of MutatingWebhookConfiguration.
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
      doc: 'IfNeeded: it is asked once more where a later one has changed the object. Never: once.',
    }),
    matchConditions: matchConditionsField(12),
  },
  { doc: 'A webhook that changes objects, or refuses requests.' },
);

export type MutatingWebhook = Infer<typeof MutatingWebhook>;

export const MutatingWebhookConfiguration = kind(
  'admissionregistration/v1.MutatingWebhookConfiguration',
  {
    webhooks: field(
      2,
      list(MutatingWebhook, { type: 'map', keys: ['name'], patch: 'merge', patchKey: 'name' }),
      { doc: 'The webhooks, asked one after the other.' },
    ),
  },
  { doc: 'Webhooks that change objects on their way in, or refuse requests.' },
);

export type MutatingWebhookConfiguration = Infer<typeof MutatingWebhookConfiguration>;
