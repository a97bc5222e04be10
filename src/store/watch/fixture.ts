/** Test fixture: a watch sink and a JSON format. */
import assert from 'node:assert/strict';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { MovableClock, systemClock } from '../../base/clock.ts';
import { ListCache } from '../lists/list-cache.ts';
import type { Thing } from '../lists/runs.fixture.ts';
import { MemoryStore } from '../memory/memory-store.ts';
import {
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
