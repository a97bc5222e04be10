// API aggregation, as kube-aggregator does it: every served group version has an APIService. A local one is served by this
// server; the requests for a remote one are proxied to the aggregated API server that it refers to.
import { preferredVersion } from '../apis/preferred-version.ts';
import type { WorkQueueFactory } from '../controllers/runtime/work-queue.ts';
import type { Features } from '../kind/features/features.ts';
import type { KeyPair } from '../pki/certificates.ts';
import type { RegistryContext } from '../registry/verb-context.ts';
import type { IdentityHeaders } from '../request/identity-headers.ts';
import type { Logger } from '../telemetry/log.ts';
import type { Exchange } from '../transport/exchange.ts';
import { ServiceResolver } from '../webhook/service-resolver.ts';
import { ApiServices, type RegisteredService } from './api-services.ts';
import { AutoregisterController } from './autoregister-controller.ts';
import { AvailabilityController } from './availability-controller.ts';
import { apiServiceName } from './priorities.ts';
import { ServiceProxy } from './proxy.ts';
import { RegisteredVersions } from './registered-versions.ts';
import { RemoteResources } from './remote-resources.ts';
import type { RemoteServer } from './remote-server.ts';

export interface AggregationParts {
  readonly api: RegistryContext;
  readonly features: Features;
  readonly logger: Logger;
  readonly identityHeaders: IdentityHeaders;
  readonly newQueue: WorkQueueFactory;
  /** Another thread of the server creates the APIServices of served group versions. */
  readonly isFollower: boolean;
}

type RemoteService = RegisteredService & { readonly remote: RemoteServer };

/**
 * Runs on every replica, without leader election: each server proxies by its own availability checks, and discovery
 * needs the APIServices.
 */
export class Aggregation {
  readonly #services: ApiServices;
  /** The names of the APIServices whose requests are proxied. */
  readonly remoteNames: ReadonlySet<string>;
  readonly registeredVersions: RegisteredVersions;
  /** The resources of aggregated API servers, for controllers. */
  readonly controllerApis: RemoteResources;
  readonly #autoregister: AutoregisterController;
  readonly #availability: AvailabilityController;
  readonly #proxy: ServiceProxy;
  readonly #serviceResolver: ServiceResolver;
  readonly #isFollower: boolean;
  #clientCertificate: KeyPair | undefined;

  constructor({ api, features, logger, identityHeaders, newQueue, isFollower }: AggregationParts) {
    this.#isFollower = isFollower;
    const { clock, dialect } = api;
    this.#serviceResolver = new ServiceResolver(api);
    const remoteParts = {
      clock,
      addresses: this.#serviceResolver,
      clientCertificate: () => this.#clientCertificate,
    };
    this.#services = new ApiServices(api);
    this.remoteNames = this.#services.remoteNames;
    this.registeredVersions = new RegisteredVersions(this.#services);
    this.controllerApis = new RemoteResources(this.#services, remoteParts);
    const prefer = dialect.rules.newVersionsAreNotPreferred ? preferredVersion : undefined;
    this.#autoregister = new AutoregisterController(api, this.#services, { prefer, newQueue });
    const { registeredVersions } = this;
    this.#availability = new AvailabilityController(
      { api, logger, newQueue, services: this.#services, registeredVersions },
      remoteParts,
    );
    const sendsUid = features.enabled('RemoteRequestHeaderUID');
    this.#proxy = new ServiceProxy(remoteParts, { dialect, identityHeaders, sendsUid });
  }

  /** Resolves once every group version that this server serves has an APIService. */
  async start(): Promise<void> {
    this.#services.start();
    if (!this.#isFollower) await this.#autoregister.start();
  }

  /** Starts availability checks and discovery of aggregated API servers, with this client certificate. */
  startRemote(clientCertificate: KeyPair | undefined): void {
    this.#clientCertificate = clientCertificate;
    this.#availability.start();
  }

  /** Requests to aggregated API servers present this certificate from now on. */
  setClientCertificate(clientCertificate: KeyPair): void {
    this.#clientCertificate = clientCertificate;
  }

  reset(): void {
    this.#serviceResolver.reset();
    this.#services.reset();
    this.#autoregister.reset();
    this.#availability.reset();
  }

  async close(): Promise<void> {
    await Promise.all([this.#autoregister.close(), this.#availability.close()]);
    this.#services.close();
  }

  /** Proxies a request for an aggregated API; returns undefined for other paths, which this server serves itself. */
  serve(exchange: Exchange): Promise<void> | undefined {
    const service = this.#remoteFor(exchange.info.path);
    return service && this.#proxy.serve(exchange, service);
  }

  /**
   * Proxies a request for an OpenAPI v3 document of an aggregated version; `name` is its key in the v3 index, such as
   * `apis/apps/v1`. Returns undefined if the version is not aggregated or has no such document.
   */
  serveOpenApi(exchange: Exchange, name: string): Promise<void> | undefined {
    const service = this.#remoteFor(`/${name}`);
    const { name: documentName, url } = service?.remote.content?.openApi ?? {};
    if (!service || documentName !== name || url === undefined) return undefined;
    return this.#proxy.serve(exchange, service);
  }

  /** An aggregated API server itself accepts or rejects upgrade requests on its paths. */
  isAggregatedPath(path: string): boolean {
    return this.#remoteFor(path) !== undefined;
  }

  /** The remote APIService of the group version in a path, `/api/<version>` or `/apis/<group>/<version>`. */
  #remoteFor(path: string): RemoteService | undefined {
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
