// Formats the invalid value of a field error.
import { isObject, type JsonValue, RawNumber } from '../codec/json/json-value.ts';
import { FormattedValue } from './field-error.ts';
import { quote } from './quote.ts';

/** Objects and lists in Go syntax, scalars as they are. */
export function formatInvalidValue(value: JsonValue): unknown {
  return typeof value === 'object' && value !== null && !(value instanceof RawNumber)
    ? new FormattedValue(goSyntaxText(value))
    : value;
}

function goSyntaxText(value: JsonValue): string {
  if (value === null) return 'interface {}(nil)';
  if (typeof value === 'string') return quote(value);
  if (Array.isArray(value)) return `[]interface {}{${value.map(goSyntaxText).join(', ')}}`;
  if (!isObject(value)) return String(value);
  const entries = Object.keys(value)
    .sort()
    .map((key) => `${quote(key)}:${goSyntaxText(value[key]!)}`);
  return `map[string]interface {}{${entries.join(', ')}}`;
}
