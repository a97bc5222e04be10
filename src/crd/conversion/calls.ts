// Conversion webhooks: HTTP calls.
import type { Clock } from '../../base/clock.ts';
import { BadAuthorities } from '../../pki/trust.ts';
import { ServiceAddresses, type ServiceResolverContext } from '../../webhook/address.ts';
import { CallFailed } from '../../webhook/client.ts';
import { type Correspondent, post } from '../../webhook/post.ts';
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
  readonly #services: ServiceAddresses;

  constructor(api: ConversionContext) {
    this.#api = api;
    this.#services = new ServiceAddresses(api);
  }

  /** Throws ConversionFailed. */
  async post(whom: Correspondent, json: string): Promise<Buffer> {
    const { clock, dialect } = this.#api;
    const terms = { clock, patience, signal: undefined, userAgent: `${dialect.serverName}-admission` };
    try {
      return await post(whom, this.#services, json, terms);
    } catch (error) {
      const isTheirs = error instanceof CallFailed || error instanceof BadAuthorities;
      throw isTheirs ? new ConversionFailed('call', `failed: ${error.message}`) : error;
    }
  }

  reset(): void {
    this.#services.reset();
  }
}
