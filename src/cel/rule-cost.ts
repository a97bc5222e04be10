// CEL cost model: limits for the estimated cost of x-validations rules.
import type { SizeHints } from './cost/estimate.ts';
import { unbounded } from './cost/range.ts';
import type { CelJsonSchema } from './json-schema-types.ts';
import { maxRequestBytes, type SchemaType, schemaSizeHints } from './schema-types.ts';

/** Limits of the estimated cost of one rule for all values in an object, and of all rules together. */
export const costPerRule = 10_000_000;
export const costPerSchema = 100_000_000;

/** The maximum number of values of a schema in one object. Undefined: limited only by the request size. */
export type Cardinality = number | undefined;

/** The cardinality of the items or properties of a schema, given its own. */
export function innerCardinality(cardinality: Cardinality, schema: CelJsonSchema): Cardinality {
  if (cardinality === undefined) return undefined;
  const isMap = schema.type === 'object' && schema.additionalProperties !== undefined;
  if (!isMap && schema.type !== 'array') return cardinality;
  const maxCount = isMap ? schema.maxProperties : schema.maxItems;
  return maxCount === undefined ? undefined : Math.min(cardinality * Math.max(0, maxCount), unbounded);
}

/** The cost of a rule in an object: its estimate times the cardinality of its schema. */
export function ruleCost(estimate: number, cardinality: Cardinality, schema: SchemaType): number {
  // Unbounded: as many as fit into a request, separated by commas.
  const valueCount = cardinality ?? Math.floor(maxRequestBytes / (schema.minBytes + 1));
  return Math.min(estimate * valueCount, unbounded);
}

/**
 * Size limits for the variables of a rule. As upstream, it ignores which variable a path starts with: `x` in
 * `[1].all(x, …)` counts as large as `self`.
 */
export function ruleSizes(self: SchemaType): SizeHints {
  const sizes = schemaSizeHints({ self });
  return { maxSize: (path) => sizes.maxSize(['self', ...path.slice(1)]) };
}

/** The message for a cost above its limit, else undefined; `costName` is, for example, `estimated rule cost`. */
export function costLimitError(costName: string, cost: number, limit: number): string | undefined {
  if (cost <= limit) return undefined;
  const factor = cost / limit;
  let shown = `${factor.toFixed(1)}x`;
  if (factor > 100) shown = 'more than 100x';
  else if (factor < 1.5) shown = `${factor.toFixed(6)}x`;
  return `${costName} exceeds budget by factor of ${shown} (try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays, maps, and strings are declared)`;
}
