// Conversion webhooks: the HTTPS client.
import type { Clock } from '../../base/clock.ts';
import { InvalidCABundle } from '../../pki/ca-bundle.ts';
import { WebhookCallError, type WebhookCallOptions } from '../../webhook/client.ts';
import { postReview, type WebhookEndpoint } from '../../webhook/post.ts';
import { ServiceResolver, type ServiceResolverContext } from '../../webhook/service-resolver.ts';
import { ConversionFailed } from './conversion-failed.ts';

/** Conversion webhooks have a fixed timeout, unlike admission webhooks. */
const timeoutMs = 30_000;

export interface ConversionContext extends ServiceResolverContext {
  readonly clock: Clock;
}

export class ConversionClient {
  readonly #api: ConversionContext;
  readonly #services: ServiceResolver;

  constructor(api: ConversionContext) {
    this.#api = api;
    this.#services = new ServiceResolver(api);
  }

  /** Throws ConversionFailed. */
  async post(endpoint: WebhookEndpoint, json: string): Promise<Buffer> {
    const { clock, dialect } = this.#api;
    const options: WebhookCallOptions = {
      clock,
      timeoutMs,
      signal: undefined,
      userAgent: `${dialect.serverName}-admission`,
    };
    try {
      return await postReview(endpoint, this.#services, json, options);
    } catch (error) {
      const isWebhookError = error instanceof WebhookCallError || error instanceof InvalidCABundle;
      throw isWebhookError ? new ConversionFailed('call', `failed: ${error.message}`) : error;
    }
  }

  reset(): void {
    this.#services.reset();
  }
}
