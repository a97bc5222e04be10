// Watch events of a custom resource version that a conversion webhook converts from the storage version. The watch hub is
// synchronous, so it queues events with their stored states (`unconvertedFormat`); the sink ConvertedEvents converts
// and encodes them.
import type { ServedResource } from '../../../kind/registry.ts';
import type { ConversionCache } from '../../../registry/verbs/conversion-cache.ts';
import type { Selection } from '../../../store/selection.ts';
import type { StoredObject } from '../../../store/store.ts';
import { replaceRevision } from '../../../store/stored-object.ts';
import { type EventType, eventType } from '../../../store/watch/event.ts';
import type { WatchFormat, WatchSink } from '../../../store/watch/hub.ts';
import { OrderedAsyncSink } from './ordered-async-sink.ts';

/**
 * The format of queued events: a line with event type, number of states and key, and a line with the JSON of each state.
 * A bookmark, which needs no conversion, is a line `encodedTag` and a line with its encoded bytes in base64. The previous
 * state is only needed to evaluate selectors.
 */
export function unconvertedFormat(
  { apiVersion, kind }: ServedResource,
  format: WatchFormat,
  { withPrevious }: { readonly withPrevious: boolean },
): WatchFormat {
  return {
    id: `${withPrevious ? 'both states' : 'the state'} of ${apiVersion} ${kind} for ${format.id}`,
    event(type, object, previous) {
      const states = withPrevious && previous ? [object, previous] : [object];
      const lines = states.flatMap(({ json }) => [json, newline]);
      return Buffer.concat([Buffer.from(`${type} ${states.length} ${object.key}\n`), ...lines]);
    },
    bookmark: (revision, options) =>
      Buffer.from(`${encodedTag}\n${format.bookmark(revision, options).toString('base64')}\n`),
  };
}

const newline = Buffer.from('\n');
/** Takes the place of the event type before an encoded event. */
const encodedTag = 'READY';

interface UnconvertedEvent {
  readonly type: EventType;
  readonly key: string;
  /** The JSON of the object, and of its previous state if that was queued. */
  readonly states: readonly string[];
}

/** An event to convert, or the bytes of an encoded one. */
type QueuedEvent = UnconvertedEvent | Buffer;

function* parseQueuedEvents(frame: Buffer): Generator<QueuedEvent, void> {
  const lines = frame.toString().split('\n');
  for (let index = 0; index < lines.length - 1; ) {
    const [type = '', count = '1', key = ''] = lines[index]!.split(' ');
    const states = lines.slice(index + 1, index + 1 + Number(count));
    index += 1 + states.length;
    yield type === encodedTag ? Buffer.from(states[0]!, 'base64') : { type: type as EventType, key, states };
  }
}

interface ConvertedEventsOptions {
  readonly resource: ServedResource;
  readonly conversionCache: ConversionCache;
  /** The format of converted events. */
  readonly format: WatchFormat;
  /** The selectors of the watch, evaluated after conversion. */
  readonly select: Selection | undefined;
}

/** Maximum events of one conversion request. */
const maxEventsPerConversion = 50;

/** Converts the queued events with the conversion webhook, and sends those that the selectors match. */
export class ConvertedEvents extends OrderedAsyncSink {
  readonly #options: ConvertedEventsOptions;

  constructor(options: ConvertedEventsOptions, sink: WatchSink, signal: AbortSignal) {
    super(sink, signal);
    this.#options = options;
  }

  protected async *prepare(frame: Buffer): AsyncGenerator<Buffer, void> {
    const events = [...parseQueuedEvents(frame)];
    for (let index = 0; index < events.length; index += maxEventsPerConversion) {
      yield* await this.#convert(events.slice(index, index + maxEventsPerConversion));
    }
  }

  async #convert(events: readonly QueuedEvent[]): Promise<Buffer[]> {
    const { resource, conversionCache: states } = this.#options;
    const stored = events.flatMap((event) =>
      'states' in event ? event.states.map((json) => ({ key: event.key, json })) : [],
    );
    const converted = (await states.convert(resource, stored))[Symbol.iterator]();
    const encoded: Buffer[] = [];
    for (const event of events) {
      if (!('states' in event)) {
        encoded.push(event);
        continue;
      }
      const [object, previous] = event.states.map(() => converted.next().value as StoredObject);
      const bytes = this.#encode(event.type, object!, previous);
      if (bytes) encoded.push(bytes instanceof Promise ? await bytes : bytes);
    }
    return encoded;
  }

  /** Undefined if the selectors match neither the object nor its previous state. */
  #encode(
    type: EventType,
    object: StoredObject,
    previous: StoredObject | undefined,
  ): Buffer | Promise<Buffer> | undefined {
    const { format, select } = this.#options;
    if (!select) return encodeEvent(format, type, object);
    const visibleType = eventType({ key: object.key, type: changeTypes[type], object, previous }, select);
    if (!visibleType) return undefined;
    // An object that the selectors no longer match is deleted for this watcher, in its last matching state.
    const isDeselected = visibleType === 'DELETED' && type !== 'DELETED';
    const visibleObject = isDeselected && previous ? replaceRevision(previous, object.revision) : object;
    return encodeEvent(format, visibleType, visibleObject);
  }
}

function encodeEvent(format: WatchFormat, type: EventType, object: StoredObject): Buffer | Promise<Buffer> {
  const { large } = format;
  if (!large || object.json.length < large.minBytes) return format.event(type, object);
  return large.event(type, object).then((encoded) => encoded());
}

/** The change in the store that an event reports. */
const changeTypes = { ADDED: 'created', MODIFIED: 'updated', DELETED: 'deleted' } as const;
