import type { KindContext } from '../../kind/context.ts';
import { resource } from '../../kind/resource.ts';
import { MutatingWebhookConfiguration } from './mutatingwebhookconfiguration-schema.ts';
import { webhookStrategy } from './webhook-strategy.ts';

export const mutatingwebhookconfigurations = (context: KindContext) =>
  resource<MutatingWebhookConfiguration>({
    group: 'admissionregistration',
    version: 'v1',
    kind: 'MutatingWebhookConfiguration',
    plural: 'mutatingwebhookconfigurations',
    categories: ['api-extensions'],
    namespaced: false,
    schema: MutatingWebhookConfiguration,
    strategy: webhookStrategy(context, MutatingWebhookConfiguration),
  });
