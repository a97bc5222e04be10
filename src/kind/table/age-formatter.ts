/** What cells may say of the present: how long ago something was. So a row can be kept, and said anew when it is older. */
import { randomUUID } from 'node:crypto';
import type { AgeFormatter } from '../table.ts';
import { duration } from './cells.ts';

export function presentAt(now: number): AgeFormatter {
  return { ago: (moment) => duration(now - moment) };
}

/** A text with gaps, in each of which it is to be said how long ago a moment was. */
export interface Gapped {
  /** One more than moments: what stands before, between and after the gaps. */
  readonly texts: readonly string[];
  readonly moments: readonly number[];
}

/** No object has this in it, because nobody is told. */
const gap = randomUUID();
const gaps = new RegExp(`${gap}/(\\d+)/`);

/** What `write` makes, with a gap wherever it says how long ago something was. */
export function withGaps(write: (present: AgeFormatter) => string): Gapped {
  const asked: number[] = [];
  const written = write({ ago: (moment) => `${gap}/${asked.push(moment) - 1}/` });
  // Every second part is the number of a question: what was asked first need not stand first, or at all.
  const parts = written.split(gaps);
  return {
    texts: parts.filter((_, i) => i % 2 === 0),
    moments: parts.filter((_, i) => i % 2 === 1).map((number) => asked[Number(number)]!),
  };
}
