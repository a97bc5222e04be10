/** Gathers stretches of encoded objects into buffers worth writing: large ones as they are, small ones copied together. */

const CHUNK_BYTES = 64 * 1024;
/** From here on a stretch is handed on without a copy. */
const LARGE = 16 * 1024;

export class Chunks {
  readonly #done: Buffer[] = [];
  /** A single small stretch, which needs no copy unless another follows. */
  #small: Buffer | undefined;
  #gathered: Buffer | undefined;
  #used = 0;
  #isFirst = true;

  /** The bytes [start, end), which begin with a comma. */
  put(bytes: Buffer, start: number, end: number): void {
    const from = this.#isFirst ? start + 1 : start;
    this.#isFirst = false;
    if (end - from >= LARGE) {
      this.flush();
      this.#done.push(from === 0 && end === bytes.length ? bytes : bytes.subarray(from, end));
      return;
    }
    if (this.#used + end - from > CHUNK_BYTES) this.flush();
    if (!this.#gathered) {
      if (!this.#small) {
        this.#small = bytes.subarray(from, end);
        return;
      }
      this.#gathered = Buffer.allocUnsafeSlow(CHUNK_BYTES);
      this.#used = this.#small.copy(this.#gathered);
      this.#small = undefined;
    }
    this.#used += bytes.copy(this.#gathered, this.#used, from, end);
  }

  /** One object's bytes, without a comma. */
  putObject(json: Buffer): void {
    if (!this.#isFirst) this.put(comma, 0, 1);
    this.#isFirst = false;
    this.put(json, 0, json.length);
  }

  /** What is in the making counts as done. */
  flush(): void {
    if (this.#small) this.#done.push(this.#small);
    if (this.#gathered) this.#done.push(this.#gathered.subarray(0, this.#used));
    this.#small = undefined;
    this.#gathered = undefined;
    this.#used = 0;
  }

  next(): Buffer | undefined {
    return this.#done.shift();
  }
}

const comma = Buffer.from(',');
