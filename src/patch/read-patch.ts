import { isObject, type JsonObject, type JsonValue } from '../codec/json/json-value.ts';
import { JsonSyntaxError, parseJson } from '../codec/json/parse.ts';
import { badRequest, invalidObject } from '../errors/catalogue.ts';
import { invalid } from '../errors/field-error.ts';
import { ApiError } from '../errors/status.ts';
import { jsonTypeOf } from '../schema/decoding.ts';
import type { Type } from '../schema/type.ts';
import { applyJsonPatch, readJsonPatch } from './json-patch.ts';
import { applyMergePatch } from './merge-patch.ts';
import { BadPatch, PatchMisfit } from './patch-error.ts';
import { applyStrategicMerge, shown, UnknownDirective } from './strategic-merge.ts';

/** What a PATCH changes, read once and applied to as many states as it takes. */
export interface Patch {
  /** The object's JSON after the patch. Throws what the client is to be told. */
  apply(document: JsonObject, type: Type): JsonValue;
  /** What is said where the result is no object of its kind. */
  refusal(result: JsonValue, why: string): ApiError;
}

export const jsonPatchType = 'application/json-patch+json';
export const mergePatchType = 'application/merge-patch+json';
export const strategicMergeType = 'application/strategic-merge-patch+json';
export const patchTypes = [jsonPatchType, mergePatchType, strategicMergeType] as const;
export type PatchType = (typeof patchTypes)[number];

const mostOperations = 10_000;

export function readPatch(type: PatchType, body: Buffer): Patch {
  switch (type) {
    case jsonPatchType:
      return jsonPatch(body);
    case mergePatchType:
      return mergePatch(body);
    case strategicMergeType:
      return strategicMerge(body);
  }
}

const undecodable = (why: string) => badRequest(`error decoding patch: ${why}`);
const misfit = () =>
  new ApiError(422, 'Invalid', 'the server rejected our request due to an error in our request', {});

function jsonPatch(body: Buffer): Patch {
  const operations = understood(() => readJsonPatch(parsed(body, undecodable)), undecodable);
  if (operations.length > mostOperations) {
    throw new ApiError(
      413,
      'RequestEntityTooLarge',
      `Request entity too large: The allowed maximum operations in a JSON patch is ${mostOperations}, got ${operations.length}`,
    );
  }
  return {
    apply(document) {
      try {
        return applyJsonPatch(document, operations);
      } catch (error) {
        throw error instanceof PatchMisfit ? misfit() : error;
      }
    },
    refusal: notOfItsKind,
  };
}

function mergePatch(body: Buffer): Patch {
  const patch = parsed(body, undecodable);
  if (patch === null) throw badRequest('Invalid JSON Patch');
  if (!isObject(patch)) throw undecodable(mismatch(patch));
  return { apply: (document) => applyMergePatch(document, patch), refusal: notOfItsKind };
}

function strategicMerge(body: Buffer): Patch {
  const patch = parsed(body, badRequest) ?? {};
  if (!isObject(patch)) throw badRequest(mismatch(patch));
  return {
    apply(document, type) {
      try {
        return applyStrategicMerge(document, patch, type);
      } catch (error) {
        if (error instanceof UnknownDirective) throw new ApiError(500, '', error.message);
        throw error instanceof BadPatch ? badRequest(error.message) : error;
      }
    },
    // The reference shows what was sent, not what came of it.
    refusal: (_result, why) => refused(shown(patch), why),
  };
}

/** The reference shows keys in order, down to where it has looked into the object. */
function notOfItsKind(result: JsonValue, why: string): ApiError {
  const inOrder = isObject(result)
    ? Object.fromEntries(Object.entries(result).sort(([a], [b]) => (a < b ? -1 : 1)))
    : result;
  return refused(JSON.stringify(inOrder), why);
}

const refused = (value: string, why: string) =>
  invalidObject({ group: '', kind: '' }, '', [invalid('patch', value, why)]);

const mismatch = (value: JsonValue) =>
  `json: cannot unmarshal ${jsonTypeOf(value)} into Go value of type map[string]interface {}`;

function parsed(body: Buffer, refuse: (why: string) => ApiError): JsonValue {
  try {
    return parseJson(body).value;
  } catch (error) {
    throw error instanceof JsonSyntaxError ? refuse(error.message) : error;
  }
}

function understood<T>(read: () => T, refuse: (why: string) => ApiError): T {
  try {
    return read();
  } catch (error) {
    throw error instanceof BadPatch ? refuse(error.message) : error;
  }
}
