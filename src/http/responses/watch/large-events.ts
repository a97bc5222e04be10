// Watch events of large objects, serialized on a worker thread.
import type { ServedResource } from '../../../kind/registry.ts';
import { jsonSerializer } from '../../../serializers/json-serializer.ts';
import type { Serializer } from '../../../serializers/serializer.ts';
import { large, type Serializers } from '../../../serializers/serializers.ts';
import type { EventType, WatchFormat, WatchSink } from '../../../store/watch/hub.ts';
import { storedSource } from '../send-object.ts';
import { PlainShape, type Shape } from '../transform.ts';
import { OrderedAsyncSink } from './ordered-async-sink.ts';

export interface WrittenEvents {
  readonly resource: ServedResource;
  readonly form: Serializer;
  readonly shape: Shape;
  readonly format: WatchFormat;
}

/** Whether events may be too large to encode on this thread: resources without a bound on their size. */
export function mayTakeLong({ resource: { definition }, form, shape }: WrittenEvents): boolean {
  const areLarge = definition.bulk !== undefined || definition.isCustom === true;
  return areLarge && form !== jsonSerializer && shape instanceof PlainShape;
}

const types: readonly EventType[] = ['ADDED', 'MODIFIED', 'DELETED'];
/** Marks an encoded event. Other values are an index of `types`, before the object's JSON. */
const written = types.length;
const headLength = 5;

function part(what: number, bytes: Buffer): Buffer {
  const head = Buffer.alloc(headLength);
  head[0] = what;
  head.writeUInt32BE(bytes.length, 1);
  return Buffer.concat([head, bytes]);
}

/** Queued events for `LargeEvents`: large objects are not encoded yet. */
export function unwrittenFormat({ resource, shape, format }: WrittenEvents): WatchFormat {
  return {
    id: `${format.id}, large ones unwritten`,
    event(type, object) {
      if (object.json.length < large) return part(written, format.event(type, object));
      return part(types.indexOf(type), shape.one(storedSource(resource, object)));
    },
    bookmark: (revision, initialEventsEnd) => part(written, format.bookmark(revision, initialEventsEnd)),
  };
}

export class LargeEvents extends OrderedAsyncSink {
  readonly #forms: Serializers;
  readonly #events: WrittenEvents;

  constructor(forms: Serializers, events: WrittenEvents, sink: WatchSink, signal: AbortSignal) {
    super(sink, signal);
    this.#forms = forms;
    this.#events = events;
  }

  protected async *ready(frame: Buffer): AsyncGenerator<Buffer, void> {
    const { form, shape } = this.#events;
    for (let at = 0; at < frame.length; ) {
      const what = frame[at]!;
      const end = at + headLength + frame.readUInt32BE(at + 1);
      const bytes = frame.subarray(at + headLength, end);
      at = end;
      if (what === written) yield bytes;
      else yield form.event(types[what]!, await this.#forms.object(form.mediaType, shape.written, bytes));
    }
  }
}
