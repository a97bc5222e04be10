// Formats the invalid value of a field error that upstream prints as an interface{} of Go.
import { type JsonValue, RawNumber } from '../codec/json/json-value.ts';
import { FormattedValue } from './field-error.ts';
import { goSyntax } from './go-json.ts';

/** The `value` for a field error: objects and lists in Go syntax, scalars as they are. */
export function formatInvalidValue(value: JsonValue): unknown {
  return typeof value === 'object' && value !== null && !(value instanceof RawNumber)
    ? new FormattedValue(goSyntax(value))
    : value;
}
