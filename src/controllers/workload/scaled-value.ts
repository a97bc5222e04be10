// The value of a number or percentage (upstream: intstr.GetScaledValueFromIntOrPercent).
import { type IntOrPercent, intOrPercentValue } from '../../kind/meta/int-or-percent.ts';

/** Not rounded. */
export const scaled = (value: IntOrPercent, total: number) =>
  typeof value === 'number' ? value : (intOrPercentValue(value) * total) / 100;
