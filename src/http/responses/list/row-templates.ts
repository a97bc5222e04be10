// Cached Table rows. Ages ("5m") change with time, so the rows have gaps for them, which are filled in when rows are sent.
import type { AgeTemplate } from '../../../kind/table/age-formatter.ts';
import { maxDurationLength } from '../../../kind/table/cells.ts';
import type { AgeFormatter } from '../../../kind/table.ts';
import type { CachedRun } from './encoded-chunk-cache.ts';

/** The Table rows of a run (neighbouring objects of a list), each with a comma in front. */
export class RowTemplates implements CachedRun {
  readonly #bytes: Buffer;
  /** Offset of the end of each row. */
  readonly #ends: Uint32Array;
  /** Number of gaps up to the end of each row. */
  readonly #gapCounts: Uint32Array;
  readonly #gapOffsets: Uint32Array;
  /** For each gap, the time (in milliseconds) whose age is filled in. */
  readonly #moments: Float64Array;

  constructor(rows: readonly AgeTemplate[]) {
    const texts: string[] = [];
    const gapOffsets: number[] = [];
    const moments: number[] = [];
    this.#ends = new Uint32Array(rows.length);
    this.#gapCounts = new Uint32Array(rows.length);
    let end = 0;
    for (let i = 0; i < rows.length; i++) {
      const row = rows[i]!;
      texts.push(',');
      end++;
      for (let part = 0; part < row.texts.length; part++) {
        texts.push(row.texts[part]!);
        end += Buffer.byteLength(row.texts[part]!);
        // No gap follows the last text.
        if (part === row.moments.length) break;
        gapOffsets.push(end);
        moments.push(row.moments[part]!);
      }
      this.#ends[i] = end;
      this.#gapCounts[i] = gapOffsets.length;
    }
    this.#bytes = Buffer.from(texts.join(''));
    this.#gapOffsets = Uint32Array.from(gapOffsets);
    this.#moments = Float64Array.from(moments);
  }

  get weight(): number {
    // Per row two 4-byte numbers; per gap one of 4 bytes and one of 8.
    return this.#bytes.length + 8 * this.#ends.length + 12 * this.#moments.length;
  }

  /** The rows [from, to), at least one, with the ages filled in. */
  slice(from: number, to: number, ageFormatter: AgeFormatter): Buffer {
    let readOffset = from === 0 ? 0 : this.#ends[from - 1]!;
    let gap = from === 0 ? 0 : this.#gapCounts[from - 1]!;
    const end = this.#ends[to - 1]!;
    const lastGap = this.#gapCounts[to - 1]!;
    const output = Buffer.allocUnsafe(end - readOffset + (lastGap - gap) * maxDurationLength);
    let writeOffset = 0;
    // Neighbouring objects were often created in the same second: the last age is reused.
    let moment: number | undefined;
    let age = '';
    for (; gap < lastGap; gap++) {
      if (this.#moments[gap] !== moment) {
        moment = this.#moments[gap]!;
        age = ageFormatter.ago(moment);
      }
      writeOffset += this.#bytes.copy(output, writeOffset, readOffset, this.#gapOffsets[gap]);
      readOffset = this.#gapOffsets[gap]!;
      writeOffset += output.write(age, writeOffset, 'latin1');
    }
    writeOffset += this.#bytes.copy(output, writeOffset, readOffset, end);
    return output.subarray(0, writeOffset);
  }
}
