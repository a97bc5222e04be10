// Conversion webhooks: HTTP calls.
import type { Clock } from '../../base/clock.ts';
import { InvalidCABundle } from '../../pki/trust.ts';
import { ServiceResolver, type ServiceResolverContext } from '../../webhook/address.ts';
import { WebhookCallError } from '../../webhook/client.ts';
import { postReview, type WebhookEndpoint } from '../../webhook/post.ts';
import { ConversionFailed } from './conversion-failed.ts';

/** How long a webhook may take, in milliseconds. */
const patience = 30_000;

/** What conversion webhooks use of the server. */
export interface ConversionContext extends ServiceResolverContext {
  readonly clock: Clock;
}

/** Makes the calls. */
export class Calls {
  readonly #api: ConversionContext;
  readonly #services: ServiceResolver;

  constructor(api: ConversionContext) {
    this.#api = api;
    this.#services = new ServiceResolver(api);
  }

  /** Throws ConversionFailed. */
  async post(whom: WebhookEndpoint, json: string): Promise<Buffer> {
    const { clock, dialect } = this.#api;
    const terms = { clock, patience, signal: undefined, userAgent: `${dialect.serverName}-admission` };
    try {
      return await postReview(whom, this.#services, json, terms);
    } catch (error) {
      const isTheirs = error instanceof WebhookCallError || error instanceof InvalidCABundle;
      throw isTheirs ? new ConversionFailed('call', `failed: ${error.message}`) : error;
    }
  }

  reset(): void {
    this.#services.reset();
  }
}
