import type { EncodedRun, RunParts } from './runs-encoded.ts';
import type { RunSource, Traits } from './runs-object.ts';

/** What an object takes in a run: a comma, a brace and its JSON from where a list's item begins. */
export function bytesOf({ json, itemAt }: RunSource): number {
  return json.length - itemAt + 2;
}

/** Puts a run together, object by object, into bytes of a size known beforehand. */
export class RunWriter {
  readonly #bytes: Buffer;
  readonly #ends: Uint32Array;
  readonly #keyEnds: Uint32Array;
  readonly #keys: string[] = [];
  readonly #traitOf: Uint16Array;
  readonly #traits: Traits[] = [];
  /** Where to find the traits that come after the first few. */
  readonly #traitIndex = new Map<string, number>();
  #headBytes: Buffer = Buffer.alloc(0);
  #headText = '';
  #size = 0;
  #keySize = 0;
  #count = 0;

  constructor(size: number, count: number) {
    // Not from the pool: a run lives long and must not hold on to the bytes of others.
    this.#bytes = Buffer.allocUnsafeSlow(size);
    this.#ends = new Uint32Array(count);
    this.#keyEnds = new Uint32Array(count);
    this.#traitOf = new Uint16Array(count);
  }

  add(object: RunSource): void {
    const { key, json, itemAt, labels, fields, mark } = object;
    this.#bytes[this.#size] = COMMA;
    this.#bytes[this.#size + 1] = BRACE;
    json.copy(this.#bytes, this.#size + 2, itemAt);
    this.#size += bytesOf(object);
    this.#keys.push(key);
    this.#keySize += key.length;
    this.#close(this.#size, this.#keySize, this.#trait({ labels, fields, mark, head: this.#head(object) }));
  }

  /** The objects [from, to) of another run. */
  addAll(run: EncodedRun, from: number, to: number): void {
    if (from >= to) return;
    const shift = this.#size - run.start(from);
    const keyShift = this.#keySize - run.keyStart(from);
    run.bytes.copy(this.#bytes, this.#size, run.start(from), run.end(to - 1));
    this.#keys.push(run.keys(from, to));
    const traits = new Int32Array(run.traits.length).fill(-1);
    for (let i = from; i < to; i++) {
      const theirs = run.traitOf[i]!;
      if (traits[theirs] === -1) traits[theirs] = this.#trait(run.traits[theirs]!);
      this.#close(run.end(i) + shift, run.keyStart(i + 1) + keyShift, traits[theirs]!);
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
      traits: this.#traits,
      traitOf: this.#traitOf,
    };
  }

  #close(end: number, keyEnd: number, trait: number): void {
    this.#ends[this.#count] = end;
    this.#keyEnds[this.#count] = keyEnd;
    this.#traitOf[this.#count] = trait;
    this.#count++;
  }

  #trait(traits: Traits): number {
    const { labels, fields, mark, head } = traits;
    const few = Math.min(this.#traits.length, FEW);
    for (let i = 0; i < few; i++) {
      const known = this.#traits[i]!;
      if (known.labels === labels && known.fields === fields && known.mark === mark && known.head === head)
        return i;
    }
    // Comparing is faster than hashing as long as there is little to compare with.
    if (this.#traits.length < FEW) return this.#traits.push(traits) - 1;
    const id = `${labels.length} ${fields.length} ${mark.length} ${labels}${fields}${mark}${head}`;
    let index = this.#traitIndex.get(id);
    if (index === undefined) {
      index = this.#traits.push(traits) - 1;
      this.#traitIndex.set(id, index);
    }
    return index;
  }

  /** Most objects begin like the one before, so most beginnings need not be decoded. */
  #head({ json, itemAt }: RunSource): string {
    if (itemAt !== this.#headBytes.length || !beginsWith(json, this.#headBytes)) {
      this.#headBytes = json.subarray(0, itemAt);
      this.#headText = this.#headBytes.toString();
    }
    return this.#headText;
  }
}

function beginsWith(json: Buffer, start: Buffer): boolean {
  for (let i = 0; i < start.length; i++) if (json[i] !== start[i]) return false;
  return true;
}

const COMMA = 0x2c;
const BRACE = 0x7b;
const FEW = 12;
