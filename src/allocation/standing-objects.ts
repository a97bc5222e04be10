import { Client } from '../client/client.ts';
import type { Api } from '../resource/api.ts';
import type { Logger } from '../telemetry/log.ts';
import { type ApiServerAddress, publishApiService } from './api-service.ts';
import { ensureDefaultServiceCidr } from './default-service-cidr.ts';
import type { ServiceRanges } from './service-allocation.ts';

/** The objects that a cluster always has for its services: the range they get addresses from, and the way to this server. */
export class StandingObjects {
  readonly #api: Api;
  readonly #ranges: ServiceRanges;
  readonly #logger: Logger;
  #server: ApiServerAddress | undefined;
  #unsubscribe: (() => void) | undefined;
  #working: Promise<void> = Promise.resolve();

  constructor(api: Api, ranges: ServiceRanges, logger: Logger) {
    this.#api = api;
    this.#ranges = ranges;
    this.#logger = logger;
  }

  /** Before anybody is served: where services get their addresses. */
  async begin(): Promise<void> {
    await ensureDefaultServiceCidr(this.#api, this.#ranges.clusterIps);
    this.#unsubscribe = this.#api.store.subscribe((changes) => {
      const isOurs = changes.some(({ type, key }) => type === 'deleted' && this.#keys().includes(key));
      if (isOurs) this.#working = this.#working.then(() => this.#restore());
    });
  }

  /** Once it is known where the server listens. */
  async publish(server: ApiServerAddress): Promise<void> {
    this.#server = server;
    await this.#restore();
  }

  async close(): Promise<void> {
    this.#unsubscribe?.();
    await this.#working;
  }

  #keys(): string[] {
    const name = this.#api.dialect.apiServiceName;
    return [`servicecidrs/${name}`, `services/specs/default/${name}`, `services/endpoints/default/${name}`];
  }

  /** What is missing is made anew. That it cannot be is no reason not to serve. */
  async #restore(): Promise<void> {
    const { clusterIps } = this.#ranges;
    try {
      await ensureDefaultServiceCidr(this.#api, clusterIps);
      if (!this.#server || !clusterIps[0]) return;
      await publishApiService(new Client(this.#api), this.#api.dialect, clusterIps[0], this.#server);
    } catch (error) {
      this.#logger.warn({ err: error }, 'the service that leads to this server could not be published');
    }
  }
}
