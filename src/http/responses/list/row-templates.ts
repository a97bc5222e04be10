// Cached Table rows whose ages are filled in when they are sent.
import type { AgeTemplate } from '../../../kind/table/age-formatter.ts';
import { maxDurationLength } from '../../../kind/table/cells.ts';
import type { AgeFormatter } from '../../../kind/table.ts';
import type { CachedRun } from './encoded-chunk-cache.ts';

/** The Table rows of a run, each with a comma in front, with gaps for the ages. */
export class RowTemplates implements CachedRun {
  readonly #bytes: Buffer;
  readonly #ends: Uint32Array;
  /** Number of gaps up to the end of each row. */
  readonly #gapCounts: Uint32Array;
  readonly #gapOffsets: Uint32Array;
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
      for (let output = 0; output < row.texts.length; output++) {
        texts.push(row.texts[output]!);
        end += Buffer.byteLength(row.texts[output]!);
        if (output === row.moments.length) break;
        gapOffsets.push(end);
        moments.push(row.moments[output]!);
      }
      this.#ends[i] = end;
      this.#gapCounts[i] = gapOffsets.length;
    }
    this.#bytes = Buffer.from(texts.join(''));
    this.#gapOffsets = Uint32Array.from(gapOffsets);
    this.#moments = Float64Array.from(moments);
  }

  get weight(): number {
    return this.#bytes.length + 8 * this.#ends.length + 12 * this.#moments.length;
  }

  /** The rows [from, to), at least one, with ages relative to now. */
  slice(from: number, to: number, now: AgeFormatter): Buffer {
    let readOffset = from === 0 ? 0 : this.#ends[from - 1]!;
    let gap = from === 0 ? 0 : this.#gapCounts[from - 1]!;
    const end = this.#ends[to - 1]!;
    const lastGap = this.#gapCounts[to - 1]!;
    const output = Buffer.allocUnsafe(end - readOffset + (lastGap - gap) * maxDurationLength);
    let offset = 0;
    // Neighbours were often created in the same second.
    let moment: number | undefined;
    let text = '';
    for (; gap < lastGap; gap++) {
      if (this.#moments[gap] !== moment) {
        moment = this.#moments[gap]!;
        text = now.ago(moment);
      }
      offset += this.#bytes.copy(output, offset, readOffset, this.#gapOffsets[gap]);
      readOffset = this.#gapOffsets[gap]!;
      offset += output.write(text, offset, 'latin1');
    }
    offset += this.#bytes.copy(output, offset, readOffset, end);
    return output.subarray(0, offset);
  }
}
