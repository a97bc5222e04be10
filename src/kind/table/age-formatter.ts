// Table: formats ages now, or as a template, so that cached rows can be rendered again with current ages.
import { randomUUID } from 'node:crypto';
import type { AgeFormatter } from '../table.ts';
import { humanDuration } from './cells.ts';

export function ageFormatterAt(nowMs: number): AgeFormatter {
  return { ago: (momentMs) => humanDuration(nowMs - momentMs) };
}

/** A text with placeholders for ages. */
export interface AgeTemplate {
  /** The text around the placeholders: one element more than `moments`. */
  readonly texts: readonly string[];
  /** The times whose ages are filled in, in milliseconds since the epoch. */
  readonly moments: readonly number[];
}

/** Random and never revealed, so no object's text can contain it. */
const placeholder = randomUUID();
const placeholderPattern = new RegExp(`${placeholder}/(\\d+)/`);

/** Calls `render` with a formatter that inserts a placeholder for each age. */
export function renderAgeTemplate(render: (ages: AgeFormatter) => string): AgeTemplate {
  const formattedMoments: number[] = [];
  const rendered = render({ ago: (moment) => `${placeholder}/${formattedMoments.push(moment) - 1}/` });
  // Every second part is an index into `formattedMoments`: `render` may use the ages in another order, or leave some out.
  const parts = rendered.split(placeholderPattern);
  return {
    texts: parts.filter((_, i) => i % 2 === 0),
    moments: parts.filter((_, i) => i % 2 === 1).map((index) => formattedMoments[Number(index)]!),
  };
}

/** The text of a template with the ages filled in. */
export function fillAges({ texts, moments }: AgeTemplate, ages: AgeFormatter): string {
  return texts.map((text, i) => (i < moments.length ? text + ages.ago(moments[i]!) : text)).join('');
}
