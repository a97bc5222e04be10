// Fills one place of a minimal object with as many elements as fit into a number of bytes.
import { maxMetadataItems } from '../../src/kind/meta/validation.ts';
import { listStep, mapStep, nameOfPlace, type Place } from './places.ts';
import type { ListShape, Shape, StructShape } from './shape.ts';

/**
 * `valid`: the smallest elements that the schema accepts. `empty`: the smallest elements of the right JSON type, which are the
 * most. `wrong`: every value is invalid, which gives the longest list of errors.
 */
export const fillings = ['valid', 'empty', 'wrong'] as const;
export type Filling = (typeof fillings)[number];

export type Body = Record<string, unknown>;

/** Stands for the text of the filled place. */
const placeholder = '@the filled place@';

/** The fields of ObjectMeta with at most `maxMetadataItems`. */
const limitedByNumber = /^metadata\.(labels|annotations|finalizers|ownerReferences)$/;

/** How much of a place may be filled. */
interface Room {
  readonly bytes: number;
  readonly elements: number;
}

/** The JSON of `base` with the place filled up to about `bytes`. */
export function fillPlace(base: Body, root: Shape, place: Place, filling: Filling, bytes: number): string {
  const object = structuredClone(base);
  const template = setAtPath(object, root, place);
  const text = JSON.stringify(object);
  const at = text.indexOf(JSON.stringify(placeholder));
  const room = bytes - text.length;
  const max = limitedByNumber.test(nameOfPlace(place)) ? maxMetadataItems : Number.POSITIVE_INFINITY;
  const filled = textOf(place.shape, template, filling, { bytes: room, elements: max });
  return text.slice(0, at) + filled + text.slice(at + placeholder.length + 2);
}

/** Sets the placeholder, and creates what is missing on the way. Returns the first element of a list that was there. */
function setAtPath(object: Body, root: Shape, { path }: Place): unknown {
  let parent: Body = object;
  let shape = root;
  for (const [index, step] of path.entries()) {
    const isLast = index === path.length - 1;
    const key = keyOfStep(parent, step);
    shape = childShape(shape, step);
    const present = parent[key];
    if (isLast) {
      parent[key] = placeholder;
      return Array.isArray(present) ? present[0] : undefined;
    }
    if (typeof present !== 'object' || present === null || isEmptyContainer(present, path[index + 1]!)) {
      parent[key] = containerOf(shape);
    }
    parent = parent[key] as Body;
  }
  throw new Error('an empty path');
}

function keyOfStep(parent: Body, step: string): string {
  if (step === listStep) return '0';
  return step === mapStep ? (Object.keys(parent)[0] ?? 'a') : step;
}

const isEmptyContainer = (value: object, next: string) =>
  next === listStep && Array.isArray(value) && value.length === 0;

function containerOf(shape: Shape): unknown {
  if (shape.is === 'struct') return validValue(shape, 0, []);
  if (shape.is === 'list') return [validValue(shape.element, 0, shape.keys)];
  return {};
}

function childShape(shape: Shape, step: string): Shape {
  if (shape.is === 'list' || shape.is === 'map') return shape.element;
  return (shape as StructShape).fields().get(step)!.shape;
}

function textOf(shape: Shape, template: unknown, filling: Filling, room: Room): string {
  switch (shape.is) {
    case 'list':
      return `[${elements(room, (i) => listElement(shape, template, filling, i))}]`;
    case 'map':
      return `{${elements(room, (i) => mapEntry(shape.element, filling, i))}}`;
    case 'raw':
      return rawText(filling, room.bytes);
    case 'bytes':
      return `"${(filling === 'wrong' ? '!' : 'A').repeat(room.bytes - (room.bytes % 4))}"`;
    default:
      return `"${longString(filling, room.bytes)}"`;
  }
}

/** Joins the texts of as many elements as there is room for. */
function elements(room: Room, element: (index: number) => string): string {
  const parts: string[] = [];
  for (let i = 0, length = 0; ; i++) {
    const part = element(i);
    length += part.length + 1;
    if (length > room.bytes || i === room.elements) return parts.join(',');
    parts.push(part);
  }
}

function listElement(shape: ListShape, template: unknown, filling: Filling, index: number): string {
  const { element, keys } = shape;
  if (filling === 'empty') return emptyText(element);
  if (filling === 'wrong') return JSON.stringify(wrongValue(element, keys));
  const value = validValue(element, index, keys);
  // The minimal object knows more of a valid element than its schema.
  const isObject = element.is === 'struct' && typeof template === 'object' && template !== null;
  return JSON.stringify(
    isObject ? { ...(value as Body), ...template, ...keysOf(value as Body, keys) } : value,
  );
}

const keysOf = (value: Body, keys: readonly string[]) =>
  Object.fromEntries(keys.map((key) => [key, value[key]]));

function mapEntry(element: Shape, filling: Filling, index: number): string {
  if (filling === 'wrong') return `"!${uniqueName(index)}":${JSON.stringify(wrongValue(element, []))}`;
  const value = filling === 'empty' ? emptyText(element) : JSON.stringify(validValue(element, index, []));
  return `"${uniqueName(index)}":${value}`;
}

/** Free-form JSON: an object with many keys, many empty objects, or deep nesting. */
function rawText(filling: Filling, bytes: number): string {
  const room = { bytes, elements: Number.POSITIVE_INFINITY };
  if (filling === 'valid') return `{${elements(room, (i) => `"${uniqueName(i)}":0`)}}`;
  if (filling === 'empty') return `{"a":[${elements(room, () => '{}')}]}`;
  return `{"a":${'['.repeat(400)}${elements({ ...room, bytes: bytes - 1000 }, (i) => `"f:${uniqueName(i)}"`)}${']'.repeat(400)}}`;
}

/** Long enough for each pattern to be matched to the end, or to fail at the last character. */
function longString(filling: Filling, room: number): string {
  if (filling === 'valid') return 'a'.repeat(room);
  return filling === 'empty' ? 'a.'.repeat(room >> 1) : `${'a-'.repeat(room >> 1)}!`;
}

/** A valid DNS label, unique by its index. */
const uniqueName = (index: number) => `a${index.toString(36)}`;

function emptyText(shape: Shape): string {
  const texts: Partial<Record<Shape['is'], string>> = { list: '[]', number: '0', bool: 'true', raw: '{}' };
  if (shape.is === 'struct' || shape.is === 'map') return '{}';
  return texts[shape.is] ?? (shape.is === 'string' || shape.is === 'bytes' ? '""' : scalarText(shape));
}

const scalarText = (shape: Shape) => JSON.stringify(validValue(shape, 0, []));

/** The smallest value that the schema accepts, with these fields besides the required ones. */
function validValue(shape: Shape, index: number, keys: readonly string[]): unknown {
  switch (shape.is) {
    case 'list':
      return [];
    case 'map':
    case 'raw':
      return {};
    case 'struct':
      return validStruct(shape, index, keys);
    case 'string':
      return shape.values?.find((value) => value !== '') ?? uniqueName(index);
    case 'bytes':
      return 'AA==';
    case 'number':
      return 1 + (index % 65_535);
    case 'bool':
      return true;
    case 'time':
      return '2026-01-01T00:00:00Z';
    case 'microTime':
      return '2026-01-01T00:00:00.000000Z';
    case 'quantity':
      return '1';
  }
}

function validStruct(shape: StructShape, index: number, keys: readonly string[]): Body {
  const value: Body = {};
  for (const [name, { shape: fieldShape, isRequired }] of shape.fields()) {
    if (isRequired || keys.includes(name)) value[name] = validValue(fieldShape, index, []);
  }
  return value;
}

/** A value of the right JSON type that validation rejects, if it looks at it. */
function wrongValue(shape: Shape, keys: readonly string[]): unknown {
  if (shape.is === 'string' || shape.is === 'quantity') return shape.is === 'string' ? '!' : '-1';
  if (shape.is === 'number') return -1;
  if (shape.is !== 'struct') return validValue(shape, 0, []);
  const value: Body = {};
  for (const [name, { shape: fieldShape, isRequired }] of shape.fields()) {
    const isNamed = isRequired || keys.includes(name);
    if (isNamed || fieldShape.is === 'string') value[name] = wrongValue(fieldShape, []);
  }
  return value;
}
