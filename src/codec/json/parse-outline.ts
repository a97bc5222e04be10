// Parses parts of an object: its outline, which is its fields and the fields of these without long ones, or one field.
import type { JsonObject, JsonValue } from './json-value.ts';
import { endOfContainer, endOfString, parseJson } from './parse.ts';

/** Fields of more characters are left out. */
const maxFieldLength = 1024;

/**
 * The outline of an object in JSON that the server has written: well formed, without whitespace. Costs little more than
 * finding the ends of its fields. `omitted`: a field that is left out whatever its length.
 */
export function parseOutline(text: string, omitted: string): JsonObject {
  const outline: JsonObject = {};
  for (const [name, start, end] of fieldsOf(text, 0)) {
    if (name === omitted) continue;
    if (text[start] !== '{') setField(outline, name, text, start, end);
    else {
      const part: JsonObject = {};
      for (const [partName, partStart, partEnd] of fieldsOf(text, start)) {
        setField(part, partName, text, partStart, partEnd);
      }
      outline[name] = part;
    }
  }
  return outline;
}

/**
 * Some fields of the parts of an object in JSON that the server has written: `{ spec: ['nodeName'] }`. Numbers are those of
 * JavaScript.
 */
export function parseSelected(
  text: string,
  selected: Readonly<Record<string, readonly string[]>>,
): JsonObject {
  const object: JsonObject = {};
  for (const [name, start] of fieldsOf(text, 0)) {
    const selectedFields = Object.hasOwn(selected, name) ? selected[name]! : [];
    if (selectedFields.length === 0 || text[start] !== '{') continue;
    const part: JsonObject = {};
    for (const [partName, partStart, partEnd] of fieldsOf(text, start)) {
      if (!selectedFields.includes(partName)) continue;
      part[partName] = JSON.parse(text.slice(partStart, partEnd)) as JsonValue;
    }
    object[name] = part;
  }
  return object;
}

/** One field, by its path, of an object in JSON that the server has written; undefined if it is absent. */
export function parseField(text: string, ...path: string[]): JsonValue | undefined {
  let start = 0;
  let end = text.length;
  for (const segment of path) {
    const found = text[start] === '{' ? findField(text, start, segment) : undefined;
    if (!found) return undefined;
    [start, end] = found;
  }
  return parseJson(text.slice(start, end)).value as JsonValue;
}

function findField(text: string, start: number, name: string): [start: number, end: number] | undefined {
  for (const [candidate, fieldStart, fieldEnd] of fieldsOf(text, start)) {
    if (candidate === name) return [fieldStart, fieldEnd];
  }
  return undefined;
}

function setField(object: JsonObject, name: string, text: string, start: number, end: number): void {
  if (end - start > maxFieldLength || name === '__proto__') return;
  object[name] = parseJson(text.slice(start, end)).value as JsonValue;
}

/** The name of each field of an object, and where its value starts and ends. */
function* fieldsOf(text: string, start: number): Generator<[name: string, start: number, end: number]> {
  for (let index = start + 1; text[index] === '"'; index++) {
    const quote = endOfString(text, index + 1);
    const name = text.slice(index + 1, quote);
    const valueStart = quote + 2;
    index = endOfValue(text, valueStart);
    yield [name, valueStart, index];
  }
}

function endOfValue(text: string, start: number): number {
  const first = text[start];
  if (first === '{' || first === '[') return endOfContainer(text, start);
  if (first === '"') return endOfString(text, start + 1) + 1;
  scalarEnd.lastIndex = start;
  return scalarEnd.exec(text)?.index ?? text.length;
}

const scalarEnd = /[,\]}]/g;
