// The public interface of the CEL engine. Import it lazily: loading takes a few tens of milliseconds, which a server
// without expressions saves.
export { AdmissionEnvironments, type AdmissionScope, VariableTypes } from './admission.ts';
export type { CheckedExpr } from './checker.ts';
export type { CostEstimate, SizeHints } from './cost/estimate.ts';
export { type Device, deviceSchema, deviceSizes } from './device.ts';
export { Environment, Issues, type Variable } from './environment.ts';
export { EvaluationError } from './errors.ts';
export { type CelJsonSchema, JsonSchemaReader } from './json-schema-types.ts';
export {
  type AuthorizationAnswer,
  type AuthorizationQuery,
  type AuthorizerHost,
  authorizerType,
  authorizerValue,
  requestResourceValue,
  resourceCheckType,
} from './library/authorizer.ts';
export { parseQuantityOrFail, QuantityValue, quantityType } from './library/quantity.ts';
export { type Evaluation, type EvaluationOptions, Program } from './program.ts';
export { ProgramCache } from './program-cache.ts';
export { resultTypeError } from './result-type.ts';
export {
  type Cardinality,
  costLimitError,
  costPerRule,
  costPerSchema,
  innerCardinality,
  ruleCost,
  ruleSizes,
} from './rule-cost.ts';
export { celSchemaType, type SchemaType, schemaSizeHints, variableFor } from './schema-types.ts';
export * as types from './types.ts';
export { CelOptional, FieldsObject, fromJson, type Value } from './values.ts';
export { compatibleMinor, costPerExpression, createEnvironment } from './versions.ts';
