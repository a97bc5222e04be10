import { isObject, type JsonObject, type JsonValue } from '../codec/json/json-value.ts';
import { JsonSyntaxError, type ParsedJson, parseJson } from '../codec/json/parse.ts';
import { stringifyJson } from '../codec/json/stringify.ts';
import { badRequest, invalidObject } from '../errors/catalogue.ts';
import { invalid } from '../errors/field-error.ts';
import { goText } from '../errors/go-json.ts';
import { ApiError } from '../errors/status.ts';
import { mapOf } from '../schema/collections.ts';
import { DecodeError, Decoding } from '../schema/decoding.ts';
import { clearOfMarkup } from '../schema/raw.ts';
import type { Type } from '../schema/type.ts';
import { anyJson } from './any-json.ts';
import { applyJsonPatch, asServed } from './json-patch.ts';
import { type JsonPatchBody, readJsonPatch, readJsonPatchLoosely } from './json-patch-body.ts';
import { applyMergePatch } from './merge-patch.ts';
import { BadPatch, PatchFailure, PatchMisfit } from './patch-error.ts';
import { applyStrategicMerge } from './strategic-merge.ts';

/** What a PATCH changes: read when there is an object to change, and then applied to as many states as it takes. */
export interface Patch {
  /** It may look into who owns what, or say so: the document must then have that as JSON. */
  readonly isAboutOwners: boolean;
  /** Uses the document up. Throws what the client is to be told. */
  apply(document: JsonObject, type: Type): Patched;
}

export interface Patched {
  /** The object's JSON after the patch. */
  readonly value: JsonValue;
  /** It was made in terms of the kind, not of JSON: it is of this kind whatever it says, and is read as such. */
  readonly isOfKind: boolean;
  /** What the patch says twice, or beside what can be said in one. */
  readonly findings: readonly string[];
  /** What is said where the result is no object of its kind. */
  refusal(why: string): ApiError;
}

export const jsonPatchType = 'application/json-patch+json';
export const mergePatchType = 'application/merge-patch+json';
export const strategicMergeType = 'application/strategic-merge-patch+json';
export const patchTypes = [jsonPatchType, mergePatchType, strategicMergeType] as const;
export type PatchType = (typeof patchTypes)[number];

const mostOperations = 10_000;

/** `quiet`: the client does not want to hear of what it says twice or in vain, nor is it refused for it. */
export function readPatch(type: PatchType, body: Buffer, quiet: boolean): Patch {
  return { ...changes[type](body, quiet), isAboutOwners: mayNameOwners.test(body.toString()) };
}

/** By name, by an escape that may hide the name, or by a path to all that they lie in. */
const mayNameOwners = /managedFields|\\u|"(?:\/metadata)?"/;

type Change = Pick<Patch, 'apply'>;

const changes: Readonly<Record<PatchType, (body: Buffer, quiet: boolean) => Change>> = {
  [jsonPatchType]: jsonPatch,
  [mergePatchType]: mergePatch,
  [strategicMergeType]: strategicMerge,
};

function jsonPatch(body: Buffer, quiet: boolean): Change {
  const content = once(() => jsonPatchIn(body, quiet));
  return {
    apply(document) {
      try {
        const { operations, findings } = content();
        return patchedJson(applyJsonPatch(document, operations, asServed), findings);
      } catch (error) {
        throw error instanceof PatchMisfit ? misfit() : error;
      }
    },
  };
}

const misfit = () =>
  new ApiError(422, 'Invalid', 'the server rejected our request due to an error in our request', {});

function jsonPatchIn(body: Buffer, quiet: boolean): JsonPatchBody {
  const content = understood(
    () => {
      const { value, duplicates } = parseJson(body, { lastStays: true });
      return quiet ? readJsonPatchLoosely(value) : readJsonPatch(value, duplicates);
    },
    quiet ? '' : 'error decoding patch: ',
  );
  const { length } = content.operations;
  if (length <= mostOperations) return content;
  throw new ApiError(
    413,
    'RequestEntityTooLarge',
    `Request entity too large: The allowed maximum operations in a JSON patch is ${mostOperations}, got ${length}`,
  );
}

function mergePatch(body: Buffer, quiet: boolean): Change {
  const content = once(() => mergePatchIn(body, quiet));
  return {
    apply: (document) => patchedJson(applyMergePatch(document, content().value), content().findings),
  };
}

/** A merge patch, and the keys that came twice in it. */
interface MergePatchBody<T> {
  readonly value: T;
  readonly findings: readonly string[];
}

const noMergePatch = 'Invalid JSON Patch';

function mergePatchIn(body: Buffer, quiet: boolean): MergePatchBody<JsonValue> {
  if (!quiet) {
    const { value, findings } = understood(
      () => objectIn(parseJson(body, { lastStays: true })),
      'error decoding patch: ',
    );
    if (value === null) throw badRequest(noMergePatch);
    return { value, findings };
  }
  try {
    const { value } = parseJson(body, { lastStays: true });
    if (isObject(value) || Array.isArray(value)) return { value, findings: [] };
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
  }
  throw badRequest(noMergePatch);
}

const AnyObject = mapOf(anyJson, { name: 'map[string]interface {}' });

function objectIn({ value, duplicates }: ParsedJson): MergePatchBody<JsonObject | null> {
  const decoding = new Decoding(duplicates);
  if (value !== null) AnyObject.read(value, decoding);
  decoding.throwFault();
  return { value: isObject(value) ? value : null, findings: decoding.findings };
}

function strategicMerge(body: Buffer, quiet: boolean): Change {
  const content = once(() => {
    const { value, findings } = understood(() => objectIn(parseJson(body, { lastStays: true })), '');
    return { value: value ?? {}, findings: quiet ? [] : findings };
  });
  return {
    apply(document, type) {
      try {
        const { value, findings } = content();
        const { object, leftOfPatch } = applyStrategicMerge(document, value, type);
        // The reference shows what is left of what was sent, not what came of it.
        const refusal = (why: string) => refused(goText(leftOfPatch), why);
        return { value: object, isOfKind: true, findings, refusal };
      } catch (error) {
        if (error instanceof PatchFailure) throw new ApiError(500, '', error.message);
        throw error instanceof BadPatch ? badRequest(error.message) : error;
      }
    },
  };
}

function patchedJson(value: JsonValue, findings: readonly string[]): Patched {
  return {
    value,
    isOfKind: false,
    findings,
    refusal: (why) => refused(clearOfMarkup(stringifyJson(value)), why),
  };
}

const refused = (value: string, why: string) =>
  invalidObject({ group: '', kind: '' }, '', [invalid('patch', value, why)]);

function understood<T>(read: () => T, beforeWhy: string): T {
  try {
    return read();
  } catch (error) {
    const isKnown = error instanceof JsonSyntaxError || error instanceof DecodeError;
    throw isKnown ? badRequest(`${beforeWhy}${error.message}`) : error;
  }
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
