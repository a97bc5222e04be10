import { type JsonObject, type JsonValue, RawNumber } from '../json/json-value.ts';
import { sortedKeys } from './key-order.ts';
import { resolvePlain } from './resolve.ts';
import { writeString } from './scalar-text.ts';

/** A value as YAML, in the layout of upstream's library: keys in order, two spaces for a level, lists not indented. */
export function writeYaml(value: JsonValue): string {
  if (Array.isArray(value) && value.length > 0) return `${listLines(value, 0, '')}\n`;
  if (isNonEmptyObject(value)) return `${mapLines(value, 0, '')}\n`;
  return `${scalar(value, 0, 2)}\n`;
}

/** An object as one item of a list that stands at the left margin: `- a: b`, without a line feed at the end. */
export function writeYamlItem(value: JsonValue): string {
  return listLines([value], 0, '');
}

/** One key of an object with what it holds, as it stands at this indentation (which is not put before it). */
export function writeYamlPair(key: string, value: JsonValue, indent: number): string {
  return isSimpleKey(key)
    ? simplePair(key, value, indent)
    : longPair(key, value, indent, `\n${' '.repeat(indent)}`);
}

/** The keys of an object and what they hold. `start` stands before the first key instead of the indentation. */
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

/** What stands before a colon on its own line has room for so many bytes. */
const longestSimpleKey = 128;

const isSimpleKey = (key: string) =>
  !key.includes('\n') && (key.length <= longestSimpleKey / 3 || Buffer.byteLength(key) <= longestSimpleKey);

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

/** What stands behind `- ` or `: `, at this column. */
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

/** Numbers are read again before they are written: `1.0` becomes `1`, and what 64 bits cannot hold has an exponent. */
function number(text: string, column: number, indent: number): string {
  const value = resolvePlain(text);
  if (typeof value === 'number') return /^-?[0-9]{1,16}$/.test(text) ? String(value) : float(value);
  return typeof value === 'string' ? writeString(value, column, indent, false) : String(value);
}

/** With an exponent from a million on, and below a ten-thousandth. */
function float(value: number): string {
  if (Object.is(value, -0)) return '-0';
  const [digits = '', exponent = '0'] = value.toExponential().split('e');
  const power = Number(exponent);
  if (power >= -4 && power < 6) return String(value);
  return `${digits}e${power < 0 ? '-' : '+'}${String(Math.abs(power)).padStart(2, '0')}`;
}
