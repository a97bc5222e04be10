import { BadAuthorities } from '../../pki/trust.ts';
import type { Api } from '../../registry/api.ts';
import { ServiceAddresses } from '../../webhook/address.ts';
import { CallFailed } from '../../webhook/client.ts';
import { type Correspondent, post } from '../../webhook/post.ts';
import { ConversionFailed } from './conversion-failed.ts';

/** How long a webhook may take, in milliseconds. */
const patience = 30_000;

/** Makes the calls. */
export class Calls {
  readonly #api: Api;
  readonly #services: ServiceAddresses;

  constructor(api: Api) {
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
