// Admission webhooks: one webhook of a configuration.
import type { Webhook } from '../../apis/admissionregistration/webhook-validation.ts';
import type { Connections } from '../../webhook/client.ts';
import type { Correspondent } from '../../webhook/post.ts';
import { Matcher } from '../matching/matcher.ts';

/** A webhook of a configuration. */
export class Hook implements Correspondent {
  readonly configuration: string;
  readonly webhook: Webhook;
  readonly matcher: Matcher;
  /** Its place among all webhooks there are. */
  index = 0;
  /** Opened with the first call. */
  connections: Connections | undefined;

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

  get clientConfig(): Correspondent['clientConfig'] {
    return this.webhook.clientConfig;
  }

  get name(): string {
    return this.webhook.name;
  }

  /** Whether a failed call does not fail the request. */
  get failsOpen(): boolean {
    return this.webhook.failurePolicy === 'Ignore';
  }
}
