import { isObject, type JsonObject, JsonText, type JsonValue } from '../../codec/json/json-value.ts';
import { parseJson } from '../../codec/json/parse.ts';
import { stringifyJson } from '../../codec/json/stringify.ts';
import { compareElements, FieldSet, nothing, place } from './field-set.ts';

/** Sets by their text. Objects that were written alike have the same. */
const knownSets = new Map<string, FieldSet>();
const mostKnownSets = 1000;
const longestKnownSet = 16 * 1024;

/** The set that a FieldsV1 stands for, or undefined if it stands for none. */
export function readFieldsV1(value: JsonValue | undefined): FieldSet | undefined {
  if (!(value instanceof JsonText)) return readTree(value);
  const { text } = value;
  let set = knownSets.get(text);
  if (set) return set;
  set = readTree(parseJson(text).value);
  if (set && text.length <= longestKnownSet) {
    if (knownSets.size === mostKnownSets) knownSets.clear();
    knownSets.set(text, set);
    texts.set(set, value);
  }
  return set;
}

function readTree(value: JsonValue | undefined): FieldSet | undefined {
  if (value === undefined) return nothing;
  if (!isObject(value)) return undefined;
  const below = readBelow(value, 0);
  return below && new FieldSet(false, below);
}

/** No object has fields that lie deeper. */
const deepest = 500;

function readBelow(object: JsonObject, depth: number): Map<string, FieldSet> | undefined {
  if (depth > deepest) return undefined;
  const below = new Map<string, FieldSet>();
  for (const key in object) {
    if (key === '.') continue;
    const element = canonicalElement(key);
    if (element === undefined) return undefined;
    // What a later release may have is passed over.
    if (element === '') continue;
    const node = readNode(object[key]!, depth + 1);
    if (node === undefined) return undefined;
    below.set(element, node);
  }
  return below;
}

function readNode(value: JsonValue, depth: number): FieldSet | undefined {
  if (!isObject(value)) return undefined;
  for (const _ in value) {
    const below = readBelow(value, depth);
    const isMember = Object.hasOwn(value, '.');
    return below && (isMember && below.size === 0 ? place : new FieldSet(isMember, below));
  }
  return place;
}

/** Elements by key or value as they were found, and as this server writes them. The same come again and again. */
const knownElements = new Map<string, string>();
const mostKnown = 10_000;
const longestKnown = 200;

/** An element as this server writes it; '' for one of an unknown kind, undefined for a broken one. */
function canonicalElement(key: string): string | undefined {
  if (key[1] !== ':') return undefined;
  switch (key[0]) {
    case 'f':
      return key;
    case 'i':
      return /^i:-?\d{1,15}$/.test(key) ? key : undefined;
    case 'k':
    case 'v':
      return knownElements.get(key) ?? learned(key);
    default:
      return '';
  }
}

function learned(key: string): string | undefined {
  const value = parsed(key.slice(2));
  if (value === undefined || (key[0] === 'k' && !isObject(value))) return undefined;
  const element = isObject(value) && key[0] === 'k' ? keyElement(Object.entries(value)) : valueElement(value);
  if (knownElements.size === mostKnown) knownElements.clear();
  if (key.length <= longestKnown) knownElements.set(key, element);
  return element;
}

function parsed(text: string): JsonValue | undefined {
  try {
    return parseJson(Buffer.from(text)).value;
  } catch {
    return undefined;
  }
}

/** The element of a list that has this value. */
export function valueElement(value: JsonValue): string {
  return `v:${elementText(value)}`;
}

const needsEscape = /["\\<>&\u0000-\u001f\u2028\u2029\ud800-\udfff]/;
const escaped = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** Elements are written clear of what HTML would read as markup. */
export function elementText(value: JsonValue): string {
  if (typeof value === 'string' && !needsEscape.test(value)) return `"${value}"`;
  return stringifyJson(value).replace(/[<>&\u2028\u2029]/g, escaped);
}

/** The element of a list whose keys have these values. */
export function keyElement(keys: (readonly [string, JsonValue])[]): string {
  const sorted = [...keys].sort(([a], [b]) => (a < b ? -1 : 1));
  const texts = sorted.map(([name, value]) => `${JSON.stringify(name)}:${elementText(value)}`);
  return `k:{${texts.join(',')}}`;
}

const texts = new WeakMap<FieldSet, JsonText>();

/** The set as the text of FieldsV1. */
export function fieldsV1Text(set: FieldSet): JsonText {
  let text = texts.get(set);
  if (!text) {
    text = new JsonText(writeText(set));
    texts.set(set, text);
  }
  return text;
}

/** Sets may be large: making an object of one first would take several times as long. */
function writeText(set: FieldSet): string {
  if (set.below.size === 0) return '{}';
  const elements = [...set.below.keys()];
  if (!isInOrder(elements)) elements.sort(compareElements);
  let text = set.isMember ? '{".":{}' : '{';
  for (const element of elements) {
    if (text.length > 1) text += ',';
    text += `${JSON.stringify(element)}:${writeText(set.below.get(element)!)}`;
  }
  return `${text}}`;
}

function isInOrder(elements: readonly string[]): boolean {
  for (let i = 1; i < elements.length; i++) {
    if (compareElements(elements[i - 1]!, elements[i]!) > 0) return false;
  }
  return true;
}

/** A path as messages show it: `.spec.containers[name="a"].image`. */
export function showPath(path: readonly string[]): string {
  return path.map(showElement).join('');
}

/** What should be a scalar may be anything until it is checked. */
function showKey(value: JsonValue): string {
  if (Array.isArray(value)) return `[${value.map(showKey).join(',')}]`;
  if (!isObject(value)) return stringifyJson(value);
  return Object.entries(value)
    .map(([name, member]) => `${name}=${showKey(member)}`)
    .join('');
}

function showElement(element: string): string {
  const rest = element.slice(2);
  switch (element[0]) {
    case 'f':
      return `.${rest}`;
    case 'k': {
      const keys = parsed(rest);
      if (!isObject(keys)) return `[${rest}]`;
      return `[${Object.entries(keys)
        .map(([name, value]) => `${name}=${showKey(value)}`)
        .join(',')}]`;
    }
    case 'v':
      return `[=${rest}]`;
    default:
      return `[${rest}]`;
  }
}
