// CEL: the public interface, loaded on demand.

/**
 * The Common Expression Language. Import this lazily: it takes a few tens of milliseconds, which a server that never sees
 * an expression need not spend.
 */
export { AdmissionEnvironments, type AdmissionScope, VariableTypes } from './admission.ts';
export type { Checked } from './checker.ts';
export type { CostEstimate, SizeHints } from './cost/estimate.ts';
export { type Device, deviceSchema, deviceSizes } from './device.ts';
export { Environment, Issues, type Variable } from './environment.ts';
export { EvaluationProblem } from './errors.ts';
export { type JsonSchema, JsonSchemaReader } from './json-schema-types.ts';
export {
  type AuthorizationAnswer,
  type AuthorizationQuery,
  type AuthorizerHost,
  authorizerType,
  authorizerValue,
  requestResourceValue,
  resourceCheckType,
} from './library/authorizer.ts';
export { QuantityValue, quantityOf, quantityType } from './library/quantity.ts';
export { type Evaluation, type EvaluationOptions, Program } from './program.ts';
export { ProgramCache } from './program-cache.ts';
export { problemOf } from './result-type.ts';
export {
  type Cardinality,
  cardinalityWithin,
  costPerRule,
  costPerSchema,
  overBudget,
  ruleCost,
  ruleSizes,
} from './rule-cost.ts';
export { type SchemaType, schemaTypeOf, sizesOf, variableFor } from './schema-types.ts';
export * as types from './types.ts';
export { FieldsObject, fromJson, Optional, type Value } from './values.ts';
export { compatibleMinor, costPerExpression, environmentOf } from './versions.ts';
