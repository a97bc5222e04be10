// Formats numbers and ratios of the report, and compares rows with their aims.
import type { Row, Sample } from '../rows.ts';
import { median } from './statistics.ts';

/** Three significant digits, and all digits of larger numbers. */
export function formatNumber(value: number): string {
  const digits = Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2;
  return value.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

export const formatRatio = (ratio: number): string => `${formatNumber(ratio)}×`;

/** How many times better Orch is than the reference, for rows where more is better and where less is better. */
export function ratioOf(row: Row, orch: readonly Sample[], reference: readonly Sample[]): number | undefined {
  if (orch.length === 0 || reference.length === 0) return undefined;
  const [orchValue, referenceValue] = [medianValue(orch), medianValue(reference)];
  return row.better === 'more' ? orchValue / referenceValue : referenceValue / orchValue;
}

export const medianValue = (samples: readonly Sample[]): number =>
  median(samples.map((sample) => sample.value));

export function formatAim(row: Row): string {
  if (!row.aim) return '';
  if ('times' in row.aim) return `${row.aim.times}×`;
  return 'below' in row.aim ? `< ${row.aim.below} ${row.unit}` : `≥ ${row.aim.least} ${row.unit}`;
}

/** Whether the aim is reached; undefined when the row has none or the measurement is missing. */
export function aimReached(
  row: Row,
  orch: readonly Sample[],
  reference: readonly Sample[],
): boolean | undefined {
  if (!row.aim || orch.length === 0) return undefined;
  if ('below' in row.aim) return medianValue(orch) < row.aim.below;
  if ('least' in row.aim) return medianValue(orch) >= row.aim.least;
  const ratio = ratioOf(row, orch, reference);
  return ratio === undefined ? undefined : ratio >= row.aim.times;
}
