// Admission webhooks: a webhook of a stored configuration, with its matcher and connection pool (upstream:
// WebhookAccessor).
import type { Webhook } from '../../apis/admissionregistration/webhook-validation.ts';
import type { WebhookConnectionPool } from '../../webhook/client.ts';
import type { WebhookEndpoint } from '../../webhook/post.ts';
import { Matcher } from '../matching/matcher.ts';

export class WebhookAccessor implements WebhookEndpoint {
  /** The name of the configuration. */
  readonly configuration: string;
  readonly webhook: Webhook;
  readonly matcher: Matcher;
  /** Its position among all webhooks of this type, for audit annotations. */
  index = 0;
  /** Created at the first call. */
  connections: WebhookConnectionPool | undefined;

  constructor(configuration: string, webhook: Webhook) {
    this.configuration = configuration;
    this.webhook = webhook;
    const { rules = [], namespaceSelector, objectSelector, matchPolicy } = webhook;
    this.matcher = new Matcher({
      rules,
      ...(namespaceSelector && { namespaceSelector }),
      ...(objectSelector && { objectSelector }),
      ...(matchPolicy && { matchPolicy }),
    });
  }

  get clientConfig(): WebhookEndpoint['clientConfig'] {
    return this.webhook.clientConfig;
  }

  get name(): string {
    return this.webhook.name;
  }

  /** failurePolicy Ignore: a failed call does not fail the request. */
  get failsOpen(): boolean {
    return this.webhook.failurePolicy === 'Ignore';
  }
}
