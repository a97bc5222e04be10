// Webhooks: service resolution, a Service to the address of a ready endpoint.
import type { Endpoints } from '../apis/core/endpoints.ts';
import type { Service } from '../apis/core/service.ts';
import type { EndpointSlice } from '../apis/discovery/endpointslice.ts';
import type { WebhookService } from '../apis/webhook-client.ts';
import type { Dialect } from '../dialect/dialect.ts';
import { quote } from '../errors/quote.ts';
import type { ApiObject } from '../kind/api-object.ts';
import type { Registry } from '../kind/registry.ts';
import { decodeLazily } from '../kind/storage/codec.ts';
import { Reflector } from '../store/reflector.ts';
import type { Store, StoredObject } from '../store/store.ts';
import { decodePairs } from '../store/stored-object.ts';
import type { WebhookAddress } from './client.ts';

const httpsPort = 443;

/** Parses `clientConfig.url`; repeated and trailing slashes of the path are dropped. */
export function parseWebhookUrl(url: string): WebhookAddress {
  const parsed = new URL(url);
  const host = parsed.hostname.replace(/^\[|\]$/g, '');
  const path = parsed.pathname.replace(/\/{2,}/g, '/').replace(/(?<=.)\/$/, '');
  return {
    url: `https://${parsed.host}${path}`,
    host,
    port: parsed.port === '' ? httpsPort : Number(parsed.port),
    path,
    authority: parsed.host,
  };
}

/** The Service in `clientConfig.service` has no usable address; the message is the reason. */
export class ServiceResolutionError extends Error {
  readonly url: string;

  constructor(url: string, reason: string) {
    super(reason);
    this.url = url;
  }
}

/** Service resolution reads Services, Endpoints and EndpointSlices from the store. */
export interface ServiceResolverContext {
  readonly dialect: Dialect;
  readonly registry: Registry;
  readonly store: Store;
}

/** Resolves a Service to the address of one of its ready endpoints. */
export class ServiceResolver {
  readonly #api: ServiceResolverContext;
  readonly #slices: Reflector;
  /** EndpointSlices by `namespace/name` of their Service, then by key. */
  readonly #byService = new Map<string, Map<string, StoredObject>>();

  constructor(api: ServiceResolverContext) {
    this.#api = api;
    const label = api.dialect.labels.serviceName;
    const serviceKeyOf = ({ key, labels }: StoredObject) =>
      `${key.split('/')[1]}/${decodePairs(labels).get(label) ?? ''}`;
    this.#slices = new Reflector(api.store, 'endpointslices', {
      add: (slice) => {
        const service = serviceKeyOf(slice);
        const slices = this.#byService.get(service) ?? new Map<string, StoredObject>();
        this.#byService.set(service, slices.set(slice.key, slice));
      },
      remove: (slice) => {
        const service = serviceKeyOf(slice);
        const slices = this.#byService.get(service);
        slices?.delete(slice.key);
        if (slices?.size === 0) this.#byService.delete(service);
      },
      clear: () => this.#byService.clear(),
    });
  }

  reset(): void {
    this.#slices.reset();
  }

  /** The address of a Service: a random ready endpoint, or the cluster IP if there is none. Throws ServiceResolutionError. */
  resolve({ namespace, name, path = '', port = httpsPort }: WebhookService): WebhookAddress {
    const serverName = `${name}.${namespace}.svc`;
    const authority = `${serverName}:${port}`;
    const normalizedPath = `/${path.replace(/^\/+/, '')}`;
    const url = `https://${authority}${normalizedPath}`;
    const resolutionError = (reason: string) => new ServiceResolutionError(url, reason);
    const service = this.findService(namespace, name);
    if (!service) throw resolutionError(`service ${quote(name)} not found`);
    const { type, ports = [], clusterIP = '' } = service.spec;
    if (type === 'ExternalName') throw resolutionError(`unsupported service type ${quote(type)}`);
    const servicePort = ports.find((candidate) => candidate.port === port);
    if (!servicePort) throw resolutionError(`no service port ${port} found for service ${quote(name)}`);
    const ready = this.readyEndpoints(namespace, name, servicePort.name ?? '');
    const backend = ready[Math.floor(Math.random() * ready.length)];
    if (!backend && (clusterIP === '' || clusterIP === 'None')) {
      throw resolutionError(`no endpoints available for service ${quote(name)}`);
    }
    return { url, authority, path: normalizedPath, serverName, ...(backend ?? { host: clusterIP, port }) };
  }

  /** Undefined if there is no such Service. */
  findService(namespace: string, name: string): Service | undefined {
    return this.#readLazily('services', namespace, name) as Service | undefined;
  }

  /** Whether the Service has EndpointSlices or Endpoints, even empty ones. */
  hasEndpoints(namespace: string, name: string): boolean {
    this.#slices.sync();
    return (
      this.#byService.has(`${namespace}/${name}`) ||
      this.#readLazily('endpoints', namespace, name) !== undefined
    );
  }

  /** The ready endpoints of a Service for one of its ports: from EndpointSlices, else from Endpoints. */
  readyEndpoints(namespace: string, name: string, portName: string): HostAndPort[] {
    const inSlices = this.#backendsInSlices(namespace, name, portName);
    if (inSlices.length > 0) return inSlices;
    const { subsets = [] } = (this.#readLazily('endpoints', namespace, name) ?? {}) as Partial<Endpoints>;
    return subsets.flatMap(({ addresses = [], ports = [] }) => {
      const port = ports.find((candidate) => (candidate.name ?? '') === portName)?.port;
      return port === undefined ? [] : addresses.map(({ ip }) => ({ host: ip, port }));
    });
  }

  #readLazily(plural: string, namespace: string, name: string): ApiObject | undefined {
    const resource = this.#api.registry.kind('', 'v1', plural);
    const stored = this.#api.store.get(resource.key(namespace, name));
    return stored && decodeLazily(resource, stored);
  }

  #backendsInSlices(namespace: string, name: string, portName: string): HostAndPort[] {
    this.#slices.sync();
    const { registry, dialect } = this.#api;
    const resource = registry.kind(dialect.groupName('discovery'), 'v1', 'endpointslices');
    return [...(this.#byService.get(`${namespace}/${name}`)?.values() ?? [])].flatMap((stored) => {
      const { endpoints = [], ports } = decodeLazily(resource, stored) as EndpointSlice;
      const port = ports?.find((candidate) => (candidate.name ?? '') === portName)?.port;
      if (port === undefined) return [];
      return endpoints
        .filter(({ conditions }) => conditions?.ready !== false)
        .map(({ addresses }) => ({ host: addresses?.[0] ?? '', port }));
    });
  }
}

interface HostAndPort {
  readonly host: string;
  readonly port: number;
}
