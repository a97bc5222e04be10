// YAML encoder (application/yaml) with the layout of go-yaml.
import { goFloat } from '../../errors/go-float.ts';
import { type JsonObject, type JsonValue, RawNumber } from '../json/json-value.ts';
import { emitKey, emitString } from './emit-string.ts';
import { sortedKeys } from './key-order.ts';
import { resolvePlainScalar } from './resolve.ts';

/** Keys are sorted, a level is indented by two spaces, and sequences in mappings are not indented. */
export function encodeYaml(value: JsonValue): string {
  if (Array.isArray(value) && value.length > 0) return `${emitSequence(value, 0, '')}\n`;
  if (isNonEmptyObject(value)) return `${emitMapping(value, 0, '')}\n`;
  return `${emitScalar(value, 0, 2)}\n`;
}

/** An entry of a top-level sequence, `- a: b`, without a final line feed. */
export function encodeYamlSequenceEntry(value: JsonValue): string {
  return emitSequence([value], 0, '');
}

/** A key with its value. The caller has emitted the indentation of the first line. */
export function encodeYamlMappingEntry(key: string, value: JsonValue, indent: number): string {
  return isSimpleKey(key)
    ? emitSimpleEntry(key, value, indent)
    : emitComplexEntry(key, value, indent, `\n${' '.repeat(indent)}`);
}

/** `firstIndentation` replaces the indentation of the first key. */
function emitMapping(object: JsonObject, indent: number, firstIndentation: string): string {
  const lineStart = `\n${' '.repeat(indent)}`;
  let text = firstIndentation;
  let isFirst = true;
  for (const key of sortedKeys(object)) {
    if (!isFirst) text += lineStart;
    isFirst = false;
    text += encodeYamlMappingEntry(key, object[key]!, indent);
  }
  return text;
}

function emitSimpleEntry(key: string, value: JsonValue, indent: number): string {
  const name = emitKey(key, indent, indent + 2);
  if (Array.isArray(value) && value.length > 0)
    return `${name}:\n${emitSequence(value, indent, ' '.repeat(indent))}`;
  if (isNonEmptyObject(value)) return `${name}:\n${emitMapping(value, indent + 2, ' '.repeat(indent + 2))}`;
  return `${name}: ${emitScalar(value, indent + [...name].length + 2, indent + 2)}`;
}

/** Longer keys are emitted as complex keys: `? key`. */
const maxSimpleKeyBytes = 128;

/** A UTF-16 code unit takes at most 3 bytes, so the bytes of a short key need not be counted. */
const isSimpleKey = (key: string) =>
  !key.includes('\n') && (key.length <= maxSimpleKeyBytes / 3 || Buffer.byteLength(key) <= maxSimpleKeyBytes);

function emitComplexEntry(key: string, value: JsonValue, indent: number, lineStart: string): string {
  return `? ${emitString(key, indent + 2, indent + 2)}${lineStart}: ${encodeYamlAtColumn(value, indent + 2)}`;
}

function emitSequence(list: readonly JsonValue[], indent: number, firstIndentation: string): string {
  const lineStart = `\n${' '.repeat(indent)}`;
  let text = firstIndentation;
  for (let i = 0; i < list.length; i++) {
    if (i > 0) text += lineStart;
    text += `- ${encodeYamlAtColumn(list[i]!, indent + 2)}`;
  }
  return text;
}

/** A value after `- ` or `: `, which starts at this column. */
export function encodeYamlAtColumn(value: JsonValue, indent: number): string {
  if (Array.isArray(value) && value.length > 0) return emitSequence(value, indent, '');
  if (isNonEmptyObject(value)) return emitMapping(value, indent, '');
  return emitScalar(value, indent, indent);
}

function isNonEmptyObject(value: JsonValue): value is JsonObject {
  if (typeof value !== 'object' || value === null || value instanceof RawNumber) return false;
  for (const _ in value) return true;
  return false;
}

function emitScalar(value: JsonValue, column: number, indent: number): string {
  if (typeof value === 'string') return emitString(value, column, indent);
  if (value === null || typeof value === 'boolean') return String(value);
  if (typeof value === 'number' || value instanceof RawNumber)
    return emitNumber(String(value), column, indent);
  return Array.isArray(value) ? '[]' : '{}';
}

/** Numbers are resolved first, as in go-yaml: `1.0` becomes `1`, and integers beyond 64 bits get an exponent. */
function emitNumber(text: string, column: number, indent: number): string {
  const value = resolvePlainScalar(text);
  if (typeof value === 'number') return /^-?[0-9]{1,16}$/.test(text) ? String(value) : emitFloat(value);
  return typeof value === 'string' ? emitString(value, column, indent) : String(value);
}

const emitFloat = (value: number) => (Object.is(value, -0) ? '-0' : goFloat(value));
