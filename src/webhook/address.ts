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
import { decodePairs } from '../store/pairs.ts';
import { Reflector } from '../store/reflector.ts';
import type { Store, StoredObject } from '../store/store.ts';
import type { Address } from './client.ts';

const httpsPort = 443;

/** The address of a webhook with a URL. */
export function addressOf(url: string): Address {
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

/** A Service that cannot be resolved, with the reason. */
export class NoBackend extends Error {
  readonly url: string;

  constructor(url: string, reason: string) {
    super(reason);
    this.url = url;
  }
}

/** What service resolution reads: Services, Endpoints and EndpointSlices from the store. */
export interface ServiceResolverContext {
  readonly dialect: Dialect;
  readonly registry: Registry;
  readonly store: Store;
}

/** Resolves a Service to the address of one of its ready endpoints. */
export class ServiceAddresses {
  readonly #api: ServiceResolverContext;
  readonly #slices: Reflector;
  /** By namespace and name of the Service. */
  readonly #byService = new Map<string, Map<string, StoredObject>>();

  constructor(api: ServiceResolverContext) {
    this.#api = api;
    const label = api.dialect.labels.serviceName;
    const keyOf = ({ key, labels }: StoredObject) =>
      `${key.split('/')[1]}/${decodePairs(labels).get(label) ?? ''}`;
    this.#slices = new Reflector(api.store, 'endpointslices', {
      add: (slice) => {
        const of = keyOf(slice);
        const known = this.#byService.get(of) ?? new Map<string, StoredObject>();
        this.#byService.set(of, known.set(slice.key, slice));
      },
      remove: (slice) => {
        const of = keyOf(slice);
        const known = this.#byService.get(of);
        known?.delete(slice.key);
        if (known?.size === 0) this.#byService.delete(of);
      },
      clear: () => this.#byService.clear(),
    });
  }

  reset(): void {
    this.#slices.reset();
  }

  /** One that is ready to answer for the Service, or the address of the Service itself. Throws NoBackend. */
  find({ namespace, name, path = '', port = httpsPort }: WebhookService): Address {
    const serverName = `${name}.${namespace}.svc`;
    const authority = `${serverName}:${port}`;
    const at = `/${path.replace(/^\/+/, '')}`;
    const url = `https://${authority}${at}`;
    const refuse = (reason: string) => new NoBackend(url, reason);
    const service = this.service(namespace, name);
    if (!service) throw refuse(`service ${quote(name)} not found`);
    const { type, ports = [], clusterIP = '' } = service.spec;
    if (type === 'ExternalName') throw refuse(`unsupported service type ${quote(type)}`);
    const wanted = ports.find((one) => one.port === port);
    if (!wanted) throw refuse(`no service port ${port} found for service ${quote(name)}`);
    const ready = this.backends(namespace, name, wanted.name ?? '');
    const backend = ready[Math.floor(Math.random() * ready.length)];
    if (!backend && (clusterIP === '' || clusterIP === 'None')) {
      throw refuse(`no endpoints available for service ${quote(name)}`);
    }
    return { url, authority, path: at, serverName, ...(backend ?? { host: clusterIP, port }) };
  }

  service(namespace: string, name: string): Service | undefined {
    return this.#glance('services', namespace, name) as Service | undefined;
  }

  /** Whether the Service has EndpointSlices or Endpoints, even empty ones. */
  hasEndpoints(namespace: string, name: string): boolean {
    this.#slices.sync();
    return (
      this.#byService.has(`${namespace}/${name}`) || this.#glance('endpoints', namespace, name) !== undefined
    );
  }

  /** The ready endpoints of a Service for one of its ports: from EndpointSlices, else from Endpoints. */
  backends(namespace: string, name: string, portName: string): HostAndPort[] {
    const inSlices = this.#inSlices(namespace, name, portName);
    if (inSlices.length > 0) return inSlices;
    const { subsets = [] } = (this.#glance('endpoints', namespace, name) ?? {}) as Partial<Endpoints>;
    return subsets.flatMap(({ addresses = [], ports = [] }) => {
      const port = ports.find((one) => (one.name ?? '') === portName)?.port;
      return port === undefined ? [] : addresses.map(({ ip }) => ({ host: ip, port }));
    });
  }

  #glance(plural: string, namespace: string, name: string): ApiObject | undefined {
    const resource = this.#api.registry.kind('', 'v1', plural);
    const stored = this.#api.store.get(resource.key(namespace, name));
    return stored && decodeLazily(resource, stored);
  }

  #inSlices(namespace: string, name: string, portName: string): HostAndPort[] {
    this.#slices.sync();
    const { registry, dialect } = this.#api;
    const resource = registry.kind(dialect.groupName('discovery'), 'v1', 'endpointslices');
    return [...(this.#byService.get(`${namespace}/${name}`)?.values() ?? [])].flatMap((stored) => {
      const { endpoints = [], ports } = decodeLazily(resource, stored) as EndpointSlice;
      const port = ports?.find((one) => (one.name ?? '') === portName)?.port;
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
