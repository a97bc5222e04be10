// List responses, streamed in the negotiated media type.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Chunk, Pause, waitFor, yieldPause } from '../../base/chunk.ts';
import type { WireStatus } from '../../errors/status.ts';
import type { ServedResource } from '../../kind/registry.ts';
import { itemOf } from '../../kind/storage/codec.ts';
import { ReadingOfMany, Unreadable } from '../../kind/storage/unreadable.ts';
import type { AgeTemplate } from '../../kind/table/age-formatter.ts';
import type { Api } from '../../registry/api.ts';
import type { DeletedCollection } from '../../registry/verbs/delete-collection.ts';
import type { Listed } from '../../registry/verbs/list.ts';
import type { ConvertedPage } from '../../registry/verbs/list-converted.ts';
import { jsonListHead, jsonSerializer } from '../../serializers/json-serializer.ts';
import type { Representation } from '../../serializers/negotiate.ts';
import type { ProtobufSerializer } from '../../serializers/protobuf-serializer.ts';
import type { ListDocument, ListMetadata, Serializer } from '../../serializers/serializer.ts';
import type { Serializers } from '../../serializers/serializers.ts';
import type { ListedObject } from '../../store/lists/runs-object.ts';
import type { ListPage } from '../../store/lists/runs-page.ts';
import type { RunRange } from '../../store/lists/runs-piece.ts';
import type { BodyBuffers } from '../../transport/chunked-body.ts';
import type { Exchange } from '../../transport/exchange.ts';
import { jsonType, sendStatusObject } from '../../transport/response.ts';
import { sendStream } from '../../transport/stream.ts';
import type { EncodedChunkCache } from './list/encoded-chunk-cache.ts';
import { itemsOfRuns, type RunWriting } from './list/items-of-runs.ts';
import { JoinedItems } from './list/joined-items.ts';
import { RowTemplates } from './list/row-templates.ts';
import { storedSource } from './send-object.ts';
import { type Shape, shapeOf, TableShape } from './transform.ts';

/** Stands in for an item that failed to decode; no chunk is sent after it. */
const nothing = Buffer.alloc(0);
const openBracket = Buffer.from('[');
const comma = Buffer.from(',');
const end = Buffer.from(']}\n');

/**
 * The Protobuf envelope starts with the length. Up to this size the encoded items are kept; longer lists are encoded
 * twice.
 */
const mostKept = 16 * 1024 * 1024;
/** Bytes after which the encoder yields to the event loop. */
const bytesPerTurn = 128 * 1024;

/** The dependencies of list responses. */
export interface ListResponseContext {
  readonly api: Pick<Api, 'store' | 'clock'>;
  /** Buffers in which chunks of the body are put together. */
  readonly bodyBuffers: BodyBuffers;
  /** Encoded items of Protobuf lists. */
  readonly encodedItems: EncodedChunkCache<JoinedItems>;
  /** Rows of Tables. */
  readonly tableRows: EncodedChunkCache<RowTemplates>;
}

type ListHeader = Pick<Listed, 'resourceVersion' | 'continue' | 'remaining'>;

function listMetadata(header: ListHeader): ListMetadata {
  return {
    resourceVersion: header.resourceVersion,
    ...(header.continue && { continue: header.continue }),
    ...(header.remaining && { remainingItemCount: header.remaining }),
  };
}

/** Streams a list. In JSON that is the head, the stored bytes of the items, and the end. */
export async function sendList(
  context: ListResponseContext,
  exchange: Exchange,
  resource: ServedResource,
  listed: Listed,
  form: Representation,
): Promise<void> {
  const { api } = context;
  try {
    const shape = shapeOf(resource, form.target, exchange, exchange.startedAt);
    const document = shape.list(listMetadata(listed));
    const written = exchange.serializers.of(form.type);
    let pieces: Iterable<Chunk>;
    if (form.type === jsonType && !form.target) pieces = readyPieces(api, resource, document, listed);
    else if (written === exchange.serializers.protobuf) {
      const encode = new ProtobufItems(context, resource, shape, document, exchange.serializers);
      pieces = await protobufPieces(encode, document, listed, exchange.serializers.protobuf);
    } else if (form.type === jsonType && shape instanceof TableShape && listed.page.runs) {
      pieces = tablePieces(context, resource, shape, document, listed.page.runs());
    } else {
      const items = shapedItems(api, resource, shape, listed.page);
      pieces = written.list(document, writtenItems(exchange.serializers, written, shape, document, items));
    }
    if (exchange.audit?.keepsResponseObject && form.type !== jsonType) {
      const page = await listed.again();
      await auditList(exchange, jsonSerializer.list(document, shapedItems(api, resource, shape, page)));
      page.release();
    }
    await sendChunks(context, exchange, pieces, form);
  } finally {
    listed.page.release();
  }
}

/** Records a list in the audit event that is sent in another media type than JSON. */
async function auditList({ audit }: Exchange, json: Iterable<Chunk>): Promise<void> {
  for (const chunk of audit?.captureResponse(json) ?? []) if (chunk instanceof Pause) await chunk.wait();
}

function sendChunks(
  { api, bodyBuffers: buffers }: Pick<ListResponseContext, 'api' | 'bodyBuffers'>,
  exchange: Exchange,
  pieces: Iterable<Chunk>,
  { type, pretty }: Representation,
): Promise<void> {
  const options = { contentType: type, pretty: pretty && type === jsonType, clock: api.clock, buffers };
  const { audit } = exchange;
  const isNoted = audit?.keepsResponseObject && type === jsonType;
  return sendStream(exchange, isNoted ? audit.captureResponse(pieces) : pieces, options);
}

function* readyPieces(
  api: Pick<Api, 'store'>,
  resource: ServedResource,
  document: ListDocument,
  { page }: Listed,
): Generator<Chunk, void> {
  yield jsonListHead(document);
  yield openBracket;
  const reading = new ReadingOfMany(api.store);
  const encode = (item: ListedObject) => reading.try(() => itemOf(resource, item)) ?? nothing;
  for (const piece of readyItems(resource, page, encode)) {
    // After the first undecodable object the response is an error that names all of them.
    if (!reading.hasFailed) yield piece;
    else if (reading.isHopeless) break;
    else yield yieldPause;
  }
  reading.finish(resource);
  yield end;
}

function* readyItems(
  resource: ServedResource,
  page: ListPage,
  encode: (item: ListedObject) => Buffer,
): Generator<Chunk, void> {
  if (resource.stored === resource) {
    yield* page.chunks({ mark: resource.definition.schema.mark, encode });
    return;
  }
  let first = true;
  for (const object of page.objects()) {
    if (!first) yield comma;
    yield encode(object);
    first = false;
  }
}

/** A Table of cached rows, with the ages filled in. */
function* tablePieces(
  { api, tableRows }: ListResponseContext,
  resource: ServedResource,
  shape: TableShape,
  document: ListDocument,
  stretches: Iterable<RunRange>,
): Generator<Chunk, void> {
  yield jsonListHead(document);
  yield openBracket;
  const reading = new ReadingOfMany(api.store);
  const rows: RunWriting<AgeTemplate, RowTemplates> = {
    kind: resource,
    form: shape.id,
    kept: tableRows,
    write: (object) => shape.gappedRow(storedSource(resource, object)),
    join: (items) => new RowTemplates(items),
    part: (items, from, to) => items.part(from, to, shape.now),
  };
  let isFirst = true;
  for (const part of itemsOfRuns(stretches, rows, reading)) {
    // Every row starts with a comma.
    yield isFirst && !(part instanceof Pause) ? part.subarray(1) : part;
    isFirst &&= part instanceof Pause;
  }
  reading.finish(resource);
  yield end;
}

/** The transformed items, with pauses. */
function* shapedItems(
  api: Pick<Api, 'store'>,
  resource: ServedResource,
  shape: Shape,
  page: ListPage,
): Generator<Chunk, void> {
  const reading = new ReadingOfMany(api.store);
  let sinceTurn = 0;
  for (const batch of page.batches()) {
    for (const object of batch) {
      const item = reading.try(() => shape.item(storedSource(resource, object)));
      if (reading.isHopeless) break;
      if (reading.hasFailed || !item) continue;
      yield item;
      sinceTurn += item.length;
    }
    if (batch.length > 0 && sinceTurn < bytesPerTurn) continue;
    sinceTurn = 0;
    yield yieldPause;
  }
  reading.finish(resource);
}

/** The items encoded in this media type. */
function* writtenItems(
  forms: Serializers,
  form: Serializer,
  { written: kind }: Pick<Shape, 'written'>,
  document: ListDocument,
  items: Iterable<Chunk>,
): Generator<Chunk, void> {
  for (const item of items) {
    const written = item instanceof Pause ? item : forms.item(form, kind, document, item);
    yield written instanceof Promise ? yield* waitFor(written) : written;
  }
}

async function protobufPieces(
  items: ProtobufItems,
  document: ListDocument,
  listed: Listed,
  form: ProtobufSerializer,
): Promise<Iterable<Chunk>> {
  let kept: Buffer[] | undefined = [];
  let size = 0;
  for (const piece of items.of(listed.page)) {
    if (piece instanceof Pause) {
      await piece.wait();
      continue;
    }
    size += piece.length;
    if (size > mostKept) kept = undefined;
    else kept?.push(piece);
  }
  if (kept) return form.around(document, size, kept);
  return form.around(document, size, items.of(await listed.again()));
}

/** The encoded items of a Protobuf list. */
class ProtobufItems {
  readonly #context: ListResponseContext;
  readonly #resource: ServedResource;
  readonly #shape: Shape;
  readonly #document: ListDocument;
  readonly #forms: Serializers;
  readonly #runs: RunWriting<Buffer, JoinedItems>;

  constructor(
    context: ListResponseContext,
    resource: ServedResource,
    shape: Shape,
    document: ListDocument,
    forms: Serializers,
  ) {
    this.#context = context;
    this.#resource = resource;
    this.#shape = shape;
    this.#document = document;
    this.#forms = forms;
    this.#runs = {
      kind: resource,
      form: shape.id,
      kept: context.encodedItems,
      write: (object) => this.#write(object),
      join: (items) => new JoinedItems(items),
      part: (items, from, to) => items.part(from, to),
    };
  }

  /** Encodes a page with pauses. Throws at the end if any object could not be decoded. */
  *of(page: ListPage): Generator<Chunk, void> {
    const reading = new ReadingOfMany(this.#context.api.store);
    try {
      yield* page.runs
        ? itemsOfRuns(page.runs(), this.#runs, reading)
        : this.#ofObjects(page.objects(), reading);
      reading.finish(this.#resource);
    } finally {
      page.release();
    }
  }

  *#ofObjects(objects: Iterable<ListedObject>, reading: ReadingOfMany): Generator<Chunk, void> {
    for (const object of objects) {
      const item = reading.try(() => this.#write(object));
      if (item && !reading.hasFailed) yield item instanceof Promise ? yield* waitFor(item) : item;
    }
  }

  #write(object: ListedObject): Buffer | Promise<Buffer> {
    const json = this.#shape.item(storedSource(this.#resource, object));
    return this.#forms.item(this.#forms.protobuf, this.#shape.written, this.#document, json);
  }
}

/** Sends a list whose items are in memory as JSON. */
export async function sendEncodedItems(
  context: Pick<ListResponseContext, 'api' | 'bodyBuffers'>,
  exchange: Exchange,
  shape: Pick<Shape, 'written'>,
  document: ListDocument,
  items: readonly Buffer[],
  form: Representation,
): Promise<void> {
  if (form.type !== jsonType) await auditList(exchange, jsonSerializer.list(document, items));
  const { serializers } = exchange;
  const written = serializers.of(form.type);
  const ready: Buffer[] = [];
  for (const item of items) {
    const writing = serializers.item(written, shape.written, document, item);
    ready.push(writing instanceof Promise ? await writing : writing);
  }
  await sendChunks(context, exchange, written.list(document, ready), form);
}

/** Sends a list whose objects are in memory, in the requested version. */
export async function sendObjects(
  context: ListResponseContext,
  exchange: Exchange,
  resource: ServedResource,
  page: ConvertedPage,
  form: Representation,
): Promise<void> {
  const shape = shapeOf(resource, form.target, exchange, exchange.startedAt);
  const document = shape.list(listMetadata(page));
  const reading = new ReadingOfMany(context.api.store);
  const items: Buffer[] = [];
  let sinceTurn = 0;
  for (const object of page.objects) {
    const item = reading.try(() => {
      if (object instanceof Unreadable) throw object;
      return shape.item(storedSource(resource, object));
    });
    if (reading.isHopeless) break;
    if (item) items.push(item);
    sinceTurn += item?.length ?? 0;
    if (sinceTurn < bytesPerTurn) continue;
    sinceTurn = 0;
    await nextTurn();
  }
  reading.finish(resource);
  await sendEncodedItems(context, exchange, shape, document, items, form);
}

/** The Status of a deletecollection: the objects are deleted, or will be once their finalizers are done. */
export function sendCollectionStatus(
  exchange: Exchange,
  { subject: { group, resource } }: ServedResource,
  deleted: DeletedCollection,
  form: Representation,
): void {
  const status: WireStatus = {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: listMetadata(deleted),
    status: 'Success',
    details: { ...(group !== '' && { group }), kind: resource },
  };
  sendStatusObject(exchange, 200, status, form);
}
