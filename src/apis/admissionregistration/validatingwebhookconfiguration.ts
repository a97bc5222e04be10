// ValidatingWebhookConfiguration: resource definition.
import type { KindContext } from '../../kind/context.ts';
import { resource } from '../../kind/resource.ts';
import { ValidatingWebhookConfiguration } from './validatingwebhookconfiguration-schema.ts';
import { webhookStrategy } from './webhook-strategy.ts';
import { webhookTable } from './webhookconfiguration-table.ts';

export const validatingwebhookconfigurations = (context: KindContext) =>
  resource<ValidatingWebhookConfiguration>({
    group: 'admissionregistration',
    version: 'v1',
    kind: 'ValidatingWebhookConfiguration',
    plural: 'validatingwebhookconfigurations',
    categories: ['api-extensions'],
    namespaced: false,
    schema: ValidatingWebhookConfiguration,
    table: webhookTable,
    strategy: webhookStrategy(context, ValidatingWebhookConfiguration),
  });
