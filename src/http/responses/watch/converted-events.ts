// Watch events of custom resources that a conversion webhook converts.
import type { ServedResource } from '../../../kind/registry.ts';
import type { ConversionCache } from '../../../registry/verbs/converted-states.ts';
import type { Selection } from '../../../store/selection.ts';
import { replaceRevision } from '../../../store/splice-revision.ts';
import type { StoredObject } from '../../../store/store.ts';
import { type EventType, eventType } from '../../../store/watch/event.ts';
import type { WatchFormat, WatchSink } from '../../../store/watch/hub.ts';
import { OrderedAsyncSink } from './ordered-async-sink.ts';

/**
 * Queued events for `ConvertedEvents`: a line with type, number of states and key, and a line for each state. An encoded
 * bookmark is a line of base64.
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
  /** The object and its previous state. */
  readonly states: readonly string[];
}

/** An event to convert, or an encoded one. */
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
  readonly states: ConversionCache;
  /** The format of converted events. */
  readonly format: WatchFormat;
  /** The selectors of the watch, evaluated after conversion. */
  readonly select: Selection | undefined;
}

/** Maximum events of one conversion request. */
const mostTogether = 50;

export class ConvertedEvents extends OrderedAsyncSink {
  readonly #terms: Terms;

  constructor(terms: Terms, sink: WatchSink, signal: AbortSignal) {
    super(sink, signal);
    this.#terms = terms;
  }

  protected async *ready(frame: Buffer): AsyncGenerator<Buffer, void> {
    const events = [...eventsIn(frame)];
    for (let at = 0; at < events.length; at += mostTogether) {
      yield* await this.#written(events.slice(at, at + mostTogether));
    }
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
    return [format.event(seen, left ? replaceRevision(previous, object.revision) : object)];
  }
}

const changeTypes = { ADDED: 'created', MODIFIED: 'updated', DELETED: 'deleted' } as const;
