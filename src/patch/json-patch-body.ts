// Decodes a JSON Patch body, with or without field validation. Findings are its unknown and duplicate fields.
import { isObject, type JsonValue } from '../codec/json/json-value.ts';
import type { Duplicates } from '../codec/json/parse.ts';
import { list } from '../schema/collections.ts';
import { DecodeError, Decoding, jsonTypeOf } from '../schema/decoding.ts';
import { string } from '../schema/scalars.ts';
import { field, struct } from '../schema/struct.ts';
import { anyJson } from './any-json.ts';
import type { JsonPatchOperation } from './json-patch.ts';

const Operations = list(
  struct('handlers.jsonPatchOp', {
    op: field(1, string),
    from: field(2, string),
    path: field(3, string),
    value: field(4, anyJson),
  }),
);

export interface JsonPatchBody {
  readonly operations: readonly JsonPatchOperation[];
  /** Unknown and duplicate fields. */
  readonly findings: readonly string[];
}

/** Decodes with field validation. Throws DecodeError. */
export function decodeJsonPatchStrictly(body: JsonValue, duplicates?: Duplicates): JsonPatchBody {
  const decoding = new Decoding(duplicates);
  if (body !== null) Operations.read(body, decoding);
  decoding.throwFault();
  return {
    operations: operationsIn(body),
    findings: decoding.findings.map((finding) => `json patch ${finding}`),
  };
}

/** Decodes without field validation: a member of the wrong type counts as absent. */
export function decodeJsonPatchLeniently(body: JsonValue): JsonPatchBody {
  if (body !== null && !Array.isArray(body)) throw typeMismatchError(body, 'jsonpatch.Patch');
  for (const operation of body ?? []) {
    if (operation !== null && !isObject(operation)) throw typeMismatchError(operation, 'jsonpatch.Operation');
  }
  return { operations: operationsIn(body), findings: [] };
}

const typeMismatchError = (value: JsonValue, goType: string) =>
  new DecodeError(`json: cannot unmarshal ${jsonTypeOf(value)} into Go value of type ${goType}`);

/** Operations without the members that are absent or of the wrong type; applying the patch reports those. */
function operationsIn(body: JsonValue): JsonPatchOperation[] {
  if (!Array.isArray(body)) return [];
  return body.map((operation) => {
    if (!isObject(operation)) return { op: '' };
    const { op, path, from, value } = operation;
    return {
      op: typeof op === 'string' ? op : '',
      ...(typeof path === 'string' && { path }),
      ...(typeof from === 'string' && { from }),
      ...(value !== undefined && { value }),
    };
  });
}
