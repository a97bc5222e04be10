// ValidatingWebhookConfiguration: schema and defaults (upstream: types.go, defaults.go). Field numbers are those of protobuf.
import { kind } from '../../kind/meta/kind.ts';
import { list } from '../../schema/collections.ts';
import { field, type Infer, struct } from '../../schema/struct.ts';
import { matchConditionsField, webhookFields } from './webhook-fields.ts';

export const ValidatingWebhook = struct(
  'admissionregistration/v1.ValidatingWebhook',
  { ...webhookFields(10), matchConditions: matchConditionsField(11) },
  { doc: 'A webhook that accepts or rejects requests.' },
);

export type ValidatingWebhook = Infer<typeof ValidatingWebhook>;

export const ValidatingWebhookConfiguration = kind(
  'admissionregistration/v1.ValidatingWebhookConfiguration',
  {
    webhooks: field(
      2,
      list(ValidatingWebhook, { type: 'map', keys: ['name'], patch: 'merge', patchKey: 'name' }),
      { doc: 'The webhooks, called in parallel.' },
    ),
  },
  { doc: 'Admission webhooks that accept or reject requests without mutating objects.' },
);

export type ValidatingWebhookConfiguration = Infer<typeof ValidatingWebhookConfiguration>;
