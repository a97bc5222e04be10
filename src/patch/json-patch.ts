// JSON Patch (RFC 6902): applies a list of operations in order; one failed operation fails the whole patch.
import { copyJson, isObject, type JsonValue } from '../codec/json/json-value.ts';
import { stringifyJson } from '../codec/json/stringify.ts';
import { sortKeys } from './any-json.ts';
import { isJsonEqual } from './json-equal.ts';
import {
  elementIndex,
  insertionIndex,
  missingPathError,
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

/** Deviations from RFC 6902 that kube-apiserver has through its library, evanphx/json-patch. */
export interface JsonPatchOptions extends PointerOptions {
  /**
   * An absent object member counts as null: `replace`, `test` and `copy` accept it. A missing `value` of `add` and
   * `replace` counts as null too.
   */
  readonly absentIsNull: boolean;
  /**
   * The root document can only be tested, or replaced by an object or a list. `add` and `copy` on it fail; replacing it
   * by a scalar has no effect.
   */
  readonly isRootFixed: boolean;
}

/** RFC 6902 without deviations. */
export const rfc6902: JsonPatchOptions = { isLenient: false, absentIsNull: false, isRootFixed: false };

/** The behaviour of kube-apiserver. */
export const kubeApiserverOptions: JsonPatchOptions = {
  isLenient: true,
  absentIsNull: true,
  isRootFixed: true,
};

/** Bounds the bytes that `copy` operations add in total. */
const maxCopiedBytes = 3 * 1024 * 1024;

/** Bounds the list elements shifted in total: each insertion into a long list shifts all elements behind it. */
const maxShiftedElements = 20_000_000;

/**
 * Applies all operations and consumes the document: the result shares its untouched parts. Throws PatchNotApplicable at
 * the first operation that fails.
 */
export function applyJsonPatch(
  document: JsonValue,
  operations: readonly JsonPatchOperation[],
  options: JsonPatchOptions,
): JsonValue {
  const executor = new JsonPatchExecutor(document, options);
  for (const operation of operations) executor.execute(operation);
  return executor.result();
}

class JsonPatchExecutor {
  document: JsonValue;
  readonly #options: JsonPatchOptions;
  /** Objects and lists on the path of an operation: the result has their keys sorted. */
  readonly #traversed = new Set<JsonValue>();
  #copiedBytes = 0;
  #shiftedElements = 0;

  constructor(document: JsonValue, options: JsonPatchOptions) {
    this.document = document;
    this.#options = options;
  }

  execute(operation: JsonPatchOperation): void {
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
          this.#add(path, copyJson(this.#operand(value, path)));
          return;
        case 'remove':
          this.#remove(path);
          return;
        case 'replace':
          this.#replace(path, copyJson(this.#operand(value, path)));
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

  /** kube-apiserver re-encodes the objects that an operation traversed, which sorts their keys. */
  result(): JsonValue {
    if (isObject(this.document)) this.#traversed.add(this.document);
    return this.#withSortedKeys(this.document);
  }

  #withSortedKeys(value: JsonValue): JsonValue {
    if (typeof value !== 'object' || value === null || !this.#traversed.has(value)) return value;
    if (Array.isArray(value)) return value.map((element) => this.#withSortedKeys(element));
    if (!isObject(value)) return value;
    const result = sortKeys(value);
    for (const key in result) result[key] = this.#withSortedKeys(result[key]!);
    return result;
  }

  /** The `value` of an operation, or null in its place if the options allow that. */
  #operand(value: JsonValue | undefined, path: string): JsonValue {
    if (value !== undefined) return value;
    if (this.#options.absentIsNull) return null;
    throw missingPathError(path);
  }

  #add(path: string, value: JsonValue): void {
    const target = this.#resolve(path);
    if (!target) {
      this.#rejectRootWrite(path);
      this.document = value;
    } else if (Array.isArray(target.container)) {
      const index = insertionIndex(target.container, target.key, this.#options);
      this.#chargeShifted(target.container.length - index);
      target.container.splice(index, 0, value);
    } else {
      target.container[target.key] = value;
    }
  }

  #remove(path: string): JsonValue {
    const target = this.#resolve(path);
    if (!target) throw missingPathError(path);
    const { container, key } = target;
    if (Array.isArray(container)) {
      const index = elementIndex(container, key, this.#options);
      this.#chargeShifted(container.length - index);
      return container.splice(index, 1)[0]!;
    }
    if (!Object.hasOwn(container, key)) {
      throw new NoSuchKey(`Unable to remove nonexistent key: ${key}: missing value`);
    }
    const value = container[key]!;
    delete container[key];
    return value;
  }

  #replace(path: string, value: JsonValue): void {
    const target = this.#resolve(path);
    if (!target) {
      const isContainer = isObject(value) || Array.isArray(value);
      if (isContainer || !this.#options.isRootFixed) this.document = value;
      return;
    }
    const { container, key } = target;
    if (Array.isArray(container)) container[elementIndex(container, key, this.#options)] = value;
    else if (Object.hasOwn(container, key) || this.#options.absentIsNull) container[key] = value;
    else throw missingPathError(path);
  }

  #read(path: string): JsonValue {
    const target = this.#resolve(path);
    if (!target) return this.document;
    const { container, key } = target;
    if (Array.isArray(container)) return container[elementIndex(container, key, this.#options)]!;
    if (Object.hasOwn(container, key)) return container[key]!;
    if (this.#options.absentIsNull) return null;
    throw missingPathError(path);
  }

  #copy(from: string): JsonValue {
    if (from === '') this.#rejectRootWrite(from);
    const value = this.#read(from);
    this.#copiedBytes += Buffer.byteLength(stringifyJson(value));
    if (this.#copiedBytes > maxCopiedBytes) throw new PatchNotApplicable('too much is copied');
    return copyJson(value);
  }

  /** Undefined for the root document, which has no parent container. */
  #resolve(path: string): PointerTarget | undefined {
    const target = resolvePointer(this.document, path, this.#options, this.#traversed);
    if (!target && path !== '') throw missingPathError(path);
    return target;
  }

  #chargeShifted(elements: number): void {
    this.#shiftedElements += elements;
    if (this.#shiftedElements > maxShiftedElements)
      throw new PatchNotApplicable('too many elements of lists are moved along');
  }

  #rejectRootWrite(path: string): void {
    if (this.#options.isRootFixed) throw missingPathError(path);
  }
}

const supportedOperations = ['add', 'remove', 'replace', 'test', 'move', 'copy'];

function missingPathField(op: string): PatchNotApplicable {
  const detail = op === 'replace' || op === 'test' ? 'operation missing path field: ' : '';
  return new PatchNotApplicable(`${op} operation failed to decode path: ${detail}missing value`);
}

/** The message of evanphx/json-patch for a failed operation. */
function withUpstreamMessage({ op, path = '', from = '' }: JsonPatchOperation, error: unknown): unknown {
  if (error instanceof NoSuchPath) {
    const missingPointer = error.message;
    if (op === 'test')
      return new PatchNotApplicable(`test operation does not apply: is missing path: ${path}: missing value`);
    const subject =
      {
        add: `path: "${path}"`,
        remove: `path: "${path}"`,
        replace: `path: ${path}`,
      }[op] ?? (missingPointer === from ? `from path: ${from}` : `destination path: ${path}`);
    return new PatchNotApplicable(`${op} operation does not apply: doc is missing ${subject}: missing value`);
  }
  if (!(error instanceof NoSuchKey)) return error;
  const { message } = error;
  if (op === 'replace') {
    return new PatchNotApplicable(
      `replace operation does not apply: doc is missing key: ${path}: missing value`,
    );
  }
  if (op === 'copy') return new PatchNotApplicable(`error in copy for from: '${from}': ${message}`);
  const lastToken = path.slice(path.lastIndexOf('/') + 1);
  const reason =
    op === 'add' && message.startsWith('strconv')
      ? `value was not a proper array index: '${lastToken}': ${message}`
      : message;
  const location = op === 'move' ? from.slice(from.lastIndexOf('/') + 1) : path;
  return new PatchNotApplicable(`error in ${op} for path: '${location}': ${reason}`);
}
