import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import type { Clock } from '../clock.ts';
import type { Registry, ServedResource } from '../resource/registry.ts';
import type { Document } from './document.ts';
import { version2ToProtobuf } from './protobuf/v2.ts';
import { version3ToProtobuf } from './protobuf/v3.ts';
import { toVersion2 } from './v2.ts';
import { type DocumentContext, documentMakers, type MakeDocument } from './v3.ts';

const compress = promisify(gzip);
const decompress = promisify(gunzip);

/** A document, kept small: documents are large, and seldom asked for. */
export class KeptDocument {
  readonly hash: string;
  readonly modified: number;
  readonly zippedJson: Buffer;
  readonly #toProtobuf: (document: never) => Buffer;
  #zippedProtobuf: Promise<Buffer> | undefined;

  private constructor(
    hash: string,
    modified: number,
    zippedJson: Buffer,
    toProtobuf: (document: never) => Buffer,
  ) {
    this.hash = hash;
    this.modified = modified;
    this.zippedJson = zippedJson;
    this.#toProtobuf = toProtobuf;
  }

  static async of<D extends object>(
    document: D,
    modified: number,
    toProtobuf: (document: D) => Buffer,
  ): Promise<KeptDocument> {
    const json = JSON.stringify(document);
    const hash = createHash('sha512').update(json).digest('hex').toUpperCase();
    return new KeptDocument(hash, modified, await compress(json), toProtobuf);
  }

  json(): Promise<Buffer> {
    return decompress(this.zippedJson);
  }

  async protobuf(): Promise<Buffer> {
    return decompress(await this.zippedProtobuf());
  }

  zippedProtobuf(): Promise<Buffer> {
    this.#zippedProtobuf ??= this.json().then((json) =>
      compress(this.#toProtobuf(JSON.parse(json.toString()) as never)),
    );
    return this.#zippedProtobuf;
  }
}

/** The OpenAPI documents of a server, each made when it is first asked for. They follow what is served. */
export class OpenApiDocuments {
  readonly #registry: Pick<Registry, 'resources'>;
  readonly #context: DocumentContext;
  readonly #clock: Clock;
  #state: State | undefined;

  constructor(registry: Pick<Registry, 'resources'>, context: DocumentContext, clock: Clock) {
    this.#registry = registry;
    this.#context = context;
    this.#clock = clock;
  }

  /** The v3 document of `api/v1`, `apis/apps/v1` and so on. */
  async version3(name: string): Promise<KeptDocument | undefined> {
    const state = this.#current();
    const make = state.makers.get(name);
    return make && this.#keep(state, name, make);
  }

  /** JSON of `/openapi/v3`: names every document, with the hash of its content in its address. */
  index(): Promise<string> {
    const state = this.#current();
    state.index ??= this.#makeIndex(state);
    return state.index;
  }

  async #makeIndex(state: State): Promise<string> {
    const paths: Record<string, { serverRelativeURL: string }> = {};
    for (const [name, make] of state.makers) {
      const { hash } = await this.#keep(state, name, make);
      paths[name] = { serverRelativeURL: addressOf(name, hash) };
    }
    return JSON.stringify({ paths });
  }

  version2(): Promise<KeptDocument> {
    const state = this.#current();
    state.version2 ??= this.#makeVersion2(state);
    return state.version2;
  }

  async #makeVersion2({ makers }: State): Promise<KeptDocument> {
    const documents: Document[] = [];
    for (const make of makers.values()) {
      await setImmediate();
      documents.push(make());
    }
    return KeptDocument.of(toVersion2(documents), this.#clock.now(), version2ToProtobuf);
  }

  /** Makes one document at a time, so that other requests have their turn in between. */
  async #keep(state: State, name: string, make: MakeDocument): Promise<KeptDocument> {
    let kept = state.kept.get(name);
    if (!kept) {
      kept = setImmediate().then(() => KeptDocument.of(make(), this.#clock.now(), version3ToProtobuf));
      state.kept.set(name, kept);
    }
    return kept;
  }

  #current(): State {
    const { resources } = this.#registry;
    if (this.#state?.of !== resources) {
      const makers = documentMakers(resources, this.#context);
      this.#state = { of: resources, makers, kept: new Map(), index: undefined, version2: undefined };
    }
    return this.#state;
  }
}

/** What was made of one state of the registry. */
interface State {
  readonly of: readonly ServedResource[];
  readonly makers: ReadonlyMap<string, MakeDocument>;
  readonly kept: Map<string, Promise<KeptDocument>>;
  index: Promise<string> | undefined;
  version2: Promise<KeptDocument> | undefined;
}

export function addressOf(name: string, hash: string): string {
  return `/openapi/v3/${name}?hash=${hash}`;
}
