/** Watch events: maps a store change to ADDED, MODIFIED or DELETED, given the watcher's selection. */
import type { Selection } from '../selection.ts';
import type { Change, Revision, StoredObject } from '../store.ts';
import { replaceRevision } from '../stored-object.ts';

export type EventType = 'ADDED' | 'MODIFIED' | 'DELETED';

/** The object of an event: stored JSON that carries the event's revision. */
export type EventObject = Pick<StoredObject, 'key' | 'json' | 'schemaFingerprint'>;

/** Encodes events. Watchers whose formats have equal ids share the encoded bytes. */
export interface WatchFormat {
  readonly id: string;
  /** `previous`: the state before the change, absent for a creation. */
  event(type: EventType, object: EventObject, previous?: EventObject): Buffer;
  /** `initialEventsEnd`: the bookmark after the initial events of a watch-list. */
  bookmark(revision: Revision, options?: { readonly initialEventsEnd: boolean }): Buffer;
  /** Encodes the events of large objects in place of `event`. Absent: `event` is quick for every object. */
  readonly large?: LargeEventEncoder;
}

/** Encodes events that would block the event loop for too long. */
export interface LargeEventEncoder {
  /** An event is large if the JSON of its object has at least this many bytes. */
  readonly minBytes: number;
  /**
   * Called once per watcher and event, in the order of the events. The result returns the event; it may copy megabytes, so
   * it is called in a turn of its own.
   */
  event(type: EventType, object: EventObject): Promise<() => Buffer>;
}

/** The part of a change that selections evaluate. */
export interface SelectableChange extends Pick<Change, 'key' | 'type'> {
  readonly object: Pick<StoredObject, 'labels' | 'selectableFields'>;
  readonly previous?: Pick<StoredObject, 'labels' | 'selectableFields'> | undefined;
}

/** Reads that part from the stored bytes once, for many selections. */
export function toSelectable({ key, type, object, previous }: Change): SelectableChange {
  return {
    key,
    type,
    object: { labels: object.labels, selectableFields: object.selectableFields },
    previous: previous && { labels: previous.labels, selectableFields: previous.selectableFields },
  };
}

/**
 * An object that starts to match is ADDED for the watcher, one that no longer matches is DELETED. Undefined: the watcher
 * gets no event.
 */
export function eventType(change: SelectableChange, select: Selection | undefined): EventType | undefined {
  if (!select) return typesWithoutSelection[change.type];
  const { key, type, object, previous } = change;
  const matchedBefore =
    previous !== undefined && select.matches(previous.labels, previous.selectableFields, key);
  const matchesNow = type !== 'deleted' && select.matches(object.labels, object.selectableFields, key);
  if (matchesNow) return matchedBefore ? 'MODIFIED' : 'ADDED';
  return matchedBefore ? 'DELETED' : undefined;
}

const typesWithoutSelection = { created: 'ADDED', updated: 'MODIFIED', deleted: 'DELETED' } as const;

/** When an object leaves the selection, DELETED carries the last state that matched. */
export function eventObject(change: Change, type: EventType): EventObject {
  if (type !== 'DELETED' || change.type === 'deleted') return change.object;
  if (!change.previous) throw new Error(`${change.key} cannot leave a selector that it never matched`);
  return replaceRevision(change.previous, change.revision);
}

/** Whether the format cannot encode this event at once. */
export function isLargeEvent(change: Change, type: EventType, { large }: WatchFormat): boolean {
  if (!large) return false;
  const isDeselected = type === 'DELETED' && change.type !== 'deleted';
  const { json } = isDeselected && change.previous ? change.previous : change.object;
  return json.length >= large.minBytes;
}

const heads = {
  ADDED: Buffer.from('{"type":"ADDED","object":'),
  MODIFIED: Buffer.from('{"type":"MODIFIED","object":'),
  DELETED: Buffer.from('{"type":"DELETED","object":'),
  BOOKMARK: Buffer.from('{"type":"BOOKMARK","object":'),
  ERROR: Buffer.from('{"type":"ERROR","object":'),
};
const tail = Buffer.from('}\n');

/** An event as one line of JSON around the object's own bytes. */
export function jsonEvent(type: keyof typeof heads, json: Buffer): Buffer {
  const head = heads[type];
  const line = Buffer.allocUnsafe(head.length + json.length + tail.length);
  head.copy(line);
  json.copy(line, head.length);
  tail.copy(line, head.length + json.length);
  return line;
}
