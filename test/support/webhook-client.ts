import { after, before } from 'node:test';
import type { TestClient } from './client.ts';
import { startWebhook, type Webhook, type WebhookInstructions } from './webhook.ts';

const every = [{ apiGroups: ['*'], apiVersions: ['*'], resources: ['*/*'], operations: ['*'] }];

/** Webhook configurations for a webhook in another process, each for one namespace. */
export class WebhookConfigurations {
  webhook!: Webhook;
  readonly #api: TestClient;
  #count = 0;

  constructor(api: TestClient) {
    this.#api = api;
  }

  /** A webhook of a configuration; `more` replaces some of its fields. */
  hook(
    namespace: string,
    told: WebhookInstructions,
    more: Record<string, unknown> = {},
  ): Record<string, unknown> {
    return {
      name: 'hook.example.com',
      clientConfig: { url: this.webhook.url(told), caBundle: this.webhook.caBundle },
      rules: every,
      namespaceSelector: { matchLabels: { 'orch.io/metadata.name': namespace } },
      sideEffects: 'None',
      admissionReviewVersions: ['v1'],
      ...more,
    };
  }

  /** Creates a configuration, and returns its path. */
  async configure(kind: 'mutating' | 'validating', ...webhooks: object[]): Promise<string> {
    const path = `/apis/admissionregistration.orch.io/v1/${kind}webhookconfigurations`;
    const metadata = { name: `hooks-${String(++this.#count).padStart(3, '0')}` };
    const { code, text } = await this.#api.post(path, { metadata, webhooks });
    if (code !== 201) throw new Error(text);
    return `${path}/${metadata.name}`;
  }
}

/** Starts a webhook before the tests of the file and stops it after them. */
export function testHooks(
  api: TestClient,
  names: readonly string[] = [],
  host?: string,
): WebhookConfigurations {
  const hooks = new WebhookConfigurations(api);
  before(async () => {
    hooks.webhook = await startWebhook(names, host);
  });
  after(() => hooks.webhook.stop());
  return hooks;
}

/** The namespace in a path of `TestClient.namespace`. */
export const namespaceIn = (path: string) => path.split('/')[4]!;
