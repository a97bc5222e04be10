// Watch events of large objects, which a worker thread serializes. The watch hub is synchronous, so it queues the JSON of
// such objects (`deferredFormat`); the sink LargeEvents encodes them.
import type { ServedResource } from '../../../kind/registry.ts';
import { jsonSerializer } from '../../../serializers/json-serializer.ts';
import type { Serializer } from '../../../serializers/serializer.ts';
import { minLargeBytes, type Serializers } from '../../../serializers/serializers.ts';
import type { EventType, WatchFormat, WatchSink } from '../../../store/watch/hub.ts';
import { storedSource } from '../send-object.ts';
import { IdentityTransform, type ResponseTransform } from '../transform.ts';
import { OrderedAsyncSink } from './ordered-async-sink.ts';

export interface EventEncoding {
  readonly resource: ServedResource;
  readonly serializer: Serializer;
  readonly transform: ResponseTransform;
  readonly format: WatchFormat;
}

/**
 * Whether events may be too large to encode on this thread: objects of kinds that split off large data (`bulk`) and custom
 * resources, in a media type other than JSON.
 */
export function mayBeLarge({ resource: { definition }, serializer, transform }: EventEncoding): boolean {
  const isUnbounded = definition.bulk !== undefined || definition.isCustom === true;
  return isUnbounded && serializer !== jsonSerializer && transform instanceof IdentityTransform;
}

const eventTypes: readonly EventType[] = ['ADDED', 'MODIFIED', 'DELETED'];
/** The tag of an encoded event. Other tags are an index of `types`, followed by the JSON of the object. */
const encodedEventTag = eventTypes.length;
/** The head of a frame: a tag of one byte, and the length of the bytes that follow in four. */
const frameHeadBytes = 5;

function toFrame(tag: number, bytes: Buffer): Buffer {
  const head = Buffer.alloc(frameHeadBytes);
  head[0] = tag;
  head.writeUInt32BE(bytes.length, 1);
  return Buffer.concat([head, bytes]);
}

/** Events as the hub queues them for `LargeEvents`: small ones encoded, large ones as the JSON of their object. */
export function deferredFormat({ resource, transform, format }: EventEncoding): WatchFormat {
  return {
    id: `${format.id}, large ones deferred`,
    event(type, object) {
      if (object.json.length < minLargeBytes) return toFrame(encodedEventTag, format.event(type, object));
      return toFrame(eventTypes.indexOf(type), transform.object(storedSource(resource, object)));
    },
    bookmark: (revision, options) => toFrame(encodedEventTag, format.bookmark(revision, options)),
  };
}

/** Encodes the queued large objects on a worker thread. */
export class LargeEvents extends OrderedAsyncSink {
  readonly #serializers: Serializers;
  readonly #encoding: EventEncoding;

  constructor(serializers: Serializers, encoding: EventEncoding, sink: WatchSink, signal: AbortSignal) {
    super(sink, signal);
    this.#serializers = serializers;
    this.#encoding = encoding;
  }

  /** `frames`: one or more frames of `deferredFormat`. */
  protected async *prepare(frames: Buffer): AsyncGenerator<Buffer, void> {
    const { serializer, transform } = this.#encoding;
    for (let offset = 0; offset < frames.length; ) {
      const tag = frames[offset]!;
      const end = offset + frameHeadBytes + frames.readUInt32BE(offset + 1);
      const bytes = frames.subarray(offset + frameHeadBytes, end);
      offset = end;
      if (tag === encodedEventTag) {
        yield bytes;
        continue;
      }
      const object = await this.#serializers.object(serializer.mediaType, transform.outputKind, bytes);
      yield serializer.event(eventTypes[tag]!, object);
    }
  }
}
