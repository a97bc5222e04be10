// API aggregation: serves group versions through their APIServices, as kube-aggregator does.
import { preferredVersion } from '../apis/preferred-version.ts';
import type { WorkQueueFactory } from '../controllers/runtime/work-queue.ts';
import type { Features } from '../kind/features/features.ts';
import type { KeyPair } from '../pki/certificates.ts';
import type { Api } from '../registry/api.ts';
import type { IdentityHeaders } from '../request/identity-headers.ts';
import type { Logger } from '../telemetry/log.ts';
import type { Exchange } from '../transport/exchange.ts';
import { ServiceResolver } from '../webhook/address.ts';
import { Announcements } from './announcements.ts';
import { ApiServices, type KnownService } from './api-services.ts';
import { LocalServices } from './local-services.ts';
import { apiServiceName } from './priorities.ts';
import { ServiceProxy } from './proxy.ts';
import { RemoteResources } from './remote-resources.ts';
import type { RemoteServer } from './remote-server.ts';
import { RemoteServices } from './remote-services.ts';

export interface AggregationParts {
  readonly api: Api;
  readonly features: Features;
  readonly logger: Logger;
  readonly identityHeaders: IdentityHeaders;
  readonly newQueue: WorkQueueFactory;
}

type Remote = KnownService & { readonly remote: RemoteServer };

/**
 * Runs on every replica, without leader election: each server proxies by its own availability checks, and discovery
 * needs the APIServices.
 */
export class Aggregation {
  readonly #services: ApiServices;
  /** The APIServices whose requests are proxied; without any, no request has to be looked at. */
  readonly remoteNames: ReadonlySet<string>;
  readonly announcements: Announcements;
  readonly controllerApis: RemoteResources;
  readonly #local: LocalServices;
  readonly #remote: RemoteServices;
  readonly #proxy: ServiceProxy;
  readonly #addresses: ServiceResolver;
  #clientCertificate: KeyPair | undefined;

  constructor({ api, features, logger, identityHeaders, newQueue }: AggregationParts) {
    const { clock, dialect } = api;
    this.#addresses = new ServiceResolver(api);
    const parts = { clock, addresses: this.#addresses, clientCertificate: () => this.#clientCertificate };
    this.#services = new ApiServices(api);
    this.remoteNames = this.#services.remoteNames;
    this.announcements = new Announcements(this.#services);
    this.controllerApis = new RemoteResources(this.#services, parts);
    const prefer = dialect.rules.newVersionsAreNotPreferred ? preferredVersion : undefined;
    this.#local = new LocalServices(api, this.#services, { prefer, newQueue });
    const found = { services: this.#services, announcements: this.announcements };
    this.#remote = new RemoteServices({ api, logger, newQueue, ...found }, parts);
    const sendsUid = features.enabled('RemoteRequestHeaderUID');
    this.#proxy = new ServiceProxy(parts, { dialect, identityHeaders, sendsUid });
  }

  /** Resolves once every group version that this server serves has an APIService. */
  async start(): Promise<void> {
    this.#services.start();
    await this.#local.start();
  }

  /**
   * Starts availability checks and discovery of other servers. `clientCertificate`: the certificate this server
   * presents.
   */
  startRemote(clientCertificate: KeyPair | undefined): void {
    this.#clientCertificate = clientCertificate;
    this.#remote.start();
  }

  reset(): void {
    this.#addresses.reset();
    this.#services.reset();
    this.#local.reset();
    this.#remote.reset();
  }

  async close(): Promise<void> {
    await Promise.all([this.#local.close(), this.#remote.close()]);
    this.#services.close();
  }

  /** Proxies a request for an aggregated API; returns undefined for other paths. */
  serve(exchange: Exchange): Promise<void> | undefined {
    const service = this.#remoteFor(exchange.info.path);
    return service && this.#proxy.serve(exchange, service);
  }

  /** Proxies a request for the OpenAPI v3 document of an aggregated version; returns undefined if it has none. */
  serveDescription(exchange: Exchange, name: string): Promise<void> | undefined {
    const service = this.#remoteFor(`/${name}`);
    const { name: described, address } = service?.remote.content?.description ?? {};
    if (!service || described !== name || address === undefined) return undefined;
    return this.#proxy.serve(exchange, service);
  }

  /** Upgrade requests on such a path are for the other server to accept. */
  isAggregatedPath(path: string): boolean {
    return this.#remoteFor(path) !== undefined;
  }

  #remoteFor(path: string): Remote | undefined {
    if (!this.#services.hasRemote) return undefined;
    const [, prefix, first = '', second = ''] = path.split('/', 4);
    const isGrouped = prefix === 'apis';
    if (!isGrouped && prefix !== 'api') return undefined;
    const name = apiServiceName(
      isGrouped ? { group: first, version: second } : { group: '', version: first },
    );
    const service = this.#services.find(name);
    return service?.remote && { ...service, remote: service.remote };
  }
}
