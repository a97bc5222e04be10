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

/** field.Error.ErrorBody: the message without the field path. */
export function fieldErrorBody(error: FieldError): string {
  let text = titles[error.type];
  if (!typesWithoutValue.has(error.type) && error.value !== omittedValue)
    text += `: ${formatValue(error.value)}`;
  else if (error.type === 'FieldValueTooMany') text += `: ${error.value}`;
  return error.detail === '' ? text : `${text}: ${error.detail}`;
}

/** A value that is already formatted for messages: `[]string{"x"}`, `0x0`. */
export class FormattedValue {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

/** Go's %#v of bytes, given as base64. */
export function goByteSlice(base64: string | undefined): FormattedValue {
  if (base64 === undefined) return new FormattedValue('[]byte(nil)');
  const bytes = Buffer.from(base64, 'base64');
  return new FormattedValue(`[]byte{${[...bytes].map((byte) => `0x${byte.toString(16)}`).join(', ')}}`);
}

/** Go's %#v of a string slice. */
export const goStringSlice = (values: readonly string[]) =>
  new FormattedValue(`[]string{${values.map(quote).join(', ')}}`);

/** A value as field.Error prints it: strings quoted, objects as JSON. */
export function formatValue(value: unknown): string {
  if (typeof value === 'string') return quote(value);
  if (value === undefined || value === null) return 'null';
  if (value instanceof FormattedValue) return value.text;
  if (typeof value === 'object') return JSON.stringify(value);
  return String(value);
}
