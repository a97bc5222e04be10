// PATCH bodies: decodes and applies JSON Patch, JSON Merge Patch and strategic merge patch. Server-side apply is
// separate (decode-applied-configuration.ts). Findings are duplicate and unknown fields, for field validation.
import { isObject, type JsonObject, type JsonValue } from '../codec/json/json-value.ts';
import { JsonSyntaxError, type ParsedJson, parseJson } from '../codec/json/parse.ts';
import { stringifyJson } from '../codec/json/stringify.ts';
import { badRequest, invalidObject } from '../errors/catalogue.ts';
import { invalid } from '../errors/field-error.ts';
import { goText } from '../errors/go-json.ts';
import { ApiError } from '../errors/status.ts';
import { escapeHtml, mapOf } from '../schema/collections.ts';
import { DecodeError, Decoding } from '../schema/decoding.ts';
import type { Type } from '../schema/type.ts';
import { anyJson } from './any-json.ts';
import { applyJsonPatch, kubeApiserverOptions } from './json-patch.ts';
import { decodeJsonPatchLeniently, decodeJsonPatchStrictly, type JsonPatchBody } from './json-patch-body.ts';
import { applyMergePatch } from './merge-patch.ts';
import { InternalPatchError, InvalidPatch, PatchNotApplicable } from './patch-error.ts';
import { applyStrategicMerge } from './strategic-merge.ts';

/** A decoded PATCH, which can be applied repeatedly (retries on conflict). */
export interface Patch {
  /** Whether the patch may read or write managedFields: the document must then contain them as JSON. */
  readonly mayReferToManagedFields: boolean;
  /** Applies the patch and may modify the document. Throws ApiError. */
  apply(document: JsonObject, type: Type): Patched;
}

export interface Patched {
  /** The object's JSON after the patch. */
  readonly value: JsonValue;
  /** Strategic merge patch: the result is decoded as the kind of the live object, whatever kind the patch sets. */
  readonly keepsKind: boolean;
  /** The findings in the patch. */
  readonly findings: readonly string[];
  /** The error for a result that cannot be decoded as its kind. */
  undecodableError(reason: string): ApiError;
}

export const jsonPatchType = 'application/json-patch+json';
export const mergePatchType = 'application/merge-patch+json';
export const strategicMergeType = 'application/strategic-merge-patch+json';
export const patchTypes = [jsonPatchType, mergePatchType, strategicMergeType] as const;
export type PatchType = (typeof patchTypes)[number];

const maxJsonPatchOperations = 10_000;

/**
 * Decodes a patch lazily: a malformed body throws when the patch is first applied. `ignoresFieldValidation`: the
 * request has fieldValidation=Ignore.
 */
export function decodePatch(type: PatchType, body: Buffer, ignoresFieldValidation: boolean): Patch {
  return {
    ...appliersByType[type](body, ignoresFieldValidation),
    mayReferToManagedFields: managedFieldsReference.test(body.toString()),
  };
}

/** Matches the name, an escape that may hide it, and a JSON Pointer to the object or to its metadata. */
const managedFieldsReference = /managedFields|\\u|"(?:\/metadata)?"/;

type PatchApplier = Pick<Patch, 'apply'>;

const appliersByType: Readonly<
  Record<PatchType, (body: Buffer, ignoresFieldValidation: boolean) => PatchApplier>
> = {
  [jsonPatchType]: jsonPatchApplier,
  [mergePatchType]: mergePatchApplier,
  [strategicMergeType]: strategicMergeApplier,
};

function jsonPatchApplier(body: Buffer, ignoresFieldValidation: boolean): PatchApplier {
  const decodeOnce = once(() => decodeJsonPatch(body, ignoresFieldValidation));
  return {
    apply(document) {
      try {
        const { operations, findings } = decodeOnce();
        return patchedJson(applyJsonPatch(document, operations, kubeApiserverOptions), findings);
      } catch (error) {
        throw error instanceof PatchNotApplicable ? patchNotApplicable() : error;
      }
    },
  };
}

const patchNotApplicable = () =>
  new ApiError(422, 'Invalid', 'the server rejected our request due to an error in our request', {});

function decodeJsonPatch(body: Buffer, ignoresFieldValidation: boolean): JsonPatchBody {
  const patch = decodeOrBadRequest(
    () => {
      const { value, duplicates } = parseJson(body, { lastDuplicateWins: true });
      return ignoresFieldValidation
        ? decodeJsonPatchLeniently(value)
        : decodeJsonPatchStrictly(value, duplicates);
    },
    ignoresFieldValidation ? '' : 'error decoding patch: ',
  );
  const { length } = patch.operations;
  if (length <= maxJsonPatchOperations) return patch;
  throw new ApiError(
    413,
    'RequestEntityTooLarge',
    `Request entity too large: The allowed maximum operations in a JSON patch is ${maxJsonPatchOperations}, got ${length}`,
  );
}

function mergePatchApplier(body: Buffer, ignoresFieldValidation: boolean): PatchApplier {
  const decodeOnce = once(() => decodeMergePatch(body, ignoresFieldValidation));
  return {
    apply: (document) => patchedJson(applyMergePatch(document, decodeOnce().value), decodeOnce().findings),
  };
}

/** A merge patch and its duplicate keys. */
interface MergePatchBody<T> {
  readonly value: T;
  readonly findings: readonly string[];
}

const invalidMergePatch = 'Invalid JSON Patch';

function decodeMergePatch(body: Buffer, ignoresFieldValidation: boolean): MergePatchBody<JsonValue> {
  if (!ignoresFieldValidation) {
    const { value, findings } = decodeOrBadRequest(
      () => decodeObject(parseJson(body, { lastDuplicateWins: true })),
      'error decoding patch: ',
    );
    if (value === null) throw badRequest(invalidMergePatch);
    return { value, findings };
  }
  try {
    const { value } = parseJson(body, { lastDuplicateWins: true });
    if (isObject(value) || Array.isArray(value)) return { value, findings: [] };
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
  }
  throw badRequest(invalidMergePatch);
}

const AnyObject = mapOf(anyJson, { name: 'map[string]interface {}' });

/** Records duplicate keys as findings. The value is null for a JSON null; other values than objects throw. */
function decodeObject({ value, duplicates }: ParsedJson): MergePatchBody<JsonObject | null> {
  const decoding = new Decoding(duplicates);
  if (value !== null) AnyObject.read(value, decoding);
  decoding.throwFault();
  return { value: isObject(value) ? value : null, findings: decoding.findings };
}

function strategicMergeApplier(body: Buffer, ignoresFieldValidation: boolean): PatchApplier {
  const decodeOnce = once(() => {
    const { value, findings } = decodeOrBadRequest(
      () => decodeObject(parseJson(body, { lastDuplicateWins: true })),
      '',
    );
    return { value: value ?? {}, findings: ignoresFieldValidation ? [] : findings };
  });
  return {
    apply(document, type) {
      try {
        const { value, findings } = decodeOnce();
        const { object, remainingPatch } = applyStrategicMerge(document, value, type);
        // kube-apiserver quotes the part of the patch that the merge left over, not the result.
        const undecodableError = (reason: string) => invalidPatch(goText(remainingPatch), reason);
        return { value: object, keepsKind: true, findings, undecodableError };
      } catch (error) {
        if (error instanceof InternalPatchError) throw new ApiError(500, '', error.message);
        throw error instanceof InvalidPatch ? badRequest(error.message) : error;
      }
    },
  };
}

function patchedJson(value: JsonValue, findings: readonly string[]): Patched {
  return {
    value,
    keepsKind: false,
    findings,
    undecodableError: (reason) => invalidPatch(escapeHtml(stringifyJson(value)), reason),
  };
}

const invalidPatch = (value: string, reason: string) =>
  invalidObject({ group: '', kind: '' }, '', [invalid('patch', value, reason)]);

function decodeOrBadRequest<T>(read: () => T, messagePrefix: string): T {
  try {
    return read();
  } catch (error) {
    const isMalformed = error instanceof JsonSyntaxError || error instanceof DecodeError;
    throw isMalformed ? badRequest(`${messagePrefix}${error.message}`) : error;
  }
}

/** Calls `compute` at the first call, and returns its result at every call. */
function once<T>(compute: () => T): () => T {
  let computed: { readonly value: T } | undefined;
  return () => {
    computed ??= { value: compute() };
    return computed.value;
  };
}
