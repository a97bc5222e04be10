import {
  copyJson,
  isObject,
  type JsonObject,
  type JsonValue,
  RawNumber,
  userKeyed,
} from '../codec/json/json-value.ts';
import { stringifyJson } from '../codec/json/stringify.ts';
import { jsonTypeOf } from '../schema/decoding.ts';
import { BadPatch, PatchMisfit } from './patch-error.ts';

/** A step of a JSON Patch (RFC 6902). */
export interface Operation {
  readonly op: string;
  readonly path?: string;
  readonly from?: string;
  readonly value?: JsonValue;
}

/** What `copy` may add to a document in all, so that few steps cannot make much of little. */
const mostCopied = 3 * 1024 * 1024;

/** The steps in a parsed body. */
export function readJsonPatch(body: JsonValue): Operation[] {
  if (body === null) return [];
  if (!Array.isArray(body)) throw new BadPatch(mismatch(body, '[]handlers.jsonPatchOp'));
  return body.map((step) => {
    if (step === null) return { op: '' };
    if (!isObject(step)) throw new BadPatch(mismatch(step, 'handlers.jsonPatchOp'));
    const { op = '', path, from } = step;
    return {
      op: typeof op === 'string' ? op : '',
      ...(typeof path === 'string' && { path }),
      ...(typeof from === 'string' && { from }),
      value: Object.hasOwn(step, 'value') ? step.value! : null,
    };
  });
}

const mismatch = (value: JsonValue, wanted: string) =>
  `json: cannot unmarshal ${jsonTypeOf(value)} into Go value of type ${wanted}`;

/** The document after all steps. Throws PatchMisfit at the first that cannot be taken. */
export function applyJsonPatch(document: JsonValue, operations: readonly Operation[]): JsonValue {
  const root = { document: copyJson(document), copied: 0 };
  for (const operation of operations) take(root, operation);
  return root.document;
}

interface Root {
  document: JsonValue;
  copied: number;
}

function take(root: Root, { op, path, from, value = null }: Operation): void {
  if (path === undefined) throw new PatchMisfit('the step has no path');
  switch (op) {
    case 'add':
      add(root, path, copyJson(value));
      return;
    case 'remove':
      remove(root, path);
      return;
    case 'replace':
      replace(root, path, copyJson(value));
      return;
    case 'test':
      if (!isSame(read(root, path, true) ?? null, value)) throw new PatchMisfit('the test failed');
      return;
    case 'move':
      add(root, path, remove(root, from));
      return;
    case 'copy':
      add(root, path, copied(root, from));
      return;
    default:
      throw new PatchMisfit(`there is no operation ${op}`);
  }
}

function copied(root: Root, from: string | undefined): JsonValue {
  const value = read(root, from, false) ?? null;
  root.copied += stringifyJson(value).length;
  if (root.copied > mostCopied) throw new PatchMisfit('too much is copied');
  return copyJson(value);
}

/** Where a path leads: what holds the last part of it, and that part. */
interface Place {
  readonly holder: JsonObject | JsonValue[];
  readonly key: string;
}

/** What stands before the first slash is not looked at. */
function placeOf(root: Root, path: string | undefined): Place {
  if (path === undefined) throw new PatchMisfit('the step does not say from where');
  const parts = path.split('/').slice(1).map(plainPart);
  if (parts.length === 0) throw new PatchMisfit('the path leads to the document itself');
  let holder = root.document;
  for (const part of parts.slice(0, -1)) {
    const next = isObject(holder)
      ? Object.hasOwn(holder, part)
        ? holder[part]
        : undefined
      : Array.isArray(holder)
        ? holder[indexIn(holder, part)]
        : undefined;
    if (next === undefined) throw new PatchMisfit(`there is nothing at ${path}`);
    holder = next;
  }
  if (!isObject(holder) && !Array.isArray(holder)) throw new PatchMisfit(`there is nothing at ${path}`);
  return { holder, key: parts.at(-1)! };
}

const plainPart = (part: string) => part.replaceAll('~1', '/').replaceAll('~0', '~');

function indexIn(list: readonly JsonValue[], key: string): number {
  if (!/^-?\d{1,9}$/.test(key)) throw new PatchMisfit(`${key} is no place in a list`);
  const index = Number(key);
  return index < 0 ? index + list.length : index;
}

function existing(list: readonly JsonValue[], key: string): number {
  const index = indexIn(list, key);
  if (index < 0 || index >= list.length) throw new PatchMisfit(`the list has no element ${key}`);
  return index;
}

function add(root: Root, path: string, value: JsonValue): void {
  const { holder, key } = placeOf(root, path);
  if (!Array.isArray(holder)) {
    holder[key] = value;
    return;
  }
  const index = key === '-' ? holder.length : indexIn(holder, key);
  if (index < 0 || index > holder.length) throw new PatchMisfit(`the list has no room at ${key}`);
  holder.splice(index, 0, value);
}

function remove(root: Root, path: string | undefined): JsonValue {
  const { holder, key } = placeOf(root, path);
  if (Array.isArray(holder)) return holder.splice(existing(holder, key), 1)[0]!;
  if (!Object.hasOwn(holder, key)) throw new PatchMisfit(`there is nothing at ${path}`);
  const value = holder[key]!;
  delete holder[key];
  return value;
}

function replace(root: Root, path: string, value: JsonValue): void {
  if (path === '') {
    root.document = isObject(value) || Array.isArray(value) ? value : userKeyed();
    return;
  }
  const { holder, key } = placeOf(root, path);
  // The reference takes a key that is not there as well.
  if (Array.isArray(holder)) holder[existing(holder, key)] = value;
  else holder[key] = value;
}

function read(root: Root, path: string | undefined, wholeToo: boolean): JsonValue | undefined {
  if (path === '' && wholeToo) return root.document;
  const { holder, key } = placeOf(root, path);
  if (Array.isArray(holder)) return holder[existing(holder, key)];
  return Object.hasOwn(holder, key) ? holder[key] : undefined;
}

/** Whether two values say the same, in whatever order their keys are. */
export function isSame(one: JsonValue, other: JsonValue): boolean {
  if (one instanceof RawNumber || other instanceof RawNumber) return String(one) === String(other);
  if (Array.isArray(one) || Array.isArray(other)) {
    return (
      Array.isArray(one) &&
      Array.isArray(other) &&
      one.length === other.length &&
      one.every((value, i) => isSame(value, other[i]!))
    );
  }
  if (!isObject(one) || !isObject(other)) return one === other;
  const keys = Object.keys(one);
  return (
    keys.length === Object.keys(other).length &&
    keys.every((key) => Object.hasOwn(other, key) && isSame(one[key]!, other[key]!))
  );
}
