// OpenAPI documents, rebuilt when the served resources change.
import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import type { RemoteDescription } from '../aggregation/remote-openapi.ts';
import type { Clock } from '../base/clock.ts';
import { orchVersion } from '../base/version.ts';
import { groupBy } from '../discovery/discovery-documents.ts';
import type { Registry, ServedResource } from '../kind/registry.ts';
import { compareText } from '../kind/version-priority.ts';
import type { OpenApiWorker } from './builder/custom/render.ts';
import type { Document } from './builder/document.ts';
import type { DocumentFormat, Frame2 } from './builder/document-encoding.ts';
import { encodings2, encodings3 } from './builder/encoding.ts';
import { version3ToProtobuf } from './builder/protobuf/v3.ts';
import { type Parameter2, toVersion2 } from './builder/v2.ts';
import { CustomPieces, type Piece2 } from './custom-pieces.ts';
import { ForeignPieces } from './foreign-pieces.ts';
import { joinPieces, makePiece } from './pieces.ts';
import { type DocumentContext, documentMakers, type MakeDocument, securitySchemes } from './v3.ts';

const compress = promisify(gzip);
const decompress = promisify(gunzip);

/** A document in all formats. */
export interface OpenApiDocument {
  readonly hash: string;
  readonly modified: number;
  zipped(form: DocumentFormat): Promise<Buffer>;
}

export async function plainBytes(document: OpenApiDocument, form: DocumentFormat): Promise<Buffer> {
  return decompress(await document.zipped(form));
}

/** A document, kept compressed: documents are large and rarely requested. */
class KeptDocument implements OpenApiDocument {
  readonly hash: string;
  readonly modified: number;
  readonly #json: Buffer;
  #protobuf: Promise<Buffer> | undefined;

  private constructor(hash: string, modified: number, json: Buffer) {
    this.hash = hash;
    this.modified = modified;
    this.#json = json;
  }

  static async of(document: Document, modified: number): Promise<KeptDocument> {
    const json = JSON.stringify(document);
    return new KeptDocument(hashOf([json]), modified, await compress(json));
  }

  async zipped(form: DocumentFormat): Promise<Buffer> {
    if (form === 'json') return this.#json;
    this.#protobuf ??= plainBytes(this, 'json').then((json) =>
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
 * The OpenAPI documents of a server. Those of built-in kinds are built at first use. Those of custom resources are
 * joined from parts, one for each resource, so that another resource costs only its own part.
 */
export class OpenApiDocuments {
  readonly #registry: Pick<Registry, 'resources' | 'builtIn'>;
  readonly #context: DocumentContext;
  readonly #clock: Clock;
  readonly #custom: CustomPieces;
  readonly #others: RemoteDescriptions;
  readonly #foreign = new ForeignPieces();
  /** The definition names of the built-in kinds. */
  readonly #definitions = new Set<string>();
  readonly #kept = new Map<string, Promise<OpenApiDocument>>();
  readonly #ownPieces = new Map<DocumentFormat, Promise<readonly Piece2[]>>();
  #makers: ReadonlyMap<string, MakeDocument> | undefined;
  #state: State | undefined;

  constructor(
    registry: Pick<Registry, 'resources' | 'builtIn'>,
    context: DocumentContext,
    clock: Clock,
    others: RemoteDescriptions = { descriptions: [] },
    elsewhere?: OpenApiWorker,
  ) {
    this.#registry = registry;
    this.#others = others;
    this.#context = context;
    this.#clock = clock;
    this.#custom = new CustomPieces(context, elsewhere);
  }

  /** The v3 document of `api/v1`, `apis/apps/v1` and so on. */
  async version3(name: string): Promise<OpenApiDocument | undefined> {
    const make = this.#own.get(name);
    return make ? this.#keep(name, make) : this.#current().custom.get(name);
  }

  /** The index at `/openapi/v3`: every document, with the hash of its content in the URL. */
  index(): Promise<string> {
    const state = this.#current();
    state.index ??= this.#makeIndex(state);
    return state.index;
  }

  async #makeIndex(state: State): Promise<string> {
    const hashes = new Map([...state.custom].map(([name, { hash }]) => [name, hash]));
    for (const [name, make] of this.#own) hashes.set(name, (await this.#keep(name, make)).hash);
    const addresses = new Map([...hashes].map(([name, hash]) => [name, addressOf(name, hash)]));
    for (const { name, address } of state.others) if (address !== undefined) addresses.set(name, address);
    const paths = [...addresses]
      .sort(([a], [b]) => compareText(a, b))
      .map(([name, serverRelativeURL]) => [name, { serverRelativeURL }]);
    return JSON.stringify({ paths: Object.fromEntries(paths) });
  }

  /** The v2 document. */
  version2(form: DocumentFormat): Promise<OpenApiDocument> {
    const state = this.#current();
    state.version2[form] ??= this.#makeVersion2(state, form);
    return state.version2[form];
  }

  async #makeVersion2({ of, others }: State, form: DocumentFormat): Promise<OpenApiDocument> {
    const pieces = [...(await this.#piecesOfOwn(form))];
    for (const resource of of) {
      if (resource.definition.isCustom) pieces.push(await this.#custom.version2(resource, form));
    }
    for (const described of others) {
      const piece = await this.#foreign.of(described, form, this.#definitions);
      if (piece) pieces.push(piece);
    }
    const parameters = new Map<string, Parameter2>();
    for (const piece of pieces) for (const [name, one] of piece.parameters) parameters.set(name, one);
    const { dialect, release } = this.#context;
    const frame: Frame2 = {
      swagger: '2.0',
      info: { title: dialect.title, version: release },
      parameters: Object.fromEntries([...parameters].sort(([a], [b]) => compareText(a, b))),
      securityDefinitions: securitySchemes,
      security: [{ BearerToken: [] }],
    };
    const zipped = await joinPieces(encodings2[form], frame, pieces);
    return { hash: hashOf([zipped]), modified: this.#clock.now(), zipped: async () => zipped };
  }

  /** The built-in kinds in v2, a part for each v3 document. A schema belongs to the first part that has it. */
  #piecesOfOwn(form: DocumentFormat): Promise<readonly Piece2[]> {
    let pieces = this.#ownPieces.get(form);
    if (!pieces) {
      pieces = this.#makePiecesOfOwn(form);
      this.#ownPieces.set(form, pieces);
    }
    return pieces;
  }

  async #makePiecesOfOwn(form: DocumentFormat): Promise<readonly Piece2[]> {
    const known = new Set<string>();
    const pieces: Piece2[] = [];
    for (const make of this.#own.values()) {
      // The largest documents take a while in each step.
      await setImmediate();
      const document = make();
      await setImmediate();
      const { paths, definitions, parameters } = toVersion2(document);
      await setImmediate();
      const added = Object.entries(definitions).filter(([name]) => !known.has(name));
      for (const [name] of added) {
        known.add(name);
        this.#definitions.add(name);
      }
      pieces.push({ ...(await makePiece(encodings2[form], paths, Object.fromEntries(added))), parameters });
    }
    return pieces;
  }

  /** Builds a document unless it is cached. */
  #keep(name: string, make: MakeDocument): Promise<OpenApiDocument> {
    let kept = this.#kept.get(name);
    if (!kept) {
      kept = this.#make(make);
      this.#kept.set(name, kept);
    }
    return kept;
  }

  /** One step at a time, so that other requests can run in between. */
  async #make(make: MakeDocument): Promise<OpenApiDocument> {
    await setImmediate();
    const document = make();
    await setImmediate();
    return KeptDocument.of(document, this.#clock.now());
  }

  get #own(): ReadonlyMap<string, MakeDocument> {
    this.#makers ??= documentMakers(this.#registry.builtIn, this.#context);
    return this.#makers;
  }

  #current(): State {
    const { resources } = this.#registry;
    const { descriptions: others } = this.#others;
    if (this.#state?.of !== resources) {
      const before = this.#state?.custom;
      const custom = new Map<string, OpenApiDocument>();
      const learnt = resources.filter(({ definition }) => definition.isCustom);
      for (const [apiVersion, members] of groupBy(learnt, (resource) => resource.apiVersion)) {
        const name = `apis/${apiVersion}`;
        const document = this.#customDocument(members);
        const known = before?.get(name);
        custom.set(
          name,
          known?.hash === document.hash ? { ...document, modified: known.modified } : document,
        );
      }
      this.#state = { of: resources, others, custom, index: undefined, version2: {} };
    } else if (this.#state.others !== others) {
      this.#state = { ...this.#state, others, index: undefined, version2: {} };
    }
    return this.#state;
  }

  /**
   * A document of custom resources. Its hash depends on the state of their definitions, so it is known before the
   * document is built.
   */
  #customDocument(members: readonly ServedResource[]): OpenApiDocument {
    const { dialect, publishEnums } = this.#context;
    const states = members.map(({ definition }) => definition.published?.state ?? '');
    const frame = {
      openapi: '3.0.0',
      info: { title: `${dialect.title} CRD Swagger`, version: 'v0.1.0' },
    } as const;
    return {
      hash: hashOf([orchVersion, dialect.name, String(publishEnums), ...states]),
      modified: this.#clock.now(),
      zipped: async (form) => joinPieces(encodings3[form], frame, await this.#custom.version3(members, form)),
    };
  }
}

/** The OpenAPI of aggregated API servers: a new list after every change. */
export interface RemoteDescriptions {
  readonly descriptions: readonly RemoteDescription[];
}

/** The documents for one state of the registry. */
interface State {
  readonly of: readonly ServedResource[];
  readonly others: readonly RemoteDescription[];
  /** The documents of custom resources, by name. */
  readonly custom: ReadonlyMap<string, OpenApiDocument>;
  index: Promise<string> | undefined;
  readonly version2: Partial<Record<DocumentFormat, Promise<OpenApiDocument>>>;
}

export function addressOf(name: string, hash: string): string {
  return `/openapi/v3/${name}?hash=${hash}`;
}
