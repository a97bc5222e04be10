// Formats JSON values as Go's fmt package does (%v and %#v).
import { isObject, type JsonValue } from '../codec/json/json-value.ts';
import { formatItems } from './field-error.ts';
import { quote } from './quote.ts';

/** Go's %v: `map[a:1 b:[x <nil>]]`. */
export function goText(value: JsonValue): string {
  if (Array.isArray(value)) return `[${value.map(goText).join(' ')}]`;
  if (!isObject(value)) return value === null ? '<nil>' : String(value);
  const pairs = Object.keys(value)
    .sort()
    .map((key) => `${key}:${goText(value[key]!)}`);
  return `map[${pairs.join(' ')}]`;
}

/** Go's %#v: `map[string]interface {}{"a":1, "b":[]interface {}{"x", interface {}(nil)}}`. */
export function goSyntax(value: JsonValue): string {
  if (Array.isArray(value)) return `[]interface {}{${formatItems(value, goMember)}}`;
  if (typeof value === 'string') return quote(value);
  if (!isObject(value)) return value === null ? '<nil>' : String(value);
  const pairs = formatItems(Object.keys(value).sort(), (key) => `${quote(key)}:${goMember(value[key]!)}`);
  return `map[string]interface {}{${pairs}}`;
}

const goMember = (value: JsonValue) => (value === null ? 'interface {}(nil)' : goSyntax(value));
