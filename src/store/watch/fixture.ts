/** Test fixture: a watch sink and a JSON format. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { MovableClock, systemClock } from '../../base/clock.ts';
import { ListCache } from '../lists/list-cache.ts';
import type { Thing } from '../lists/runs.fixture.ts';
import { MemoryStore } from '../memory/memory-store.ts';
import {
  type EventObject,
  type EventType,
  jsonEvent,
  type WatchFormat,
  WatchHub,
  type WatchHubOptions,
  type WatchRequest,
  type WatchSink,
} from './hub.ts';

export const json: WatchFormat = {
  id: 'json',
  event: (type, object) => jsonEvent(type, object.json),
  bookmark: (revision, { initialEventsEnd } = { initialEventsEnd: false }) =>
    Buffer.from(`${JSON.stringify({ type: 'BOOKMARK', revision, initialEventsEnd })}\n`),
};

/** Like `json`, but objects of this size or larger are encoded late: after `delay` resolves. */
export function lateJson(minBytes: number, delay: () => Promise<unknown>): WatchFormat {
  const event = async (type: EventType, object: EventObject) => {
    const frame = jsonEvent(type, object.json);
    await delay();
    return () => frame;
  };
  return {
    ...json,
    id: `late ${randomUUID()}`,
    event(type, object) {
      assert.ok(object.json.length < minBytes + revisionDigits, 'a large event is not encoded at once');
      return jsonEvent(type, object.json);
    },
    large: { minBytes, event },
  };
}

/** A deselected object gets a new revision after its size was read. */
const revisionDigits = 20;

/** Records frames; `lag` is the number of bytes it reports as buffered. */
export class RecordingSink implements WatchSink {
  readonly frames: Buffer[] = [];
  end: string | undefined;
  lag = 0;

  write(frame: Buffer): boolean {
    assert.equal(this.end, undefined, 'nothing is written after the end');
    this.frames.push(frame);
    return this.lag === 0;
  }

  buffered(): number {
    return this.lag;
  }

  close(reason: string): void {
    assert.equal(this.end, undefined, 'a watch ends once');
    this.end = reason;
  }

  /** `ADDED a@1 x`, `BOOKMARK 7`. */
  get events(): string[] {
    return this.frames
      .flatMap((frame) => frame.toString().split('\n').slice(0, -1))
      .map((line) => {
        const event: { type: string; object: Thing; revision: number; initialEventsEnd: boolean } =
          JSON.parse(line);
        if (event.type === 'BOOKMARK')
          return `BOOKMARK ${event.revision}${event.initialEventsEnd ? ' end' : ''}`;
        const { metadata, value } = event.object;
        return `${event.type} ${metadata.name}@${metadata.resourceVersion} ${value}`;
      });
  }
}

/** Waits until replay has finished, which takes a bounded number of turns. */
export async function settle(turns = 20): Promise<void> {
  for (let i = 0; i < turns; i++) await nextTurn();
}

/** Waits for the condition, however long the hub batches on a busy machine. */
export async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await nextTurn();
}

const all: WatchRequest = {
  prefix: 'things',
  keyPrefix: 'things/',
  start: 'now',
  bookmarks: false,
  format: json,
};

export function openHub(options: WatchHubOptions = {}) {
  const clock = new MovableClock(systemClock);
  const store = new MemoryStore({ clock });
  const hub = new WatchHub(store, clock, options);
  const watch = (request: Partial<WatchRequest> = {}) => {
    const reader = new RecordingSink();
    return { reader, watch: hub.watch({ ...all, ...request }, reader) };
  };
  return { clock, store, hub, watch, lists: new ListCache(store) };
}
