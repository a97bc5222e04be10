// MutatingWebhookConfiguration: resource definition.
import type { KindContext } from '../../kind/context.ts';
import { resource } from '../../kind/resource.ts';
import { MutatingWebhookConfiguration } from './mutatingwebhookconfiguration-schema.ts';
import { webhookStrategy } from './webhook-strategy.ts';
import { webhookTable } from './webhookconfiguration-table.ts';

export const mutatingwebhookconfigurations = (context: KindContext) =>
  resource<MutatingWebhookConfiguration>({
    group: 'admissionregistration',
    version: 'v1',
    kind: 'MutatingWebhookConfiguration',
    plural: 'mutatingwebhookconfigurations',
    categories: ['api-extensions'],
    namespaced: false,
    schema: MutatingWebhookConfiguration,
    table: webhookTable,
    strategy: webhookStrategy(context, MutatingWebhookConfiguration),
  });
