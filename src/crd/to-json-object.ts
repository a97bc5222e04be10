// Custom resources: the JSON value of an object.
import type { JsonObject } from '../codec/json/json-value.ts';
import type { ApiObject } from '../kind/api-object.ts';

/** Decoding leaves a custom resource as plain JSON, metadata included, so no copy is needed. */
export const toJsonObject = (object: ApiObject): JsonObject => object as unknown as JsonObject;
