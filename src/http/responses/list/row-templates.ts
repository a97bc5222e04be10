// Cached Table rows whose ages are filled in when they are sent.
import type { AgeTemplate } from '../../../kind/table/age-formatter.ts';
import { maxDurationLength } from '../../../kind/table/cells.ts';
import type { AgeFormatter } from '../../../kind/table.ts';
import type { RunInForm } from './encoded-chunk-cache.ts';

/** The Table rows of a run, each with a comma in front, with gaps for the ages. */
export class RowTemplates implements RunInForm {
  readonly #bytes: Buffer;
  readonly #ends: Uint32Array;
  /** Number of gaps up to the end of each row. */
  readonly #gapsUpTo: Uint32Array;
  readonly #gapsAt: Uint32Array;
  readonly #moments: Float64Array;

  constructor(rows: readonly AgeTemplate[]) {
    const texts: string[] = [];
    const gapsAt: number[] = [];
    const moments: number[] = [];
    this.#ends = new Uint32Array(rows.length);
    this.#gapsUpTo = new Uint32Array(rows.length);
    let end = 0;
    for (let i = 0; i < rows.length; i++) {
      const row = rows[i]!;
      texts.push(',');
      end++;
      for (let part = 0; part < row.texts.length; part++) {
        texts.push(row.texts[part]!);
        end += Buffer.byteLength(row.texts[part]!);
        if (part === row.moments.length) break;
        gapsAt.push(end);
        moments.push(row.moments[part]!);
      }
      this.#ends[i] = end;
      this.#gapsUpTo[i] = gapsAt.length;
    }
    this.#bytes = Buffer.from(texts.join(''));
    this.#gapsAt = Uint32Array.from(gapsAt);
    this.#moments = Float64Array.from(moments);
  }

  get weight(): number {
    return this.#bytes.length + 8 * this.#ends.length + 12 * this.#moments.length;
  }

  /** The rows [from, to), at least one, with the ages of now. */
  part(from: number, to: number, now: AgeFormatter): Buffer {
    let read = from === 0 ? 0 : this.#ends[from - 1]!;
    let gap = from === 0 ? 0 : this.#gapsUpTo[from - 1]!;
    const end = this.#ends[to - 1]!;
    const lastGap = this.#gapsUpTo[to - 1]!;
    const part = Buffer.allocUnsafe(end - read + (lastGap - gap) * maxDurationLength);
    let at = 0;
    // Neighbours were often created in the same second.
    let moment: number | undefined;
    let text = '';
    for (; gap < lastGap; gap++) {
      if (this.#moments[gap] !== moment) {
        moment = this.#moments[gap]!;
        text = now.ago(moment);
      }
      at += this.#bytes.copy(part, at, read, this.#gapsAt[gap]);
      read = this.#gapsAt[gap]!;
      at += part.write(text, at, 'latin1');
    }
    at += this.#bytes.copy(part, at, read, end);
    return part.subarray(0, at);
  }
}
