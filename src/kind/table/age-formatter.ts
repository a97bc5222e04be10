// Table: formats ages now, or as a template, so that cached rows can be rendered again with current ages.
import { randomUUID } from 'node:crypto';
import type { AgeFormatter } from '../table.ts';
import { humanDuration } from './cells.ts';

export function ageFormatterAt(now: number): AgeFormatter {
  return { ago: (moment) => humanDuration(now - moment) };
}

/** A text with placeholders for ages. */
export interface AgeTemplate {
  /** The text around the placeholders: one element more than `moments`. */
  readonly texts: readonly string[];
  readonly moments: readonly number[];
}

/** Random and never revealed, so no object's text can contain it. */
const placeholder = randomUUID();
const placeholderPattern = new RegExp(`${placeholder}/(\\d+)/`);

/** Calls `write` with a formatter that inserts a placeholder for each age. */
export function renderAgeTemplate(write: (ages: AgeFormatter) => string): AgeTemplate {
  const requested: number[] = [];
  const written = write({ ago: (moment) => `${placeholder}/${requested.push(moment) - 1}/` });
  // Every second part is an index into `requested`: `write` may use the ages in another order, or leave some out.
  const parts = written.split(placeholderPattern);
  return {
    texts: parts.filter((_, i) => i % 2 === 0),
    moments: parts.filter((_, i) => i % 2 === 1).map((number) => requested[Number(number)]!),
  };
}
