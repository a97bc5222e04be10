import { type JsonObject, type JsonValue, RawNumber } from '../codec/json/json-value.ts';
import type { Duplicates } from '../codec/json/parse.ts';
import { type FieldError, invalid, required } from '../errors/field-error.ts';
import { quote } from '../errors/quote.ts';

/** The value does not fit the type. The message is the reference's, without what it is wrapped in. */
export class DecodeError extends Error {}

/** Types that lie in themselves may do so about this often: half of the steps are map keys or list positions. */
const deepestPath = 500;

/** Unknown and duplicate fields beyond this many are not named one by one. */
const maxFindings = 100;

/**
 * What is known while a value is read against its type: where we are, and what was found. The first wrong type is
 * kept and reading goes on, as in the reference; what a type's own text parser refuses ends it at once.
 */
export class Decoding {
  /** `unknown field "…"` and `duplicate field "…"`, each once, in the order found. */
  readonly findings: string[] = [];
  /**
   * What is wrong with the object only by what its body has and has not: the object itself does not tell absence from
   * the empty value. Validation takes these in where the dialect asks for it. Protobuf cannot tell either: of its
   * bodies these say nothing.
   */
  readonly absences: FieldError[] = [];
  /** Whether `2.0` and `2e0` are whole numbers too. */
  readonly takesWholeFloats: boolean = false;
  /** Name of the struct whose field is being read. */
  struct = '';
  readonly #duplicates: Duplicates | undefined;
  /** Struct fields, map keys and list positions from the top. */
  readonly #path: (string | number)[] = [];
  /** Struct fields only: wrong types are reported by these. */
  readonly #fields: string[] = [];
  #firstFault: string | undefined;
  /** How many values around this one are read by a parser of their own. */
  #unseen = 0;

  constructor(duplicates?: Duplicates) {
    this.#duplicates = duplicates;
  }

  repeatedKeys(object: JsonObject): ReadonlySet<string> | undefined {
    return this.#duplicates?.get(object);
  }

  enterField(name: string): void {
    this.#path.push(name);
    if (this.#unseen === 0) this.#fields.push(name);
  }

  leaveField(): void {
    this.#path.pop();
    if (this.#unseen === 0) this.#fields.pop();
  }

  /**
   * Reads a value that the reference leaves to a parser of the value's own: what is wrong inside is reported for the
   * whole value, and unknown fields are not.
   */
  unseen<T>(read: () => T): T {
    this.#unseen++;
    const value = read();
    this.#unseen--;
    return value;
  }

  /** Reads a value for which the reference has a parser of its own: what is wrong is named from there, in words of `wrap`. */
  apart<T>(wrap: (message: string) => string, read: () => T): T {
    const fault = this.#firstFault;
    const fields = this.#fields.splice(0);
    this.#firstFault = undefined;
    try {
      return read();
    } catch (error) {
      throw error instanceof DecodeError ? new DecodeError(wrap(error.message)) : error;
    } finally {
      const own = this.#firstFault;
      this.#firstFault = fault ?? (own === undefined ? undefined : wrap(own));
      this.#fields.push(...fields);
    }
  }

  enterElement(keyOrIndex: string | number): void {
    this.#path.push(keyOrIndex);
  }

  leaveElement(): void {
    this.#path.pop();
  }

  /** Ends the reading of a value that is nested so deeply that walking through it would take too much stack. */
  refuseTooDeep(typeName: string): void {
    if (this.#path.length <= deepestPath) return;
    throw new DecodeError(`${typeName} is nested too deeply: at most ${deepestPath} steps from the top`);
  }

  unknownField(name: string): void {
    this.#find('unknown', name);
  }

  duplicateField(name: string): void {
    this.#find('duplicate', name);
  }

  /** A field that must be present is not, or is null. */
  absent(name: string): void {
    if (this.absences.length < maxFindings) this.absences.push(required(this.pathTo(name)));
  }

  /** A field has an explicit 0 that does not stand for its default. */
  zero(name: string, problem: string): void {
    if (this.absences.length < maxFindings) this.absences.push(invalid(this.pathTo(name), 0, problem));
  }

  /** The path from the top to a field of the value that is being read. */
  pathTo(name: string): string {
    let path = '';
    for (const step of this.#path) {
      if (typeof step === 'number') path += `[${step}]`;
      else path += path === '' ? step : `.${step}`;
    }
    return path === '' ? name : `${path}.${name}`;
  }

  #find(what: string, name: string): void {
    if (this.#unseen > 0 || this.findings.length >= maxFindings) return;
    const finding = `${what} field ${quote(this.pathTo(name))}`;
    if (!this.findings.includes(finding)) this.findings.push(finding);
  }

  /** The value is of another JSON type than `type` is read from. `shown` names it more closely. */
  mismatch(value: JsonValue, type: { readonly name: string }, shown = jsonTypeOf(value)): void {
    this.fault(this.mismatchMessage(shown, type.name));
  }

  mismatchMessage(shown: string, typeName: string): string {
    const where =
      this.#fields.length === 0 ? 'Go value' : `Go struct field ${this.struct}.${this.#fields.join('.')}`;
    return `json: cannot unmarshal ${shown} into ${where} of type ${typeName}`;
  }

  /** Something is wrong, and reading goes on. */
  fault(message: string): void {
    this.#firstFault ??= message;
  }

  throwFault(): void {
    if (this.#firstFault !== undefined) throw new DecodeError(this.#firstFault);
  }
}

export function jsonTypeOf(value: JsonValue): string {
  if (typeof value === 'string') return 'string';
  if (typeof value === 'number' || value instanceof RawNumber) return 'number';
  if (typeof value === 'boolean') return 'bool';
  return Array.isArray(value) ? 'array' : 'object';
}
