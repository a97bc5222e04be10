// The state of decoding one value: current path, findings of field validation (unknown and duplicate fields), and the
// first error. Schema types call its `report…` methods; the messages are those of Go's encoding/json.
import { type JsonObject, type JsonValue, RawNumber } from '../codec/json/json-value.ts';
import type { Duplicates } from '../codec/json/parse.ts';
import { type FieldError, invalid, required } from '../errors/field-error.ts';
import { quote } from '../errors/quote.ts';

/** The value does not fit the type. The message is upstream's, without its wrapping. */
export class DecodeError extends Error {}

/** Maximum nesting of recursive types; about half of the steps are map keys or list indexes. */
const maxPathLength = 500;

/** Maximum number of unknown and duplicate fields that are reported. */
const maxFindings = 100;

/**
 * As in Go, the first type mismatch is recorded and decoding continues, while an error of a type's own UnmarshalJSON
 * ends it at once (DecodeError).
 */
export class Decoding {
  /** `unknown field "…"` and `duplicate field "…"`, each once, in the order found. */
  readonly findings: string[] = [];
  /**
   * Errors that only the body shows, since the decoded object does not distinguish absent from empty fields.
   * Validation reports them if the dialect requires it. Always empty for Protobuf, which has no presence either.
   */
  readonly absences: FieldError[] = [];
  /** Whether `2.0` and `2e0` decode as integers. A subclass that decodes unstructured objects overrides it. */
  readonly acceptsWholeFloats: boolean = false;
  /** Whether `1` decodes as a quantity, like `"1"`. */
  readonly acceptsNumericQuantities: boolean = true;
  /** Name of the struct whose field is being decoded. */
  struct = '';
  readonly #duplicates: Duplicates | undefined;
  /** Struct fields, map keys and list indexes from the root. */
  readonly #path: (string | number)[] = [];
  /** Struct fields only, for type mismatches. */
  readonly #fields: string[] = [];
  #firstFault: string | undefined;
  /** Number of enclosing values with a custom UnmarshalJSON (see `withCustomUnmarshal`). */
  #customUnmarshalDepth = 0;

  constructor(duplicates?: Duplicates) {
    this.#duplicates = duplicates;
  }

  /** The keys that the body contains more than once in this object; undefined if none. */
  repeatedKeys(object: JsonObject): ReadonlySet<string> | undefined {
    return this.#duplicates?.get(object);
  }

  enterField(name: string): void {
    this.#path.push(name);
    if (this.#customUnmarshalDepth === 0) this.#fields.push(name);
  }

  leaveField(): void {
    this.#path.pop();
    if (this.#customUnmarshalDepth === 0) this.#fields.pop();
  }

  /**
   * Decodes a value for which upstream has a custom UnmarshalJSON: errors inside are reported for the whole value, and
   * unknown fields are not reported.
   */
  withCustomUnmarshal<T>(read: () => T): T {
    this.#customUnmarshalDepth++;
    const value = read();
    this.#customUnmarshalDepth--;
    return value;
  }

  /**
   * Decodes a value that upstream decodes separately: field paths in errors start at the value, and `wrap` adds the
   * context to the message.
   */
  decodeSeparately<T>(wrap: (message: string) => string, read: () => T): T {
    const outerFault = this.#firstFault;
    const outerFields = this.#fields.splice(0);
    this.#firstFault = undefined;
    try {
      return read();
    } catch (error) {
      throw error instanceof DecodeError ? new DecodeError(wrap(error.message)) : error;
    } finally {
      const innerFault = this.#firstFault;
      this.#firstFault = outerFault ?? (innerFault === undefined ? undefined : wrap(innerFault));
      this.#fields.push(...outerFields);
    }
  }

  enterElement(keyOrIndex: string | number): void {
    this.#path.push(keyOrIndex);
  }

  leaveElement(): void {
    this.#path.pop();
  }

  /** Throws DecodeError for nesting that could overflow the stack. */
  assertNotTooDeep(typeName: string): void {
    if (this.#path.length <= maxPathLength) return;
    throw new DecodeError(`${typeName} is nested too deeply: at most ${maxPathLength} steps from the top`);
  }

  reportUnknownField(name: string): void {
    this.#recordFinding('unknown', name);
  }

  reportDuplicateField(name: string): void {
    this.#recordFinding('duplicate', name);
  }

  /** Records that a required field is absent or null. */
  reportAbsent(name: string): void {
    if (this.absences.length < maxFindings) this.absences.push(required(this.pathTo(name)));
  }

  /** Records an explicit 0 in a field in which only an absent value means the default. */
  reportExplicitZero(name: string, problem: string): void {
    if (this.absences.length < maxFindings) this.absences.push(invalid(this.pathTo(name), 0, problem));
  }

  /** The path from the root to a field of the current value. */
  pathTo(name: string): string {
    let path = '';
    for (const step of this.#path) {
      if (typeof step === 'number') path += `[${step}]`;
      else path += path === '' ? step : `.${step}`;
    }
    return path === '' ? name : `${path}.${name}`;
  }

  #recordFinding(kind: 'unknown' | 'duplicate', name: string): void {
    if (this.#customUnmarshalDepth > 0 || this.findings.length >= maxFindings) return;
    const finding = `${kind} field ${quote(this.pathTo(name))}`;
    if (!this.findings.includes(finding)) this.findings.push(finding);
  }

  /** Records a JSON type mismatch. `description` names the value in the message: `array`, `number 1.5`. */
  reportMismatch(value: JsonValue, type: { readonly name: string }, description = jsonTypeOf(value)): void {
    this.reportFault(this.mismatchMessage(description, type.name));
  }

  mismatchMessage(description: string, typeName: string): string {
    const target =
      this.#fields.length === 0 ? 'Go value' : `Go struct field ${this.struct}.${this.#fields.join('.')}`;
    return `json: cannot unmarshal ${description} into ${target} of type ${typeName}`;
  }

  /** Records an error if it is the first; decoding continues. `throwFault` throws it at the end. */
  reportFault(message: string): void {
    this.#firstFault ??= message;
  }

  /** Throws the first recorded error, if any. */
  throwFault(): void {
    if (this.#firstFault !== undefined) throw new DecodeError(this.#firstFault);
  }
}

/** Decodes a CBOR body: unlike resource.Quantity's UnmarshalJSON, its UnmarshalCBOR reads text only. */
export class CborDecoding extends Decoding {
  override readonly acceptsNumericQuantities = false;
}

/** The JSON type of a value, as Go's error messages name it. */
export function jsonTypeOf(value: JsonValue): string {
  if (typeof value === 'string') return 'string';
  if (typeof value === 'number' || value instanceof RawNumber) return 'number';
  if (typeof value === 'boolean') return 'bool';
  return Array.isArray(value) ? 'array' : 'object';
}
