// Requests of the generator, described so that the client's thread can build their bodies.
import type { Format } from './bodies.ts';
import { type Filling, fillPlace } from './fill-field.ts';
import { nameOfPlace, type Place, placesOf } from './places.ts';
import type { Subject } from './subjects.ts';

/** A filled object, or a text. */
export interface BodySource {
  readonly subject: string;
  readonly subresource?: string;
  readonly format: Format;
  /** The filled place; undefined for the minimal object. */
  readonly place?: string;
  readonly filling: Filling;
  readonly name: string;
  readonly bytes: number;
  /** Labels that make the object differ from an earlier one. */
  readonly labels?: Readonly<Record<string, string>>;
  /** Used instead of an object. */
  readonly text?: string;
  /** The object is a JSON patch: it replaces the place's first field. */
  readonly isJsonPatch?: boolean;
}

export interface SentRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: BodySource;
  /** Ends when no event has come for a while. */
  readonly isWatch?: boolean;
  /** Sent after the initial events of a watch. */
  readonly during?: SentRequest;
}

const placesById = new Map<string, ReadonlyMap<string, Place>>();

/** The places of a subject or of a subresource of it, by name. */
function placesByName(subject: Subject, subresource?: string): ReadonlyMap<string, Place> {
  const id = `${subject.id}/${subresource ?? ''}`;
  const known = placesById.get(id);
  if (known) return known;
  const places = new Map(
    placesOf(shapeFor(subject, subresource)).map((place) => [nameOfPlace(place), place]),
  );
  placesById.set(id, places);
  return places;
}

function shapeFor(subject: Subject, subresource: string | undefined) {
  if (!subresource) return subject.shape;
  return subject.subresources.find(({ name }) => name === subresource)!.shape;
}

/** The JSON text of the body. */
export function bodyText(subject: Subject, source: BodySource): string {
  const { name, place, filling, bytes, subresource, labels, isJsonPatch } = source;
  const sub = subject.subresources.find((each) => each.name === subresource);
  const isOtherKind = sub !== undefined && sub.kind !== subject.kind;
  const minimal = isOtherKind ? { apiVersion: sub.apiVersion, kind: sub.kind } : subject.minimal;
  const metadata = { ...(minimal.metadata as object | undefined), name, ...(labels && { labels }) };
  const base = { ...minimal, metadata };
  if (place === undefined) return JSON.stringify(base);
  const found = placesByName(subject, subresource).get(place)!;
  const text = fillPlace(base, shapeFor(subject, subresource), found, filling, bytes);
  return isJsonPatch ? jsonPatch(text, found) : text;
}

/** A JSON patch that adds the top field of the place, with all that is in it. */
function jsonPatch(text: string, { path }: Place): string {
  const object = JSON.parse(text) as Record<string, unknown>;
  const field = path[0] === 'metadata' ? 'metadata' : path[0]!;
  if (field === 'metadata') {
    const key = path[1]!;
    const value = (object.metadata as Record<string, unknown>)[key];
    return JSON.stringify([{ op: 'add', path: `/metadata/${key}`, value }]);
  }
  return JSON.stringify([{ op: 'add', path: `/${field}`, value: object[field] }]);
}
