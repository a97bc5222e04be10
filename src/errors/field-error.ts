// Field errors: the types and messages of field.Error (k8s.io/apimachinery/pkg/util/validation/field).
import { quote } from './quote.ts';

/** A validation error of one field. Clients see its type and texts. */
export interface FieldError {
  readonly type: FieldErrorType;
  readonly field: string;
  /** The invalid value, if the message contains it. */
  readonly value?: unknown;
  readonly detail: string;
}

type FieldErrorType =
  | 'FieldValueNotFound'
  | 'FieldValueRequired'
  | 'FieldValueDuplicate'
  | 'FieldValueInvalid'
  | 'FieldValueNotSupported'
  | 'FieldValueForbidden'
  | 'FieldValueTooLong'
  | 'FieldValueTooMany'
  | 'FieldValueTypeInvalid'
  | 'InternalError';

const titles: Record<FieldErrorType, string> = {
  FieldValueNotFound: 'Not found',
  FieldValueRequired: 'Required value',
  FieldValueDuplicate: 'Duplicate value',
  FieldValueInvalid: 'Invalid value',
  FieldValueNotSupported: 'Unsupported value',
  FieldValueForbidden: 'Forbidden',
  FieldValueTooLong: 'Too long',
  FieldValueTooMany: 'Too many',
  FieldValueTypeInvalid: 'Invalid value',
  InternalError: 'Internal error',
};

const omittedValue = Symbol('omitted value');
const typesWithoutValue: ReadonlySet<FieldErrorType> = new Set([
  'FieldValueRequired',
  'FieldValueForbidden',
  'FieldValueTooLong',
  'FieldValueTooMany',
  'InternalError',
]);

export const invalid = (field: string, value: unknown, detail: string): FieldError => ({
  type: 'FieldValueInvalid',
  field,
  value,
  detail,
});
/** Like `invalid`, without the value in the message. */
export const invalidWithoutValue = (field: string, detail: string): FieldError =>
  invalid(field, omittedValue, detail);
export const required = (field: string, detail = ''): FieldError => ({
  type: 'FieldValueRequired',
  field,
  detail,
});
export const forbidden = (field: string, detail: string): FieldError => ({
  type: 'FieldValueForbidden',
  field,
  detail,
});
export const duplicate = (field: string, value: unknown): FieldError => ({
  type: 'FieldValueDuplicate',
  field,
  value,
  detail: '',
});
export const notFound = (field: string, value: unknown): FieldError => ({
  type: 'FieldValueNotFound',
  field,
  value,
  detail: '',
});
export const typeInvalid = (field: string, value: unknown, detail: string): FieldError => ({
  type: 'FieldValueTypeInvalid',
  field,
  value,
  detail,
});
export const notSupported = (field: string, value: unknown, supported: readonly string[]): FieldError => ({
  type: 'FieldValueNotSupported',
  field,
  value,
  detail: supported.length === 0 ? '' : `supported values: ${supported.map(quote).join(', ')}`,
});
export const tooLong = (field: string, maxBytes: number): FieldError => ({
  type: 'FieldValueTooLong',
  field,
  detail: `may not be more than ${maxBytes} bytes`,
});
export const internal = (field: string, detail: string): FieldError => ({
  type: 'InternalError',
  field,
  detail,
});
export const tooMany = (field: string, actual: number, max: number): FieldError => ({
  type: 'FieldValueTooMany',
  field,
  value: actual,
  detail: `must have at most ${max} items`,
});

/** More errors than a response lists. */
const maxErrors = 10_000;

/** Appends errors up to a limit. `push(...more)` would fail for the many errors that a large object can have. */
export function addErrors(errors: FieldError[], more: Iterable<FieldError>): void {
  for (const error of more) {
    if (errors.length >= maxErrors) return;
    errors.push(error);
  }
}

/** field.Error.ErrorBody: the message without the field path. */
export function fieldErrorBody(error: FieldError): string {
  let text = titles[error.type];
  if (!typesWithoutValue.has(error.type) && error.value !== omittedValue)
    text += `: ${formatValue(error.value)}`;
  else if (error.type === 'FieldValueTooMany') text += `: ${error.value}`;
  return error.detail === '' ? text : `${text}: ${error.detail}`;
}

/** Characters of a value in a message. Upstream prints values of any length, in Go syntax many times their size. */
const maxValueCharacters = 64 * 1024;

/** A value that is already formatted for messages: `[]string{"x"}`, `0x0`. */
export class FormattedValue {
  readonly text: string;
  constructor(text: string) {
    this.text = text.length > maxValueCharacters ? `${text.slice(0, maxValueCharacters)}…` : text;
  }
}

/** Formats and joins the items of a list, until the text is longer than a message prints. */
export function formatItems<T>(items: Iterable<T>, format: (item: T) => string): string {
  let text = '';
  for (const item of items) {
    text += text === '' ? format(item) : `, ${format(item)}`;
    if (text.length > maxValueCharacters) break;
  }
  return text;
}

/** Go's %#v of bytes, given as base64. */
export function goByteSlice(base64: string | undefined): FormattedValue {
  if (base64 === undefined) return new FormattedValue('[]byte(nil)');
  const bytes = Buffer.from(base64, 'base64');
  return new FormattedValue(`[]byte{${formatItems(bytes, (byte) => `0x${byte.toString(16)}`)}}`);
}

/** Go's %#v of a string slice. */
export const goStringSlice = (values: readonly string[]) =>
  new FormattedValue(`[]string{${formatItems(values, quote)}}`);

/** A value as field.Error prints it: strings quoted, objects as JSON. */
export function formatValue(value: unknown): string {
  if (typeof value === 'string') return quoteLimited(value);
  if (value === undefined || value === null) return 'null';
  if (value instanceof FormattedValue) return value.text;
  if (typeof value === 'object') return new FormattedValue(JSON.stringify(value)).text;
  return String(value);
}

const quoteLimited = (text: string) =>
  text.length > maxValueCharacters ? `${quote(text.slice(0, maxValueCharacters))}…` : quote(text);
