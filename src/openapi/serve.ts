// Serves /openapi/v2, /openapi/v3 and /openapi/v3/<group version>.
import type { Clock } from '../base/clock.ts';
import { apiRelease } from '../base/release.ts';
import type { Dialect } from '../dialect/dialect.ts';
import type { Features } from '../kind/features/features.ts';
import type { Registry } from '../kind/registry.ts';
import { negotiateAccept } from '../serializers/negotiate.ts';
import { sendContent } from '../transport/content.ts';
import type { Exchange } from '../transport/exchange.ts';
import type { PathFamily, PathHandler } from '../transport/path-table.ts';
import { acceptsGzip, jsonType, sendWithHeaders, textType } from '../transport/response.ts';
import type { OpenApiWorker } from './builder/custom/render.ts';
import type { DocumentFormat } from './builder/document-encoding.ts';
import { documentUrl, OpenApiDocuments, type RemoteOpenApiSource, uncompressedBytes } from './documents.ts';

const version2Path = '/openapi/v2';
const version3Path = '/openapi/v3';
const yearMs = 365 * 24 * 60 * 60 * 1_000;

/** The parts of the server that OpenAPI describes or needs. */
export interface OpenApiDependencies {
  readonly registry: Pick<Registry, 'resources' | 'builtIn'>;
  readonly dialect: Dialect;
  readonly features: Features;
  readonly clock: Clock;
  readonly aggregated?: AggregatedOpenApi;
  readonly worker?: OpenApiWorker | undefined;
}

/** The aggregated API servers. */
export interface AggregatedOpenApi {
  readonly registeredVersions: RemoteOpenApiSource;
  /** Proxies a request for the v3 document of this name (`apis/apps/v1`); returns undefined if this server has to serve it. */
  serveOpenApi(exchange: Exchange, name: string): Promise<void> | undefined;
}

export class OpenApi implements PathFamily {
  readonly #documents: OpenApiDocuments;
  readonly #clock: Clock;
  readonly #aggregated: AggregatedOpenApi | undefined;

  constructor({ registry, dialect, features, clock, aggregated, worker }: OpenApiDependencies) {
    const context = {
      dialect,
      release: apiRelease,
      cbor: features.enabled('CBORServingAndStorage'),
      publishEnums: features.enabled('OpenAPIEnums'),
    };
    this.#documents = new OpenApiDocuments(registry, context, clock, aggregated?.registeredVersions, worker);
    this.#clock = clock;
    this.#aggregated = aggregated;
  }

  paths(): readonly string[] {
    return [version2Path, version3Path, `${version3Path}/`];
  }

  find(path: string): PathHandler | undefined {
    if (path === version2Path) return (exchange) => this.#sendVersion2(exchange);
    if (path === version3Path) return (exchange) => this.#sendIndex(exchange);
    if (!path.startsWith(`${version3Path}/`)) return undefined;
    const name = path.slice(version3Path.length + 1);
    return (exchange) => this.#aggregated?.serveOpenApi(exchange, name) ?? this.#sendVersion3(exchange, name);
  }

  async #sendIndex(exchange: Exchange): Promise<void> {
    sendContent(exchange, {
      bytes: Buffer.from(await this.#documents.index()),
      modifiedAtMs: this.#clock.now(),
      headers: [],
      contentHeaders: ['Content-Type', textType],
    });
  }

  /** A URL with the current hash never changes its content, so clients may cache it; one with another hash is redirected. */
  async #sendVersion3(exchange: Exchange, name: string): Promise<void> {
    const document = await this.#documents.version3(name);
    if (!document) {
      sendWithHeaders(exchange, 404, [], '');
      return;
    }
    const vary = ['Vary', 'Accept'];
    const format = negotiateFormat(exchange, 'v3');
    if (!format) {
      sendWithHeaders(exchange, 406, vary, '');
      return;
    }
    const { hash } = document;
    const requestedHash = exchange.query.get('hash');
    if (requestedHash && requestedHash !== hash) {
      const headers = ['Content-Type', format.contentType, 'Etag', `"${hash}"`, ...vary];
      sendWithHeaders(exchange, 301, [...headers, 'Location', documentUrl(name, hash)], '');
      return;
    }
    const expires = new Date(this.#clock.now() + yearMs).toUTCString().replace('GMT', 'UTC');
    sendContent(exchange, {
      bytes: await uncompressedBytes(document, format.name),
      etag: hash,
      modifiedAtMs: document.modifiedAtMs,
      headers: requestedHash ? [...vary, 'Expires', expires] : vary,
      contentHeaders: ['Content-Type', format.contentType],
      ...(requestedHash && { cacheControl: 'public, immutable' }),
    });
  }

  async #sendVersion2(exchange: Exchange): Promise<void> {
    const vary = ['Vary', 'Accept-Encoding', 'Vary', 'Accept'];
    const format = negotiateFormat(exchange, 'v2');
    if (!format) {
      sendWithHeaders(exchange, 406, vary, '');
      return;
    }
    const document = await this.#documents.version2(format.name);
    const gzipped = acceptsGzip(exchange);
    sendContent(exchange, {
      bytes: gzipped ? await document.gzipped(format.name) : await uncompressedBytes(document, format.name),
      etag: document.hash,
      modifiedAtMs: document.modifiedAtMs,
      headers: vary,
      contentHeaders: ['Content-Type', format.contentType, ...(gzipped ? ['Content-Encoding', 'gzip'] : [])],
    });
  }
}

interface NegotiatedFormat {
  readonly name: DocumentFormat;
  readonly contentType: string;
}

/** Clients may request both spellings, with `.` and with `@`; responses have the one with `.`. */
function protobufType(version: 'v2' | 'v3', separator: '.' | '@'): string {
  return `application/com.github.proto-openapi.spec.${version}${separator}v1.0+protobuf`;
}

/** The format that the client accepts; undefined if it accepts none. */
function negotiateFormat(exchange: Exchange, version: 'v2' | 'v3'): NegotiatedFormat | undefined {
  const mediaTypes = [jsonType, protobufType(version, '.'), protobufType(version, '@')];
  const representation = negotiateAccept(exchange.request.headers.accept || '*/*', { mediaTypes });
  if (!representation) return undefined;
  return representation.mediaType === jsonType
    ? { name: 'json', contentType: jsonType }
    : { name: 'protobuf', contentType: protobufType(version, '.') };
}
