// YAML encoding (application/yaml).
import { type JsonObject, type JsonValue, RawNumber } from '../json/json-value.ts';
import { sortedKeys } from './key-order.ts';
import { resolvePlain } from './resolve.ts';
import { writeString } from './scalar-text.ts';

/** Writes a value in the layout of go-yaml: sorted keys, two spaces per level, lists not indented. */
export function writeYaml(value: JsonValue): string {
  if (Array.isArray(value) && value.length > 0) return `${listLines(value, 0, '')}\n`;
  if (isNonEmptyObject(value)) return `${mapLines(value, 0, '')}\n`;
  return `${scalar(value, 0, 2)}\n`;
}

/** Writes a value as an item of a list at the left margin: `- a: b`, without a final line feed. */
export function writeYamlItem(value: JsonValue): string {
  return listLines([value], 0, '');
}

/** Writes one key with its value at this indentation, which is not written before it. */
export function writeYamlPair(key: string, value: JsonValue, indent: number): string {
  return isSimpleKey(key)
    ? simplePair(key, value, indent)
    : longPair(key, value, indent, `\n${' '.repeat(indent)}`);
}

/** Writes the entries of a map. `start` replaces the indentation of the first key. */
function mapLines(object: JsonObject, indent: number, start: string): string {
  const margin = `\n${' '.repeat(indent)}`;
  let text = start;
  let isFirst = true;
  for (const key of sortedKeys(object)) {
    if (!isFirst) text += margin;
    isFirst = false;
    text += writeYamlPair(key, object[key]!, indent);
  }
  return text;
}

function simplePair(key: string, value: JsonValue, indent: number): string {
  const name = writeString(key, indent, indent + 2, true);
  if (Array.isArray(value) && value.length > 0)
    return `${name}:\n${listLines(value, indent, ' '.repeat(indent))}`;
  if (isNonEmptyObject(value)) return `${name}:\n${mapLines(value, indent + 2, ' '.repeat(indent + 2))}`;
  return `${name}: ${scalar(value, indent + [...name].length + 2, indent + 2)}`;
}

/** Maximum length in bytes of a key that is written as `key: value`. */
const maxSimpleKeyBytes = 128;

const isSimpleKey = (key: string) =>
  !key.includes('\n') && (key.length <= maxSimpleKeyBytes / 3 || Buffer.byteLength(key) <= maxSimpleKeyBytes);

function longPair(key: string, value: JsonValue, indent: number, margin: string): string {
  return `? ${writeString(key, indent + 2, indent + 2, false)}${margin}: ${writeYamlAt(value, indent + 2)}`;
}

function listLines(list: readonly JsonValue[], indent: number, start: string): string {
  const margin = `\n${' '.repeat(indent)}`;
  let text = start;
  for (let i = 0; i < list.length; i++) {
    if (i > 0) text += margin;
    text += `- ${writeYamlAt(list[i]!, indent + 2)}`;
  }
  return text;
}

/** Writes a value after `- ` or `: `, at this column. */
export function writeYamlAt(value: JsonValue, indent: number): string {
  if (Array.isArray(value) && value.length > 0) return listLines(value, indent, '');
  if (isNonEmptyObject(value)) return mapLines(value, indent, '');
  return scalar(value, indent, indent);
}

function isNonEmptyObject(value: JsonValue): value is JsonObject {
  if (typeof value !== 'object' || value === null || value instanceof RawNumber) return false;
  for (const _ in value) return true;
  return false;
}

function scalar(value: JsonValue, column: number, indent: number): string {
  if (typeof value === 'string') return writeString(value, column, indent, false);
  if (value === null || typeof value === 'boolean') return String(value);
  if (typeof value === 'number' || value instanceof RawNumber) return number(String(value), column, indent);
  return Array.isArray(value) ? '[]' : '{}';
}

/** Numbers are resolved before they are written: `1.0` becomes `1`, and numbers beyond 64 bits get an exponent. */
function number(text: string, column: number, indent: number): string {
  const value = resolvePlain(text);
  if (typeof value === 'number') return /^-?[0-9]{1,16}$/.test(text) ? String(value) : float(value);
  return typeof value === 'string' ? writeString(value, column, indent, false) : String(value);
}

/** Uses an exponent from 1e6 on, and below 1e-4. */
function float(value: number): string {
  if (Object.is(value, -0)) return '-0';
  const [digits = '', exponent = '0'] = value.toExponential().split('e');
  const power = Number(exponent);
  if (power >= -4 && power < 6) return String(value);
  return `${digits}e${power < 0 ? '-' : '+'}${String(Math.abs(power)).padStart(2, '0')}`;
}
