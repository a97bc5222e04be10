/** Reads and verifies a backup file (format.ts) as a stream; throws BackupError if it is damaged. */
import { createHash } from 'node:crypto';
import { createReadStream, type ReadStream } from 'node:fs';
import { InvalidKey } from '../store.ts';
import {
  type BackedUpObject,
  BackupError,
  type BackupHeader,
  parseEntryOrEnd,
  parseHeader,
  toBackedUpObject,
} from './format.ts';

/** A backup that was read to the end and verified. */
export interface Backup extends BackupHeader {
  readonly file: string;
  readonly objects: number;
  /** The largest object: its key and approximate size including labels and fields. */
  readonly largest: { readonly key: string; readonly bytes: number };
}

/** Verifies the whole file before anything is restored, so that a damaged backup is never partly restored. */
export async function verifyBackup(file: string, onProgress: (objects: number) => void): Promise<Backup> {
  const reader = new BackupReader(file);
  const header = await reader.readHeader();
  let largest = { key: '', bytes: 0 };
  let objects = 0;
  for await (const { object } of reader.readObjects(header)) {
    objects++;
    const { key, json, labels, selectableFields } = object;
    const bytes = json.length + Buffer.byteLength(JSON.stringify(labels + selectableFields));
    if (bytes > largest.bytes) largest = { key, bytes };
    if (objects % 1_000 === 0) onProgress(objects);
  }
  return { ...header, file, objects, largest };
}

/** The objects of a verified backup. Throws at the end if the file has changed since. */
export async function* readObjects({
  file,
  revision,
}: Backup): AsyncGenerator<BackedUpObject, void, undefined> {
  const reader = new BackupReader(file);
  yield* reader.readObjects(await reader.readHeader(), revision);
}

/** Bytes per read. */
const CHUNK_BYTES = 256 * 1024;
/** Labels and selectable fields may be as large as the largest object. */
const MAX_LINE_BYTES = 16 * 1024 * 1024;
const NEWLINE = 10;

class BackupReader {
  readonly #file: string;
  readonly #hash = createHash('sha256');
  readonly #stream: ReadStream;
  readonly #chunks: AsyncIterator<Buffer>;
  /** Bytes that were read from the file but not consumed. */
  #buffered: Buffer = Buffer.alloc(0);

  constructor(file: string) {
    this.#file = file;
    this.#stream = createReadStream(file, { highWaterMark: CHUNK_BYTES });
    this.#chunks = this.#stream[Symbol.asyncIterator]();
  }

  readHeader(): Promise<BackupHeader> {
    return this.#withFileName(async () => {
      const line = await this.#readLine();
      this.#hash.update(line);
      return parseHeader(line.toString());
    });
  }

  /** `verifiedRevision`: the revision of the header when the file was verified. */
  async *readObjects(
    header: BackupHeader,
    verifiedRevision = header.revision,
  ): AsyncGenerator<BackedUpObject, void, undefined> {
    if (header.revision !== verifiedRevision) throw this.#backupError('it changed after it was verified');
    let previousKey = Buffer.alloc(0);
    try {
      for (let count = 0; ; count++) {
        const next = await this.#withFileName(() => this.#readObject(count, header));
        if (!next) return;
        const key = Buffer.from(next.object.key);
        if (Buffer.compare(key, previousKey) <= 0)
          throw this.#backupError(`the object ${next.object.key} is out of order`);
        previousKey = key;
        yield next;
      }
    } finally {
      this.#stream.destroy();
    }
  }

  /** The next object. Returns undefined at the end of the file, after verifying the number of objects and the digest. */
  async #readObject(count: number, { revision }: BackupHeader): Promise<BackedUpObject | undefined> {
    const line = await this.#readLine();
    const entryOrEnd = parseEntryOrEnd(line.toString());
    if ('sha256' in entryOrEnd) {
      if (entryOrEnd.objects !== count || entryOrEnd.sha256 !== this.#hash.digest('hex'))
        throw new BackupError('its SHA-256 digest does not match');
      if (this.#buffered.length > 0 || !(await this.#chunks.next()).done)
        throw new BackupError('there is data after its last line');
      return undefined;
    }
    const entry = entryOrEnd;
    if (entry.revision > revision)
      throw new BackupError(`the object ${entry.key} is newer than revision ${revision}`);
    this.#hash.update(line);
    const json = await this.#readBytes(entry.bytes + 1);
    this.#hash.update(json);
    if (json[entry.bytes] !== NEWLINE) throw new BackupError(`the object ${entry.key} has the wrong length`);
    return toBackedUpObject(entry, json.subarray(0, entry.bytes));
  }

  /** The next line, including the newline. */
  async #readLine(): Promise<Buffer> {
    for (let searchedBytes = 0; ; ) {
      const end = this.#buffered.indexOf(NEWLINE, searchedBytes);
      if (end >= 0) return this.#readBytes(end + 1);
      searchedBytes = this.#buffered.length;
      if (searchedBytes > MAX_LINE_BYTES)
        throw new BackupError('it is not a backup of Orch: a line is too long');
      await this.#fillBuffer(searchedBytes + 1);
    }
  }

  async #readBytes(length: number): Promise<Buffer> {
    await this.#fillBuffer(length);
    const bytes = this.#buffered.subarray(0, length);
    this.#buffered = this.#buffered.subarray(length);
    return bytes;
  }

  /** Buffers at least `length` bytes. */
  async #fillBuffer(length: number): Promise<void> {
    if (this.#buffered.length >= length) return;
    const chunks = [this.#buffered];
    let bytes = this.#buffered.length;
    while (bytes < length) {
      const { done, value } = await this.#chunks.next();
      if (done) throw new BackupError('it is incomplete: it was not finished, or it was truncated');
      chunks.push(value);
      bytes += value.length;
    }
    this.#buffered = Buffer.concat(chunks, bytes);
  }

  /** Adds the name of the file to errors, and closes it. */
  async #withFileName<T>(read: () => Promise<T>): Promise<T> {
    try {
      return await read();
    } catch (error) {
      this.#stream.destroy();
      if (error instanceof BackupError || error instanceof InvalidKey) throw this.#backupError(error.message);
      throw error;
    }
  }

  #backupError(reason: string): BackupError {
    return new BackupError(`${this.#file} cannot be restored: ${reason}`);
  }
}
