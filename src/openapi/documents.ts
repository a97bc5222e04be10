// The OpenAPI v2 and v3 documents of a server, rebuilt when the served resources change.
import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import type { RemoteOpenApi } from '../aggregation/remote-openapi.ts';
import type { Clock } from '../base/clock.ts';
import { orchVersion } from '../base/version.ts';
import { groupBy } from '../discovery/discovery-documents.ts';
import type { Registry, ServedResource } from '../kind/registry.ts';
import { compareText } from '../kind/version-priority.ts';
import { AggregatedParts } from './aggregated-parts.ts';
import type { OpenApiWorker } from './builder/custom/render.ts';
import type { Document } from './builder/document.ts';
import type { DocumentFormat, Frame2 } from './builder/document-encoding.ts';
import { encodings2, encodings3 } from './builder/encoding.ts';
import { version3ToProtobuf } from './builder/protobuf/v3.ts';
import { type Parameter2, toVersion2 } from './builder/v2.ts';
import { type CompressedPart2, CustomResourceParts } from './custom-resource-parts.ts';
import { compressPart, joinParts } from './document-parts.ts';
import { type BuildDocument, type DocumentContext, documentBuilders, securitySchemes } from './v3.ts';

const compress = promisify(gzip);
const decompress = promisify(gunzip);

/** An OpenAPI document, available in each format. */
export interface OpenApiDocument {
  /** Changes with the content. */
  readonly hash: string;
  /** Milliseconds since the epoch. */
  readonly modifiedAtMs: number;
  gzipped(format: DocumentFormat): Promise<Buffer>;
}

export async function uncompressedBytes(document: OpenApiDocument, format: DocumentFormat): Promise<Buffer> {
  return decompress(await document.gzipped(format));
}

/** A v3 document of built-in kinds. It stays compressed in memory: documents are large and rarely requested. */
class CompressedDocument implements OpenApiDocument {
  readonly hash: string;
  readonly modifiedAtMs: number;
  readonly #json: Buffer;
  #protobuf: Promise<Buffer> | undefined;

  private constructor(hash: string, modifiedAtMs: number, json: Buffer) {
    this.hash = hash;
    this.modifiedAtMs = modifiedAtMs;
    this.#json = json;
  }

  static async of(document: Document, modifiedAtMs: number): Promise<CompressedDocument> {
    const json = JSON.stringify(document);
    return new CompressedDocument(hashOf([json]), modifiedAtMs, await compress(json));
  }

  async gzipped(format: DocumentFormat): Promise<Buffer> {
    if (format === 'json') return this.#json;
    this.#protobuf ??= uncompressedBytes(this, 'json').then((json) =>
      compress(version3ToProtobuf(JSON.parse(json.toString()) as Document)),
    );
    return this.#protobuf;
  }
}

function hashOf(texts: Iterable<string | Buffer>): string {
  const hash = createHash('sha512');
  for (const text of texts) hash.update(text);
  return hash.digest('hex').toUpperCase();
}

/**
 * Documents of built-in kinds are built at first use. Documents with custom resources are joined from parts: the encoded
 * and compressed paths and schemas of one resource, so that a new CustomResourceDefinition costs only its own part.
 */
export class OpenApiDocuments {
  readonly #registry: Pick<Registry, 'resources' | 'builtIn'>;
  readonly #context: DocumentContext;
  readonly #clock: Clock;
  readonly #custom: CustomResourceParts;
  readonly #remoteSource: RemoteOpenApiSource;
  readonly #aggregated = new AggregatedParts();
  /** The v2 definition names of the built-in kinds; complete once `#builtInParts` has resolved. */
  readonly #builtInDefinitionNames = new Set<string>();
  readonly #cached = new Map<string, Promise<OpenApiDocument>>();
  readonly #builtInPartsByFormat = new Map<DocumentFormat, Promise<readonly CompressedPart2[]>>();
  #builders: ReadonlyMap<string, BuildDocument> | undefined;
  #latest: CurrentDocuments | undefined;

  constructor(
    registry: Pick<Registry, 'resources' | 'builtIn'>,
    context: DocumentContext,
    clock: Clock,
    remotes: RemoteOpenApiSource = { openApi: [] },
    worker?: OpenApiWorker,
  ) {
    this.#registry = registry;
    this.#remoteSource = remotes;
    this.#context = context;
    this.#clock = clock;
    this.#custom = new CustomResourceParts(context, worker);
  }

  /** The v3 document of this name (`api/v1`, `apis/apps/v1`); undefined if there is none. */
  async version3(name: string): Promise<OpenApiDocument | undefined> {
    const build = this.#builtInBuilders.get(name);
    return build ? this.#cachedDocument(name, build) : this.#currentDocuments().custom.get(name);
  }

  /** The index at `/openapi/v3`: every document, with the hash of its content in the URL. */
  index(): Promise<string> {
    const documents = this.#currentDocuments();
    documents.index ??= this.#buildIndex(documents);
    return documents.index;
  }

  async #buildIndex({ custom, remotes }: CurrentDocuments): Promise<string> {
    const hashes = new Map([...custom].map(([name, { hash }]) => [name, hash]));
    for (const [name, build] of this.#builtInBuilders) {
      const { hash } = await this.#cachedDocument(name, build);
      hashes.set(name, hash);
    }
    const urls = new Map([...hashes].map(([name, hash]) => [name, documentUrl(name, hash)]));
    for (const { name, url } of remotes) if (url !== undefined) urls.set(name, url);
    const paths = [...urls]
      .sort(([a], [b]) => compareText(a, b))
      .map(([name, serverRelativeURL]) => [name, { serverRelativeURL }]);
    return JSON.stringify({ paths: Object.fromEntries(paths) });
  }

  /** The v2 document. */
  version2(format: DocumentFormat): Promise<OpenApiDocument> {
    const documents = this.#currentDocuments();
    documents.version2[format] ??= this.#buildVersion2(documents, format);
    return documents.version2[format];
  }

  async #buildVersion2(
    { resources, remotes }: CurrentDocuments,
    format: DocumentFormat,
  ): Promise<OpenApiDocument> {
    const parts = [...(await this.#builtInParts(format))];
    for (const resource of resources) {
      if (resource.definition.isCustom) parts.push(await this.#custom.version2(resource, format));
    }
    for (const remote of remotes) {
      const part = await this.#aggregated.compressedPart(remote, format, this.#builtInDefinitionNames);
      if (part) parts.push(part);
    }
    const parameters = new Map<string, Parameter2>();
    for (const part of parts)
      for (const [name, parameter] of part.parameters) parameters.set(name, parameter);
    const { dialect, release } = this.#context;
    const frame: Frame2 = {
      swagger: '2.0',
      info: { title: dialect.title, version: release },
      parameters: Object.fromEntries([...parameters].sort(([a], [b]) => compareText(a, b))),
      securityDefinitions: securitySchemes,
      security: [{ BearerToken: [] }],
    };
    const gzipped = await joinParts(encodings2[format], frame, parts);
    return { hash: hashOf([gzipped]), modifiedAtMs: this.#clock.now(), gzipped: async () => gzipped };
  }

  /** The v2 paths and definitions of each v3 document of built-in kinds. The first part with a definition keeps it. */
  #builtInParts(format: DocumentFormat): Promise<readonly CompressedPart2[]> {
    let parts = this.#builtInPartsByFormat.get(format);
    if (!parts) {
      parts = this.#buildBuiltInParts(format);
      this.#builtInPartsByFormat.set(format, parts);
    }
    return parts;
  }

  async #buildBuiltInParts(format: DocumentFormat): Promise<readonly CompressedPart2[]> {
    const definedNames = new Set<string>();
    const parts: CompressedPart2[] = [];
    for (const build of this.#builtInBuilders.values()) {
      // Each step takes long for the largest documents: other requests run in between.
      await setImmediate();
      const document = build();
      await setImmediate();
      const { paths, definitions, parameters } = toVersion2(document);
      await setImmediate();
      const newDefinitions = Object.entries(definitions).filter(([name]) => !definedNames.has(name));
      for (const [name] of newDefinitions) {
        definedNames.add(name);
        this.#builtInDefinitionNames.add(name);
      }
      parts.push({
        ...(await compressPart(encodings2[format], paths, Object.fromEntries(newDefinitions))),
        parameters,
      });
    }
    return parts;
  }

  /** The cached v3 document of this name, built at first use. */
  #cachedDocument(name: string, build: BuildDocument): Promise<OpenApiDocument> {
    let cached = this.#cached.get(name);
    if (!cached) {
      cached = this.#buildCompressed(build);
      this.#cached.set(name, cached);
    }
    return cached;
  }

  /** Yields to the event loop between the steps. */
  async #buildCompressed(build: BuildDocument): Promise<OpenApiDocument> {
    await setImmediate();
    const document = build();
    await setImmediate();
    return CompressedDocument.of(document, this.#clock.now());
  }

  get #builtInBuilders(): ReadonlyMap<string, BuildDocument> {
    this.#builders ??= documentBuilders(this.#registry.builtIn, this.#context);
    return this.#builders;
  }

  /** The documents for the current resources. They are replaced when these or the aggregated API servers change. */
  #currentDocuments(): CurrentDocuments {
    const { resources } = this.#registry;
    const { openApi: remotes } = this.#remoteSource;
    if (this.#latest?.resources !== resources) {
      const custom = this.#customDocuments(resources, this.#latest?.custom);
      this.#latest = { resources, remotes, custom, index: undefined, version2: {} };
    } else if (this.#latest.remotes !== remotes) {
      this.#latest = { ...this.#latest, remotes, index: undefined, version2: {} };
    }
    return this.#latest;
  }

  /** The v3 documents of custom resources, by name. An unchanged document keeps its modification time. */
  #customDocuments(
    resources: readonly ServedResource[],
    previous: ReadonlyMap<string, OpenApiDocument> | undefined,
  ): ReadonlyMap<string, OpenApiDocument> {
    const documents = new Map<string, OpenApiDocument>();
    const customResources = resources.filter(({ definition }) => definition.isCustom);
    for (const [apiVersion, members] of groupBy(customResources, (resource) => resource.apiVersion)) {
      const name = `apis/${apiVersion}`;
      const document = this.#customDocument(members);
      const old = previous?.get(name);
      const isUnchanged = old?.hash === document.hash;
      documents.set(name, isUnchanged ? { ...document, modifiedAtMs: old.modifiedAtMs } : document);
    }
    return documents;
  }

  /**
   * The v3 document of a group version of custom resources. Its hash depends only on their definitions, so the index can
   * contain it before the document is built.
   */
  #customDocument(members: readonly ServedResource[]): OpenApiDocument {
    const { dialect, publishEnums } = this.#context;
    const schemaStates = members.map(({ definition }) => definition.published?.state ?? '');
    const frame = {
      openapi: '3.0.0',
      info: { title: `${dialect.title} CRD Swagger`, version: 'v0.1.0' },
    } as const;
    return {
      hash: hashOf([orchVersion, dialect.name, String(publishEnums), ...schemaStates]),
      modifiedAtMs: this.#clock.now(),
      gzipped: async (format) =>
        joinParts(encodings3[format], frame, await this.#custom.version3(members, format)),
    };
  }
}

/** The OpenAPI of aggregated API servers. The list is replaced when it changes. */
export interface RemoteOpenApiSource {
  readonly openApi: readonly RemoteOpenApi[];
}

/** The documents for these served resources and aggregated API servers. */
interface CurrentDocuments {
  readonly resources: readonly ServedResource[];
  readonly remotes: readonly RemoteOpenApi[];
  /** The documents of custom resources, by name. */
  readonly custom: ReadonlyMap<string, OpenApiDocument>;
  index: Promise<string> | undefined;
  readonly version2: Partial<Record<DocumentFormat, Promise<OpenApiDocument>>>;
}

export function documentUrl(name: string, hash: string): string {
  return `/openapi/v3/${name}?hash=${hash}`;
}
