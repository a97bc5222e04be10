// Custom resources: an object as JSON.
import type { JsonObject } from '../codec/json/json-value.ts';
import type { ApiObject } from '../kind/api-object.ts';

/** An object of a custom kind as the JSON that it is: its metadata is plain, and all else came as JSON. */
export const asJson = (object: ApiObject): JsonObject => object as unknown as JsonObject;
