// CEL cost model: limits for the estimated cost of x-validations rules.
import type { SizeHints } from './cost/estimate.ts';
import type { JsonSchema } from './json-schema-types.ts';
import { maxRequestBytes, type SchemaType, sizesOf } from './schema-types.ts';

/** The cost limits of one rule for all values of an object, and of all rules. */
export const costPerRule = 10_000_000;
export const costPerSchema = 100_000_000;

/** The largest number the reference counts to. */
const unbounded = 2 ** 64;

/** How many values of a schema there may be in one object. Undefined: as many as fit. */
export type Cardinality = number | undefined;

/** How many values there may be of what lies in a schema, given how many there may be of itself. */
export function cardinalityWithin(cardinality: Cardinality, schema: JsonSchema): Cardinality {
  if (cardinality === undefined) return undefined;
  const isMap = schema.type === 'object' && schema.additionalProperties !== undefined;
  if (!isMap && schema.type !== 'array') return cardinality;
  const most = isMap ? schema.maxProperties : schema.maxItems;
  return most === undefined ? undefined : Math.min(cardinality * Math.max(0, most), unbounded);
}

/** The cost of a rule in an object: its estimate times the cardinality of its schema. */
export function ruleCost(estimate: number, cardinality: Cardinality, schema: SchemaType): number {
  // Without bounds, as many as fit into a request with a comma between them.
  const count = cardinality ?? Math.floor(maxRequestBytes / (schema.minBytes + 1));
  return Math.min(estimate * count, unbounded);
}

/**
 * How large what a rule looks at may get. Like the reference it does not ask which variable is meant: `x` in
 * `[1].all(x, …)` is thought to be as large as `self`.
 */
export function ruleSizes(self: SchemaType): SizeHints {
  const sizes = sizesOf({ self });
  return { maxSize: (path) => sizes.maxSize(['self', ...path.slice(1)]) };
}

/** The message for a cost over its limit; `what` is, for example, `estimated rule cost`. */
export function overBudget(what: string, cost: number, limit: number): string | undefined {
  if (cost <= limit) return undefined;
  const factor = cost / limit;
  let shown = `${factor.toFixed(1)}x`;
  if (factor > 100) shown = 'more than 100x';
  else if (factor < 1.5) shown = `${factor.toFixed(6)}x`;
  return `${what} exceeds budget by factor of ${shown} (try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays, maps, and strings are declared)`;
}
