import type { ServedResource } from '../../resource/registry.ts';
import type { SharedStates } from '../../resource/shared-states.ts';
import type { Selection } from '../../store/selection.ts';
import { respliced } from '../../store/splice.ts';
import type { StoredObject } from '../../store/store.ts';
import { type EventType, eventType } from '../../store/watch/event.ts';
import type { WatchEnd, WatchFormat, WatchSink } from '../../store/watch/hub.ts';

/**
 * Events as they come, for `ConvertedEvents` to read: a line with the type, the key and how many states follow, and a line
 * for each of these. What is ready as it is comes in a line of base64.
 */
export function unconvertedFormat(
  { apiVersion, kind }: ServedResource,
  ready: WatchFormat,
  withPrevious: boolean,
): WatchFormat {
  return {
    id: `${withPrevious ? 'both states' : 'the state'} of ${apiVersion} ${kind} for ${ready.id}`,
    event(type, object, previous) {
      const states = withPrevious && previous ? [object, previous] : [object];
      const lines = states.flatMap(({ json }) => [json, newline]);
      return Buffer.concat([Buffer.from(`${type} ${states.length} ${object.key}\n`), ...lines]);
    },
    bookmark: (revision, initialEventsEnd) =>
      Buffer.from(`READY\n${ready.bookmark(revision, initialEventsEnd).toString('base64')}\n`),
  };
}

const newline = Buffer.from('\n');

interface Unconverted {
  readonly type: EventType;
  readonly key: string;
  /** The object as it is, and as it was before. */
  readonly states: readonly string[];
}

/** An event, or the bytes of one that is ready. */
type Event = Unconverted | Buffer;

function* eventsIn(frame: Buffer): Generator<Event, void> {
  const lines = frame.toString().split('\n');
  for (let at = 0; at < lines.length - 1; ) {
    const [type = '', count = '1', key = ''] = lines[at]!.split(' ');
    const states = lines.slice(at + 1, at + 1 + Number(count));
    at += 1 + states.length;
    yield type === 'READY' ? Buffer.from(states[0]!, 'base64') : { type: type as EventType, key, states };
  }
}

interface Terms {
  readonly resource: ServedResource;
  readonly states: SharedStates;
  /** How events are written once their objects are converted. */
  readonly format: WatchFormat;
  /** Aborted once nobody reads them any more. */
  readonly signal: AbortSignal;
  /** What the watch chooses of them. */
  readonly select: Selection | undefined;
}

/** So many events are converted together. */
const mostTogether = 50;

/**
 * Passes on the events of a watch in their order, each once a webhook has converted its object. What waits for the webhook
 * waits as what a slow reader has not taken yet.
 */
export class ConvertedEvents implements WatchSink {
  readonly #terms: Terms;
  readonly #sink: WatchSink;
  #queue: { readonly events: readonly Event[]; readonly bytes: number }[] = [];
  #waiting = 0;
  #isWorking = false;
  #end: { readonly reason: WatchEnd; readonly error: unknown } | undefined;
  #hasFailed = false;

  constructor(terms: Terms, sink: WatchSink) {
    this.#terms = terms;
    this.#sink = sink;
  }

  write(frame: Buffer): boolean {
    if (this.#hasFailed) return true;
    this.#waiting += frame.length;
    this.#queue.push({ events: [...eventsIn(frame)], bytes: frame.length });
    if (!this.#isWorking) void this.#work();
    return false;
  }

  buffered(): number {
    return this.#waiting + this.#sink.buffered();
  }

  /** What came before the end is passed on first, unless nobody is to read it. */
  close(reason: WatchEnd, error?: unknown): void {
    if (this.#hasFailed) return;
    this.#end = { reason, error };
    if (reason === 'slow' || reason === 'failed') this.#queue = [];
    if (!this.#isWorking) this.#sink.close(reason, error);
  }

  async #work(): Promise<void> {
    this.#isWorking = true;
    try {
      for (let next = this.#queue.shift(); next; next = this.#queue.shift()) {
        for (let at = 0; at < next.events.length; at += mostTogether) {
          if (this.#terms.signal.aborted) {
            this.#queue = [];
            return;
          }
          for (const frame of await this.#written(next.events.slice(at, at + mostTogether))) {
            this.#sink.write(frame);
          }
        }
        this.#waiting -= next.bytes;
      }
    } catch (error) {
      this.#hasFailed = true;
      this.#queue = [];
      this.#sink.close('failed', error);
      return;
    } finally {
      this.#isWorking = false;
    }
    if (this.#end) this.#sink.close(this.#end.reason, this.#end.error);
  }

  async #written(events: readonly Event[]): Promise<Buffer[]> {
    const { resource, states } = this.#terms;
    const wanted = events.flatMap((event) =>
      'states' in event ? event.states.map((json) => ({ key: event.key, json })) : [],
    );
    const converted = (await states.of(resource, wanted))[Symbol.iterator]();
    return events.flatMap((event) => {
      if (!('states' in event)) return [event];
      const [object, previous] = event.states.map(() => converted.next().value as StoredObject);
      return this.#write(event.type, object!, previous);
    });
  }

  #write(type: EventType, object: StoredObject, previous: StoredObject | undefined): Buffer[] {
    const { format, select } = this.#terms;
    if (!select) return [format.event(type, object)];
    const seen = eventType({ key: object.key, type: changeTypes[type], object, previous }, select);
    if (!seen) return [];
    const left = seen === 'DELETED' && type !== 'DELETED' && previous;
    return [format.event(seen, left ? respliced(previous, object.revision) : object)];
  }
}

const changeTypes = { ADDED: 'created', MODIFIED: 'updated', DELETED: 'deleted' } as const;
