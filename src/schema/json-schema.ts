// JSON Schema as OpenAPI v3.0 has it: the schema of a custom resource, or of a part of one.

import type { JsonValue } from '../codec/json/json-value.ts';

export interface JsonSchema {
  id?: string;
  $schema?: string;
  $ref?: string;
  description?: string;
  type?: string;
  format?: string;
  title?: string;
  default?: JsonValue;
  maximum?: number;
  exclusiveMaximum?: boolean;
  minimum?: number;
  exclusiveMinimum?: boolean;
  maxLength?: number;
  minLength?: number;
  pattern?: string;
  maxItems?: number;
  minItems?: number;
  uniqueItems?: boolean;
  multipleOf?: number;
  enum?: JsonValue[];
  maxProperties?: number;
  minProperties?: number;
  required?: string[];
  items?: JsonSchema | JsonSchema[];
  allOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  anyOf?: JsonSchema[];
  not?: JsonSchema;
  properties?: Record<string, JsonSchema>;
  additionalProperties?: boolean | JsonSchema;
  patternProperties?: Record<string, JsonSchema>;
  dependencies?: Record<string, JsonSchema | string[]>;
  additionalItems?: boolean | JsonSchema;
  definitions?: Record<string, JsonSchema>;
  externalDocs?: { description?: string; url?: string };
  example?: JsonValue;
  nullable?: boolean;
  [extension: string]: unknown;
}
