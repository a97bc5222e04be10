// Writer of encoded runs: joins neighbouring objects into one buffer of list items (format: encoded-run.ts).
import { EncodedRun, type RunParts } from './encoded-run.ts';
import { compareKeys } from './key-order.ts';
import type { RunSource, SharedProperties } from './listed-object.ts';

/** Encodes objects, which must be in key order. */
export function encodeRun(objects: readonly RunSource[]): EncodedRun {
  let size = 0;
  for (const object of objects) size += itemBytes(object);
  const writer = new RunWriter(size, objects.length);
  for (const object of objects) writer.add(object);
  return new EncodedRun(writer.finish());
}

/** A run after some changes: for each key its new state, or null if deleted. */
export function patchRun(run: EncodedRun, patches: ReadonlyMap<string, RunSource | null>): EncodedRun {
  const keys = [...patches.keys()].sort(compareKeys);
  // Each step copies the objects [from, to) of the run, then adds an object.
  const steps: { from: number; to: number; object: RunSource | null }[] = [];
  let size = run.bytes.length;
  let count = run.count;
  let from = 0;
  for (const key of keys) {
    const object = patches.get(key) ?? null;
    const to = run.firstFrom(key, from);
    const isInRun = to < run.count && run.key(to) === key;
    if (isInRun) {
      size -= run.end(to) - run.start(to);
      count--;
    }
    if (object) {
      size += itemBytes(object);
      count++;
    }
    steps.push({ from, to, object });
    from = isInRun ? to + 1 : to;
  }
  const writer = new RunWriter(size, count);
  for (const step of steps) {
    writer.addAll(run, step.from, step.to);
    if (step.object) writer.add(step.object);
  }
  writer.addAll(run, from, run.count);
  return new EncodedRun(writer.finish());
}

/** The size of an object as an item of a run: a comma, a brace and its JSON from `listItemOffset` on. */
function itemBytes({ json, listItemOffset }: RunSource): number {
  return json.length - listItemOffset + 2;
}

/** Builds a run object by object in a buffer of the final size. */
class RunWriter {
  readonly #bytes: Buffer;
  readonly #ends: Uint32Array;
  readonly #keyEnds: Uint32Array;
  readonly #keys: string[] = [];
  readonly #propertiesIndex: Uint16Array;
  readonly #properties: SharedProperties[] = [];
  /** Index in `#properties` by id, for properties after the first few. */
  readonly #indexById = new Map<string, number>();
  /** The head (SharedProperties) of the last object, in both forms. */
  #headBytes: Buffer = Buffer.alloc(0);
  #headText = '';
  #size = 0;
  #keySize = 0;
  #count = 0;

  constructor(size: number, count: number) {
    // Not from Buffer's pool: a run is long-lived and must not retain the pool's other bytes.
    this.#bytes = Buffer.allocUnsafeSlow(size);
    this.#ends = new Uint32Array(count);
    this.#keyEnds = new Uint32Array(count);
    this.#propertiesIndex = new Uint16Array(count);
  }

  add(object: RunSource): void {
    const { key, json, listItemOffset, labels, selectableFields, schemaFingerprint } = object;
    this.#bytes[this.#size] = COMMA;
    this.#bytes[this.#size + 1] = BRACE;
    json.copy(this.#bytes, this.#size + 2, listItemOffset);
    this.#size += itemBytes(object);
    this.#keys.push(key);
    this.#keySize += key.length;
    this.#endObject(
      this.#size,
      this.#keySize,
      this.#internProperties({
        labels,
        selectableFields,
        schemaFingerprint,
        head: this.#head(object),
      }),
    );
  }

  /** Appends the objects [from, to) of another run. */
  addAll(run: EncodedRun, from: number, to: number): void {
    if (from >= to) return;
    // How far offsets into the other run's bytes and keys move.
    const shift = this.#size - run.start(from);
    const keyShift = this.#keySize - run.keyStart(from);
    run.bytes.copy(this.#bytes, this.#size, run.start(from), run.end(to - 1));
    this.#keys.push(run.keys(from, to));
    // The indexes in this run of the other run's properties; -1: not determined yet.
    const indexes = new Int32Array(run.properties.length).fill(-1);
    for (let i = from; i < to; i++) {
      const sourceIndex = run.propertiesIndex[i]!;
      if (indexes[sourceIndex] === -1)
        indexes[sourceIndex] = this.#internProperties(run.properties[sourceIndex]!);
      this.#endObject(run.end(i) + shift, run.keyStart(i + 1) + keyShift, indexes[sourceIndex]!);
    }
    this.#size = this.#ends[this.#count - 1]!;
    this.#keySize = this.#keyEnds[this.#count - 1]!;
  }

  finish(): RunParts {
    if (this.#size !== this.#bytes.length || this.#count !== this.#ends.length) {
      throw new Error('a run has another size than planned');
    }
    return {
      bytes: this.#bytes,
      ends: this.#ends,
      keyText: this.#keys.join(''),
      keyEnds: this.#keyEnds,
      properties: this.#properties,
      propertiesIndex: this.#propertiesIndex,
    };
  }

  #endObject(end: number, keyEnd: number, propertiesIndex: number): void {
    this.#ends[this.#count] = end;
    this.#keyEnds[this.#count] = keyEnd;
    this.#propertiesIndex[this.#count] = propertiesIndex;
    this.#count++;
  }

  /** The index of these properties, which are added if they are new. */
  #internProperties(shared: SharedProperties): number {
    const { labels, selectableFields, schemaFingerprint, head } = shared;
    const linearCount = Math.min(this.#properties.length, MAX_LINEAR_SEARCH);
    for (let i = 0; i < linearCount; i++) {
      const candidate = this.#properties[i]!;
      if (
        candidate.labels === labels &&
        candidate.selectableFields === selectableFields &&
        candidate.schemaFingerprint === schemaFingerprint &&
        candidate.head === head
      )
        return i;
    }
    // Comparing is faster than hashing while there are few entries.
    if (this.#properties.length < MAX_LINEAR_SEARCH) return this.#properties.push(shared) - 1;
    const id = `${labels.length} ${selectableFields.length} ${schemaFingerprint.length} ${labels}${selectableFields}${schemaFingerprint}${head}`;
    let index = this.#indexById.get(id);
    if (index === undefined) {
      index = this.#properties.push(shared) - 1;
      this.#indexById.set(id, index);
    }
    return index;
  }

  /** Most objects have the same head as the previous one, so it rarely needs decoding. */
  #head({ json, listItemOffset }: RunSource): string {
    if (listItemOffset !== this.#headBytes.length || !startsWith(json, this.#headBytes)) {
      this.#headBytes = json.subarray(0, listItemOffset);
      this.#headText = this.#headBytes.toString();
    }
    return this.#headText;
  }
}

function startsWith(json: Buffer, start: Buffer): boolean {
  for (let i = 0; i < start.length; i++) if (json[i] !== start[i]) return false;
  return true;
}

const COMMA = 0x2c;
const BRACE = 0x7b;
/** Properties up to this index are found by comparing, later ones by hash. */
const MAX_LINEAR_SEARCH = 12;
