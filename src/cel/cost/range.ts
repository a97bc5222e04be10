// CEL cost model: ranges of sizes and costs, with the saturating arithmetic that static cost estimation uses.

/** The smallest and the largest possible size or cost. */
export interface Range {
  readonly min: number;
  readonly max: number;
}

/** cel-go counts in unsigned 64-bit integers and saturates. */
export const unbounded = 2 ** 64;
export const unknownSize: Range = { min: 0, max: unbounded };

const capped = (value: number) => Math.min(value, unbounded);
export const exactly = (value: number): Range => ({ min: value, max: value });
export const plus = (a: Range, b: Range): Range => ({
  min: capped(a.min + b.min),
  max: capped(a.max + b.max),
});
export const times = (a: Range, b: Range): Range => ({
  min: capped(a.min * b.min),
  max: capped(a.max * b.max),
});
export const union = (a: Range, b: Range): Range => ({
  min: Math.min(a.min, b.min),
  max: Math.max(a.max, b.max),
});
export const scaled = (a: Range, factor: number): Range => ({
  min: capped(Math.ceil(a.min * factor)),
  max: capped(Math.ceil(a.max * factor)),
});
