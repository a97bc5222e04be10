// Serves /openapi/v2, /openapi/v3 and /openapi/v3/<group version>.
import type { Clock } from '../base/clock.ts';
import { apiRelease } from '../base/release.ts';
import type { Dialect } from '../dialect/dialect.ts';
import type { Features } from '../kind/features/features.ts';
import type { Registry } from '../kind/registry.ts';
import { headerOf } from '../request/http-request.ts';
import { choose } from '../serializers/negotiate.ts';
import { acceptsGzip, jsonType, sendWith, textType } from '../transport/answer.ts';
import { sendContent } from '../transport/content.ts';
import type { Exchange } from '../transport/exchange.ts';
import type { PathFamily, PathHandler } from '../transport/path-table.ts';
import type { OpenApiWorker } from './builder/custom/render.ts';
import type { DocumentFormat } from './builder/document-encoding.ts';
import { addressOf, OpenApiDocuments, plainBytes, type RemoteDescriptions } from './documents.ts';

const version2Path = '/openapi/v2';
const version3Path = '/openapi/v3';
const year = 365 * 24 * 60 * 60 * 1_000;

export interface OpenApiParts {
  readonly registry: Pick<Registry, 'resources' | 'builtIn'>;
  readonly dialect: Dialect;
  readonly features: Features;
  readonly clock: Clock;
  readonly others?: OtherServers;
  readonly elsewhere?: OpenApiWorker | undefined;
}

/** The aggregated API servers. */
export interface OtherServers {
  readonly announcements: RemoteDescriptions;
  /** Proxies a request for a document of theirs; undefined if it is none. */
  serveDescription(exchange: Exchange, name: string): Promise<void> | undefined;
}

export class OpenApi implements PathFamily {
  readonly #documents: OpenApiDocuments;
  readonly #clock: Clock;
  readonly #others: OtherServers | undefined;

  constructor({ registry, dialect, features, clock, others, elsewhere }: OpenApiParts) {
    const context = {
      dialect,
      release: apiRelease,
      cbor: features.enabled('CBORServingAndStorage'),
      publishEnums: features.enabled('OpenAPIEnums'),
    };
    this.#documents = new OpenApiDocuments(registry, context, clock, others?.announcements, elsewhere);
    this.#clock = clock;
    this.#others = others;
  }

  paths(): readonly string[] {
    return [version2Path, version3Path, `${version3Path}/`];
  }

  find(path: string): PathHandler | undefined {
    if (path === version2Path) return (exchange) => this.#sendVersion2(exchange);
    if (path === version3Path) return (exchange) => this.#sendIndex(exchange);
    if (!path.startsWith(`${version3Path}/`)) return undefined;
    const name = path.slice(version3Path.length + 1);
    return (exchange) => this.#others?.serveDescription(exchange, name) ?? this.#sendVersion3(exchange, name);
  }

  async #sendIndex(exchange: Exchange): Promise<void> {
    sendContent(exchange, {
      bytes: Buffer.from(await this.#documents.index()),
      modified: this.#clock.now(),
      headers: [],
      contentHeaders: ['Content-Type', textType],
    });
  }

  /** A document at a URL with the hash of its content never changes, so clients may cache it. */
  async #sendVersion3(exchange: Exchange, name: string): Promise<void> {
    const document = await this.#documents.version3(name);
    if (!document) {
      sendWith(exchange, 404, [], '');
      return;
    }
    const vary = ['Vary', 'Accept'];
    const form = formOf(exchange, 'v3');
    if (!form) {
      sendWith(exchange, 406, vary, '');
      return;
    }
    const { hash } = document;
    const asked = exchange.query.get('hash');
    if (asked && asked !== hash) {
      const headers = ['Content-Type', form.contentType, 'Etag', `"${hash}"`, ...vary];
      sendWith(exchange, 301, [...headers, 'Location', addressOf(name, hash)], '');
      return;
    }
    const expires = new Date(this.#clock.now() + year).toUTCString().replace('GMT', 'UTC');
    sendContent(exchange, {
      bytes: await plainBytes(document, form.name),
      etag: hash,
      modified: document.modified,
      headers: asked ? [...vary, 'Expires', expires] : vary,
      contentHeaders: ['Content-Type', form.contentType],
      ...(asked && { caching: 'public, immutable' }),
    });
  }

  async #sendVersion2(exchange: Exchange): Promise<void> {
    const vary = ['Vary', 'Accept-Encoding', 'Vary', 'Accept'];
    const form = formOf(exchange, 'v2');
    if (!form) {
      sendWith(exchange, 406, vary, '');
      return;
    }
    const document = await this.#documents.version2(form.name);
    const zipped = acceptsGzip(exchange);
    sendContent(exchange, {
      bytes: zipped ? await document.zipped(form.name) : await plainBytes(document, form.name),
      etag: document.hash,
      modified: document.modified,
      headers: vary,
      contentHeaders: ['Content-Type', form.contentType, ...(zipped ? ['Content-Encoding', 'gzip'] : [])],
    });
  }
}

interface AskedForm {
  readonly name: DocumentFormat;
  readonly contentType: string;
}

function protobufType(version: 'v2' | 'v3', separator: '.' | '@'): string {
  return `application/com.github.proto-openapi.spec.${version}${separator}v1.0+protobuf`;
}

/** The format that the client accepts; undefined if it accepts none. */
function formOf(exchange: Exchange, version: 'v2' | 'v3'): AskedForm | undefined {
  const types = [jsonType, protobufType(version, '.'), protobufType(version, '@')];
  const chosen = choose(headerOf(exchange, 'accept') || '*/*', { types });
  if (!chosen) return undefined;
  return chosen.type === jsonType
    ? { name: 'json', contentType: jsonType }
    : { name: 'protobuf', contentType: protobufType(version, '.') };
}
