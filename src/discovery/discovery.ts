// Serves discovery at /api, /apis, /apis/GROUP and each group version: the legacy documents, and at /api and /apis aggregated
// discovery for clients that accept it.
import { createHash } from 'node:crypto';
import type { Preference } from '../aggregation/priorities.ts';
import type { RegisteredVersion, RegisteredVersions } from '../aggregation/registered-versions.ts';
import { preferredVersion } from '../apis/preferred-version.ts';
import type { Dialect } from '../dialect/dialect.ts';
import { methodNotAllowed, resourceNotServed } from '../errors/catalogue.ts';
import type { Features } from '../kind/features/features.ts';
import type { Registry, ServedResource } from '../kind/registry.ts';
import {
  isPrettyRequested,
  negotiate,
  negotiateAccept,
  type Representation,
} from '../serializers/negotiate.ts';
import type { ConversionTarget } from '../serializers/offer.ts';
import type { Exchange } from '../transport/exchange.ts';
import { encodeJson } from '../transport/json-text.ts';
import type { PathFamily, PathHandler } from '../transport/path-table.ts';
import { sendBytes, sendWithHeaders, writeHead } from '../transport/response.ts';
import {
  aggregatedGroups,
  type DiscoveredGroup,
  discoveredGroups,
  groupDocument,
  resourceListDocument,
} from './discovery-documents.ts';
import { discoveryBody } from './discovery-encoding.ts';

const aggregatedKind = 'APIGroupDiscoveryList';
const aggregatedVersion = 'v2';
const olderAggregatedVersion = 'v2beta1';

/** The aggregated discovery document of `/api` or `/apis`, in each served version of APIGroupDiscoveryList. */
interface AggregatedDocument {
  readonly etag: string;
  /** JSON by version, encoded at first use. */
  readonly jsonByVersion: ReadonlyMap<string, () => Buffer>;
}

/** The documents for one state of the registry and the APIServices, encoded at first use. */
interface EncodedDocuments {
  readonly resources: readonly ServedResource[];
  readonly registered: readonly RegisteredVersion[];
  readonly groups: ReadonlyMap<string, DiscoveredGroup>;
  /** The legacy documents, by path without a trailing slash. */
  readonly documents: ReadonlyMap<string, () => Buffer>;
  readonly aggregated: { api(): AggregatedDocument; apis(): AggregatedDocument };
}

export class Discovery implements PathFamily {
  readonly #registry: Pick<Registry, 'resources'>;
  readonly #discoveryGroup: string;
  readonly #aggregatedVersions: readonly string[];
  readonly #prefer: Preference | undefined;
  readonly #registeredVersions: Pick<RegisteredVersions, 'all'>;
  #encoded: EncodedDocuments | undefined;

  constructor(
    registry: Pick<Registry, 'resources'>,
    dialect: Dialect,
    features: Features,
    registeredVersions: Pick<RegisteredVersions, 'all'> = { all: [] },
  ) {
    this.#registry = registry;
    this.#registeredVersions = registeredVersions;
    this.#aggregatedVersions = features.enabled('AggregatedDiscoveryRemoveBetaType')
      ? [aggregatedVersion]
      : [aggregatedVersion, olderAggregatedVersion];
    this.#discoveryGroup = dialect.groupName('apidiscovery');
    this.#prefer = dialect.rules.newVersionsAreNotPreferred ? preferredVersion : undefined;
  }

  paths(): readonly string[] {
    return ['/api', '/apis', '/apis/', ...this.#current().documents.keys()];
  }

  /** Returns undefined for a path that another handler may serve, or none. */
  find(path: string): PathHandler | undefined {
    const trimmed = path.replace(/\/+$/, '');
    if (trimmed === '/api') return (exchange) => this.#sendRoot(exchange, 'api');
    if (trimmed === '/apis') {
      // Upstream's aggregator serves `/apis` and `/apis/`, without a route that ignores further slashes.
      return path.length > '/apis/'.length ? undefined : (exchange) => this.#sendRoot(exchange, 'apis');
    }
    const [, prefix, groupName = '', version] = trimmed.split('/');
    const { documents, groups } = this.#current();
    const document = documents.get(trimmed)?.();
    if (prefix === 'api') return (exchange) => sendDocument(exchange, document, { isResourceList: true });
    // The core group, whose name is empty, is served under /api only.
    const group = prefix === 'apis' && groupName !== '' ? groups.get(groupName) : undefined;
    if (!group) return undefined;
    // An unknown version of a group with only custom resources is not handled here.
    if (document === undefined && hasOnlyCustomResources(group)) return undefined;
    return (exchange) => sendDocument(exchange, document, { isResourceList: version !== undefined });
  }

  #sendRoot(exchange: Exchange, root: 'api' | 'apis'): void {
    if (root === 'api' && exchange.request.method !== 'GET') throw methodNotAllowed();
    const { aggregated, groups } = this.#current();
    const requested = this.#negotiateAggregated(exchange);
    if (requested?.target) {
      this.#sendAggregated(exchange, aggregated[root](), requested.target.version, requested);
      return;
    }
    const { plainTypes: mediaTypes } = exchange.serializers;
    const offer = root === 'api' ? { mediaTypes, routeTypes: mediaTypes } : { mediaTypes };
    const representation = negotiate(exchange, offer);
    const document = root === 'api' ? apiVersions(exchange, groups) : groupList(groups);
    sendEncoded(exchange, encode(document), representation);
  }

  /** Undefined unless the client accepts aggregated discovery. If it accepts both, it gets the aggregated document. */
  #negotiateAggregated(exchange: Exchange): Representation | undefined {
    const accept = exchange.request.headers.accept;
    if (!accept?.includes(aggregatedKind)) return undefined;
    const { plainTypes: mediaTypes } = exchange.serializers;
    return negotiateAccept(accept, {
      mediaTypes,
      isConvertedOnly: true,
      converts: (target) => this.#isAggregated(target),
    });
  }

  #isAggregated({ kind, group, version }: ConversionTarget): boolean {
    return (
      kind === aggregatedKind && group === this.#discoveryGroup && this.#aggregatedVersions.includes(version)
    );
  }

  #sendAggregated(
    exchange: Exchange,
    { etag, jsonByVersion }: AggregatedDocument,
    version: string,
    { mediaType, pretty }: Representation,
  ): void {
    const headers = ['Etag', etag, 'Vary', 'Accept'];
    if (exchange.request.headers['if-none-match'] === etag) {
      writeHead(exchange, 304, headers, 'public');
      exchange.response.end();
      return;
    }
    headers.push('Content-Type', `${mediaType};g=${this.#discoveryGroup};v=${version};as=${aggregatedKind}`);
    const representation = { mediaType, pretty: pretty || isPrettyRequested(exchange) };
    const document = jsonByVersion.get(version)!();
    exchange.audit?.setResponseObject(document);
    sendWithHeaders(exchange, 200, headers, discoveryBody(exchange, document, representation), 'public');
  }

  /** The documents of the current resources and APIServices. Both lists are replaced, never changed in place. */
  #current(): EncodedDocuments {
    const { resources } = this.#registry;
    const { all: registered } = this.#registeredVersions;
    if (this.#encoded?.resources !== resources || this.#encoded.registered !== registered) {
      this.#encoded = this.#encode(resources, registered);
    }
    return this.#encoded;
  }

  #encode(resources: readonly ServedResource[], registered: readonly RegisteredVersion[]): EncodedDocuments {
    const groups = discoveredGroups(resources, registered, this.#prefer);
    const documents = new Map<string, () => Buffer>();
    for (const group of groups) {
      const root = group.name === '' ? '/api' : `/apis/${group.name}`;
      if (group.name !== '') {
        documents.set(
          root,
          once(() => encode({ kind: 'APIGroup', apiVersion: 'v1', ...groupDocument(group) })),
        );
      }
      for (const version of group.versions) {
        if (version.resources.length === 0) continue;
        documents.set(
          `${root}/${version.name}`,
          once(() => encode(resourceListDocument(group.name, version))),
        );
      }
    }
    return {
      resources,
      registered,
      groups: new Map(groups.map((group) => [group.name, group])),
      documents,
      aggregated: {
        api: once(() => this.#aggregatedDocument(groups.filter(({ name }) => name === ''))),
        apis: once(() => this.#aggregatedDocument(groups.filter(({ name }) => name !== ''))),
      },
    };
  }

  #aggregatedDocument(groups: readonly DiscoveredGroup[]): AggregatedDocument {
    const items = aggregatedGroups(groups);
    const jsonByVersion = new Map<string, () => Buffer>();
    for (const version of this.#aggregatedVersions) {
      const apiVersion = `${this.#discoveryGroup}/${version}`;
      jsonByVersion.set(
        version,
        once(() => encode({ kind: aggregatedKind, apiVersion, metadata: {}, items })),
      );
    }
    const json = jsonByVersion.get(aggregatedVersion)!();
    const digest = createHash('sha512').update(json).digest('hex').toUpperCase();
    return { etag: `"${digest}"`, jsonByVersion };
  }
}

function hasOnlyCustomResources({ versions }: DiscoveredGroup): boolean {
  return versions.every(({ resources }) => resources.every(({ definition }) => definition.isCustom));
}

/** Responds with 404 if the document is undefined. */
function sendDocument(
  exchange: Exchange,
  document: Buffer | undefined,
  { isResourceList }: { isResourceList: boolean },
): void {
  if (document === undefined) throw resourceNotServed();
  if (isResourceList && exchange.request.method !== 'GET') throw methodNotAllowed();
  // An APIResourceList offers the media types of the resources themselves.
  const { plainTypes: mediaTypes, mediaTypes: routeTypes } = exchange.serializers;
  const representation = negotiate(exchange, isResourceList ? { mediaTypes, routeTypes } : { mediaTypes });
  sendEncoded(exchange, document, representation);
}

function sendEncoded(exchange: Exchange, document: Buffer, representation: Representation): void {
  exchange.audit?.setResponseObject(document);
  sendBytes(exchange, 200, representation.mediaType, discoveryBody(exchange, document, representation));
}

/** Builds a value at first use and caches it. */
function once<T extends object>(make: () => T): () => T {
  let value: T | undefined;
  return () => {
    value ??= make();
    return value;
  };
}

function encode(document: object): Buffer {
  return Buffer.from(`${encodeJson(document)}\n`);
}

function apiVersions(exchange: Exchange, groups: ReadonlyMap<string, DiscoveredGroup>): object {
  const { localAddress = '', localPort = 0 } = exchange.request.socket ?? {};
  const host = localAddress.includes(':') ? `[${localAddress}]` : localAddress;
  return {
    kind: 'APIVersions',
    versions: groups.get('')?.versions.map(({ name }) => name) ?? [],
    serverAddressByClientCIDRs: [{ clientCIDR: '0.0.0.0/0', serverAddress: `${host}:${localPort}` }],
  };
}

function groupList(groups: ReadonlyMap<string, DiscoveredGroup>): object {
  const namedGroups = [...groups.values()].filter(({ name }) => name !== '');
  return { kind: 'APIGroupList', apiVersion: 'v1', groups: namedGroups.map(groupDocument) };
}
