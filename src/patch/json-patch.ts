/** JSON Patch (RFC 6902): applies operations in order, all or none. */
import { copyJson, isObject, type JsonValue } from '../codec/json/json-value.ts';
import { stringifyJson } from '../codec/json/stringify.ts';
import { sortKeys } from './any-json.ts';
import { isJsonEqual } from './json-equal.ts';
import {
  elementIndex,
  insertionIndex,
  missingPath,
  type PointerOptions,
  type PointerTarget,
  resolvePointer,
} from './json-pointer.ts';
import { NoSuchKey, NoSuchPath, PatchNotApplicable } from './patch-error.ts';

export interface JsonPatchOperation {
  readonly op: string;
  readonly path?: string;
  readonly from?: string;
  readonly value?: JsonValue;
}

/** Deviations from the RFC. */
export interface JsonPatchOptions extends PointerOptions {
  /**
   * An absent object member counts as null: it can be replaced, tested and copied. So does a missing value of add and
   * replace.
   */
  readonly absentIsNull: boolean;
  /**
   * The whole document can be tested, and replaced by an object or a list; other operations on it fail or have no
   * effect.
   */
  readonly wholeStays: boolean;
}

/** The RFC without deviations. */
export const rfc6902: JsonPatchOptions = { looseNumbers: false, absentIsNull: false, wholeStays: false };

/** Upstream's behaviour. */
export const kubeApiserverOptions: JsonPatchOptions = {
  looseNumbers: true,
  absentIsNull: true,
  wholeStays: true,
};

/** Bounds the bytes that `copy` operations add in total. */
const maxCopiedBytes = 3 * 1024 * 1024;

/** Bounds the list elements shifted in total: each insertion into a long list shifts all elements behind it. */
const maxShiftedElements = 20_000_000;

/**
 * Applies all operations and consumes the document: the result shares its untouched parts. Throws PatchMisfit at the
 * first operation that fails.
 */
export function applyJsonPatch(
  document: JsonValue,
  operations: readonly JsonPatchOperation[],
  options: JsonPatchOptions,
): JsonValue {
  const patching = new JsonPatchExecutor(document, options);
  for (const operation of operations) patching.take(operation);
  return patching.result();
}

class JsonPatchExecutor {
  document: JsonValue;
  readonly #manner: JsonPatchOptions;
  /** Containers that operations have traversed. */
  readonly #traversed = new Set<JsonValue>();
  #copied = 0;
  #shifted = 0;

  constructor(document: JsonValue, options: JsonPatchOptions) {
    this.document = document;
    this.#manner = options;
  }

  take(operation: JsonPatchOperation): void {
    const { op, path, from, value } = operation;
    if (!supportedOperations.includes(op))
      throw new PatchNotApplicable(`Unexpected kind: ${op || 'unknown'}`);
    if ((op === 'move' || op === 'copy') && from === undefined) {
      throw new PatchNotApplicable(
        `${op} operation failed to decode from: operation, missing from field: missing value`,
      );
    }
    if (path === undefined) throw missingPathField(op);
    try {
      switch (op) {
        case 'add':
          this.#add(path, copyJson(this.#given(value, path)));
          return;
        case 'remove':
          this.#remove(path);
          return;
        case 'replace':
          this.#replace(path, copyJson(this.#given(value, path)));
          return;
        case 'test':
          if (value !== undefined && isJsonEqual(this.#read(path), value)) return;
          throw new PatchNotApplicable(`testing value ${path} failed: test failed`);
        case 'move':
          this.#add(path, this.#remove(from!));
          return;
        case 'copy':
          this.#add(path, this.#copy(from!));
      }
    } catch (error) {
      throw withUpstreamMessage(operation, error);
    }
  }

  /** Upstream re-encodes traversed objects, which sorts their keys. */
  result(): JsonValue {
    if (isObject(this.document)) this.#traversed.add(this.document);
    return this.#ordered(this.document);
  }

  #ordered(value: JsonValue): JsonValue {
    if (typeof value !== 'object' || value === null || !this.#traversed.has(value)) return value;
    if (Array.isArray(value)) return value.map((element) => this.#ordered(element));
    if (!isObject(value)) return value;
    const result = sortKeys(value);
    for (const key in result) result[key] = this.#ordered(result[key]!);
    return result;
  }

  #given(value: JsonValue | undefined, path: string): JsonValue {
    if (value !== undefined) return value;
    if (this.#manner.absentIsNull) return null;
    throw missingPath(path);
  }

  #add(path: string, value: JsonValue): void {
    const target = this.#place(path);
    if (!target) {
      this.#refuseWhole(path);
      this.document = value;
    } else if (Array.isArray(target.holder)) {
      const gap = insertionIndex(target.holder, target.key, this.#manner);
      this.#countShifted(target.holder.length - gap);
      target.holder.splice(gap, 0, value);
    } else {
      target.holder[target.key] = value;
    }
  }

  #remove(path: string): JsonValue {
    const target = this.#place(path);
    if (!target) throw missingPath(path);
    const { holder, key } = target;
    if (Array.isArray(holder)) {
      const index = elementIndex(holder, key, this.#manner);
      this.#countShifted(holder.length - index);
      return holder.splice(index, 1)[0]!;
    }
    if (!Object.hasOwn(holder, key)) {
      throw new NoSuchKey(`Unable to remove nonexistent key: ${key}: missing value`);
    }
    const value = holder[key]!;
    delete holder[key];
    return value;
  }

  #replace(path: string, value: JsonValue): void {
    const target = this.#place(path);
    if (!target) {
      const isWhole = isObject(value) || Array.isArray(value);
      if (isWhole || !this.#manner.wholeStays) this.document = value;
      return;
    }
    const { holder, key } = target;
    if (Array.isArray(holder)) holder[elementIndex(holder, key, this.#manner)] = value;
    else if (Object.hasOwn(holder, key) || this.#manner.absentIsNull) holder[key] = value;
    else throw missingPath(path);
  }

  #read(path: string): JsonValue {
    const target = this.#place(path);
    if (!target) return this.document;
    const { holder, key } = target;
    if (Array.isArray(holder)) return holder[elementIndex(holder, key, this.#manner)]!;
    if (Object.hasOwn(holder, key)) return holder[key]!;
    if (this.#manner.absentIsNull) return null;
    throw missingPath(path);
  }

  #copy(from: string): JsonValue {
    if (from === '') this.#refuseWhole(from);
    const value = this.#read(from);
    this.#copied += Buffer.byteLength(stringifyJson(value));
    if (this.#copied > maxCopiedBytes) throw new PatchNotApplicable('too much is copied');
    return copyJson(value);
  }

  /** Undefined for the whole document. */
  #place(path: string): PointerTarget | undefined {
    const target = resolvePointer(this.document, path, this.#manner, this.#traversed);
    if (!target && path !== '') throw missingPath(path);
    return target;
  }

  #countShifted(elements: number): void {
    this.#shifted += elements;
    if (this.#shifted > maxShiftedElements)
      throw new PatchNotApplicable('too many elements of lists are moved along');
  }

  #refuseWhole(path: string): void {
    if (this.#manner.wholeStays) throw missingPath(path);
  }
}

const supportedOperations = ['add', 'remove', 'replace', 'test', 'move', 'copy'];

function missingPathField(op: string): PatchNotApplicable {
  const more = op === 'replace' || op === 'test' ? 'operation missing path field: ' : '';
  return new PatchNotApplicable(`${op} operation failed to decode path: ${more}missing value`);
}

/** Upstream's message for a failed operation. */
function withUpstreamMessage({ op, path = '', from = '' }: JsonPatchOperation, error: unknown): unknown {
  if (error instanceof NoSuchPath) {
    const missing = error.message;
    if (op === 'test')
      return new PatchNotApplicable(`test operation does not apply: is missing path: ${path}: missing value`);
    const what =
      {
        add: `path: "${path}"`,
        remove: `path: "${path}"`,
        replace: `path: ${path}`,
      }[op] ?? (missing === from ? `from path: ${from}` : `destination path: ${path}`);
    return new PatchNotApplicable(`${op} operation does not apply: doc is missing ${what}: missing value`);
  }
  if (!(error instanceof NoSuchKey)) return error;
  const { message } = error;
  if (op === 'replace') {
    return new PatchNotApplicable(
      `replace operation does not apply: doc is missing key: ${path}: missing value`,
    );
  }
  if (op === 'copy') return new PatchNotApplicable(`error in copy for from: '${from}': ${message}`);
  const part = path.slice(path.lastIndexOf('/') + 1);
  const why =
    op === 'add' && message.startsWith('strconv')
      ? `value was not a proper array index: '${part}': ${message}`
      : message;
  const where = op === 'move' ? from.slice(from.lastIndexOf('/') + 1) : path;
  return new PatchNotApplicable(`error in ${op} for path: '${where}': ${why}`);
}
