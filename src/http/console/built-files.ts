// The built files of the web console: from dist/console/, from the assets of the single executable, or, in a checkout, built by
// esbuild at the first request.
//
// Nothing is read or built before the first request of the console.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** A file as clients get it. */
export interface ConsoleFile {
  readonly contentType: string;
  readonly etag: string;
  /** Its name has a hash of its content, so that it never changes. */
  readonly isImmutable: boolean;
  /** The content by content coding: `identity`, and `br` and `gzip` where they are smaller. */
  readonly bodies: ReadonlyMap<string, Buffer>;
}

/** manifest.json of a build: each file with its type and its compressed copies. */
interface Manifest {
  readonly files: Readonly<Record<string, ManifestEntry>>;
}

interface ManifestEntry {
  readonly contentType: string;
  readonly etag: string;
  readonly immutable?: boolean;
  readonly encodings: Readonly<Record<string, string>>;
}

type ReadBuiltFile = (name: string) => Promise<Buffer>;

/** The URL of every module of the single executable (scripts/build-executable.ts). */
const executableUrl = 'file:///orch/main.js';

export class ConsoleFiles {
  #reading: Promise<ReadBuiltFile> | undefined;
  #manifest: Promise<Manifest> | undefined;
  readonly #files = new Map<string, Promise<ConsoleFile>>();

  /** Undefined if the console has no such file. */
  async find(name: string): Promise<ConsoleFile | undefined> {
    const loaded = this.#files.get(name);
    if (loaded) return loaded;
    const { files } = await this.#readManifest();
    if (!Object.hasOwn(files, name)) return undefined;
    const file = this.#load(files[name]!);
    this.#files.set(name, file);
    return file;
  }

  #readManifest(): Promise<Manifest> {
    this.#reading ??= openBuiltFiles();
    this.#manifest ??= this.#reading
      .then((read) => read('manifest.json'))
      .then((bytes) => JSON.parse(bytes.toString()) as Manifest);
    return this.#manifest;
  }

  async #load({ contentType, etag, immutable = false, encodings }: ManifestEntry): Promise<ConsoleFile> {
    const read = await this.#reading!;
    const bodies = await Promise.all(
      Object.entries(encodings).map(async ([coding, name]) => [coding, await read(name)] as const),
    );
    return { contentType, etag, isImmutable: immutable, bodies: new Map(bodies) };
  }
}

async function openBuiltFiles(): Promise<ReadBuiltFile> {
  if (import.meta.url === executableUrl) {
    const { getRawAsset } = await import('node:sea');
    return async (name) => Buffer.from(getRawAsset(`console/${name}`) as ArrayBuffer);
  }
  const folder = import.meta.url.endsWith('.ts')
    ? await buildFromSource()
    : fileURLToPath(new URL('./console/', import.meta.url));
  return (name) => readFile(join(folder, name));
}

/** The module is named at run time: the bundle of the server must not contain esbuild. */
async function buildFromSource(): Promise<string> {
  const builder = new URL('../../../console/build.ts', import.meta.url).href;
  const { buildConsoleForSource } = (await import(builder)) as { buildConsoleForSource(): Promise<string> };
  return buildConsoleForSource();
}
