// List responses: a collection as a List or Table, streamed in the negotiated media type.
//
// A list with undecodable objects fails with an error that names all of them (up to a limit). `reader` (TolerantReader)
// collects them: after the first, encoders read on and send nothing more; `reader.throwIfFailed` throws the error.
// Long lists must not block the event loop: chunk generators yield a Pause, during which the event loop runs.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Chunk, Pause, waitFor, yieldPause } from '../../base/chunk.ts';
import type { WireStatus } from '../../errors/status.ts';
import type { ServedResource } from '../../kind/registry.ts';
import { listItemJson } from '../../kind/storage/codec.ts';
import { TolerantReader, Unreadable } from '../../kind/storage/unreadable.ts';
import type { AgeTemplate } from '../../kind/table/age-formatter.ts';
import type { RowTemplate } from '../../kind/table/row-template.ts';
import type { StorageContext } from '../../registry/verb-context.ts';
import type { DeletedCollection } from '../../registry/verbs/delete-collection.ts';
import type { Listed } from '../../registry/verbs/list.ts';
import type { ConvertedPage } from '../../registry/verbs/list-converted.ts';
import { jsonListHead, jsonSerializer } from '../../serializers/json-serializer.ts';
import type { Representation } from '../../serializers/negotiate.ts';
import type { ProtobufSerializer } from '../../serializers/protobuf-serializer.ts';
import type { ListDocument, ListMetadata, Serializer } from '../../serializers/serializer.ts';
import { minLargeBytes } from '../../serializers/serializers.ts';
import type { ListPage } from '../../store/lists/list-page.ts';
import type { ListedObject } from '../../store/lists/listed-object.ts';
import type { RunRange } from '../../store/lists/page-segments.ts';
import type { BufferPool } from '../../transport/chunked-body.ts';
import type { Exchange } from '../../transport/exchange.ts';
import { jsonType, sendStatusObject } from '../../transport/response.ts';
import { sendStream } from '../../transport/stream.ts';
import { encodeRuns, type RunEncoder, tryWaitFor } from './list/encode-runs.ts';
import type { EncodedChunkCache } from './list/encoded-chunk-cache.ts';
import { JoinedItems } from './list/joined-items.ts';
import { RowTemplates } from './list/row-templates.ts';
import { type StoredSource, storedSource } from './send-object.ts';
import { type ResponseTransform, TableTransform, transformFor } from './transform.ts';

/** The placeholder of an item that failed to decode; no chunk is sent after it. */
const emptyItem = Buffer.alloc(0);
const openBracket = Buffer.from('[');
const comma = Buffer.from(',');
const listEnd = Buffer.from(']}\n');

/**
 * The Protobuf envelope starts with the length of the whole list. Up to this size the encoded items are kept in memory;
 * longer lists are encoded twice, first to measure them.
 */
const maxKeptBytes = 16 * 1024 * 1024;
/** Bytes of JSON after which the encoder yields to the event loop. Measured: those of YAML take up to 200 µs per KB. */
const bytesPerYield = 32 * 1024;

export interface ListResponseContext {
  readonly api: Pick<StorageContext, 'store' | 'clock'>;
  /** Buffers in which small chunks of the body are joined. */
  readonly bufferPool: BufferPool;
  /** Encoded items of Protobuf lists. */
  readonly encodedItems: EncodedChunkCache<JoinedItems>;
  /** Rows of Tables. */
  readonly tableRows: EncodedChunkCache<RowTemplates>;
}

type ListHeader = Pick<Listed, 'resourceVersion' | 'continue' | 'remaining'>;

/**
 * Streams a list. Four ways, from fast to slow: the stored bytes of the items (JSON), cached Protobuf items, cached Table
 * rows (JSON), or each item transformed and serialized.
 */
export async function sendList(
  context: ListResponseContext,
  exchange: Exchange,
  resource: ServedResource,
  listed: Listed,
  representation: Representation,
): Promise<void> {
  const { api } = context;
  try {
    const transform = transformFor(resource, representation.target, exchange, exchange.receivedAtMs);
    const document = transform.list(listMetadata(listed));
    const serializer = exchange.serializers.forMediaType(representation.mediaType);
    const isJson = representation.mediaType === jsonType;
    let chunks: Iterable<Chunk>;
    if (isJson && !representation.target) {
      chunks = storedJsonChunks(api, exchange, resource, document, listed);
    } else if (serializer === exchange.serializers.protobuf) {
      const items = new ProtobufItems(context, resource, transform, document, exchange);
      chunks = await protobufChunks(items, document, listed, exchange.serializers.protobuf);
    } else if (isJson && transform instanceof TableTransform && listed.page.runs) {
      chunks = tableChunks(context, exchange, resource, transform, document, listed.page.runs());
    } else {
      const items = transformedItems(api, exchange, resource, transform, listed.page);
      chunks = serializer.list(document, serializedItems(exchange, serializer, transform, document, items));
    }
    // A JSON response is recorded while it is sent (sendChunks).
    if (exchange.audit?.keepsResponseObject && !isJson) {
      const page = await listed.listAgain();
      const items = transformedItems(api, exchange, resource, transform, page);
      await auditList(exchange, jsonSerializer.list(document, items));
      page.release();
    }
    await sendChunks(context, exchange, chunks, representation);
  } finally {
    listed.page.release();
  }
}

function listMetadata(header: ListHeader): ListMetadata {
  return {
    resourceVersion: header.resourceVersion,
    ...(header.continue && { continue: header.continue }),
    ...(header.remaining && { remainingItemCount: header.remaining }),
  };
}

/** Records a list in the audit event as JSON, for a response in another media type. */
async function auditList({ audit }: Exchange, json: Iterable<Chunk>): Promise<void> {
  if (!audit) return;
  // Reading the chunks records them.
  for (const chunk of audit.captureResponse(json)) if (chunk instanceof Pause) await chunk.wait();
}

function sendChunks(
  { api, bufferPool: buffers }: Pick<ListResponseContext, 'api' | 'bufferPool'>,
  exchange: Exchange,
  chunks: Iterable<Chunk>,
  { mediaType, pretty }: Representation,
): Promise<void> {
  const options = {
    contentType: mediaType,
    pretty: pretty && mediaType === jsonType,
    clock: api.clock,
    buffers,
  };
  const { audit } = exchange;
  const isRecorded = audit?.keepsResponseObject && mediaType === jsonType;
  return sendStream(exchange, isRecorded ? audit.captureResponse(chunks) : chunks, options);
}

/** A JSON list of the items as they are stored. */
function* storedJsonChunks(
  api: Pick<StorageContext, 'store'>,
  exchange: Exchange,
  resource: ServedResource,
  document: ListDocument,
  { page }: Listed,
): Generator<Chunk, void> {
  yield jsonListHead(document);
  yield openBracket;
  const reader = new TolerantReader(api.store);
  const encode = (item: StoredSource) => reader.try(() => listItemJson(resource, item)) ?? emptyItem;
  // In the storage version the stored runs are list items already, unless their schema fingerprint shows an older schema.
  const items =
    resource.stored === resource
      ? page.chunks({ schemaFingerprint: resource.definition.schema.fingerprint, encode })
      : convertedJsonItems(exchange, resource, page, reader, encode);
  for (const chunk of items) {
    // After the first undecodable object the response is an error that names all of them.
    if (!reader.hasFailed) yield chunk;
    else if (reader.hasTooManyFailures) break;
    else yield yieldPause;
  }
  reader.throwIfFailed(resource);
  yield listEnd;
}

/** The items of a JSON list in another version than they are stored in, separated by commas. */
function* convertedJsonItems(
  exchange: Exchange,
  resource: ServedResource,
  page: ListPage,
  reader: TolerantReader,
  encode: (item: StoredSource) => Buffer,
): Generator<Chunk, void> {
  let isFirst = true;
  for (const object of page.objects()) {
    if (!isFirst) yield comma;
    const converting = convertLarge(exchange, resource, object);
    const converted = converting ? yield* tryWaitFor(converting, reader) : object;
    yield converted ? encode(converted) : emptyItem;
    isFirst = false;
  }
}

/** A large object in the requested version, from a worker thread. Undefined for others, which this thread converts. */
function convertLarge(
  exchange: Exchange,
  resource: ServedResource,
  object: ListedObject,
): Promise<StoredSource> | undefined {
  // Not the length of `json`, which is built on access.
  if (object.item.length < minLargeBytes) return undefined;
  return exchange.serializers.inVersion(resource, object, exchange);
}

/** A Table of cached rows, with the ages filled in. */
function* tableChunks(
  { api, tableRows }: ListResponseContext,
  exchange: Exchange,
  resource: ServedResource,
  transform: TableTransform,
  document: ListDocument,
  ranges: Iterable<RunRange>,
): Generator<Chunk, void> {
  yield jsonListHead(document);
  yield openBracket;
  const reader = new TolerantReader(api.store);
  const rows: RunEncoder<AgeTemplate, RowTemplates> = {
    kind: resource,
    encoding: transform.id,
    cache: tableRows,
    encode(object) {
      const rendering = renderLargeRow(exchange, resource, object);
      if (!rendering) return transform.rowTemplate(storedSource(resource, object));
      const converting = transform.includesObject ? convertLarge(exchange, resource, object) : undefined;
      return Promise.all([rendering, converting]).then(([row, converted]) =>
        transform.completeTemplate(storedSource(resource, converted ?? object), row),
      );
    },
    join: (items) => new RowTemplates(items),
    slice: (items, from, to) => items.slice(from, to, transform.ageFormatter),
  };
  let isFirst = true;
  for (const chunk of encodeRuns(ranges, rows, reader)) {
    if (chunk instanceof Pause) yield chunk;
    else {
      // Every cached row starts with a comma, which the first row of the list must not have.
      yield isFirst ? chunk.subarray(1) : chunk;
      isFirst = false;
    }
  }
  reader.throwIfFailed(resource);
  yield listEnd;
}

/** The Table row of a large object, from a worker thread. Undefined for others, which this thread renders. */
function renderLargeRow(
  exchange: Exchange,
  resource: ServedResource,
  object: ListedObject,
): Promise<RowTemplate> | undefined {
  // Not the length of `json`, which is built on access.
  if (object.item.length < minLargeBytes) return undefined;
  return exchange.serializers.tableRow(resource, object, exchange);
}

function transformItem(
  exchange: Exchange,
  resource: ServedResource,
  transform: ResponseTransform,
  object: ListedObject,
): Buffer | Promise<Buffer> {
  const converting = transform.includesObject ? convertLarge(exchange, resource, object) : undefined;
  const rendering =
    transform instanceof TableTransform ? renderLargeRow(exchange, resource, object) : undefined;
  if (!converting && !rendering) return transform.item(storedSource(resource, object));
  return Promise.all([converting, rendering]).then(([converted, row]) => {
    const source = storedSource(resource, converted ?? object);
    return row ? (transform as TableTransform).itemWithRow(source, row) : transform.item(source);
  });
}

/** The transformed items, with pauses. */
function* transformedItems(
  api: Pick<StorageContext, 'store'>,
  exchange: Exchange,
  resource: ServedResource,
  transform: ResponseTransform,
  page: ListPage,
): Generator<Chunk, void> {
  const reader = new TolerantReader(api.store);
  let bytesSinceYield = 0;
  for (const batch of page.batches()) {
    for (const object of batch) {
      const transformed = reader.try(() => transformItem(exchange, resource, transform, object));
      const item = transformed instanceof Promise ? yield* tryWaitFor(transformed, reader) : transformed;
      if (reader.hasTooManyFailures) break;
      if (reader.hasFailed || !item) continue;
      yield item;
      bytesSinceYield += item.length;
      if (bytesSinceYield < bytesPerYield) continue;
      bytesSinceYield = 0;
      yield yieldPause;
    }
    // The page read objects that the selectors do not match, which took time, too.
    if (batch.length === 0) yield yieldPause;
  }
  reader.throwIfFailed(resource);
}

/** The items encoded in this media type. */
function* serializedItems(
  exchange: Exchange,
  serializer: Serializer,
  { outputKind: kind }: Pick<ResponseTransform, 'outputKind'>,
  document: ListDocument,
  items: Iterable<Chunk>,
): Generator<Chunk, void> {
  for (const item of items) {
    const serialized =
      item instanceof Pause ? item : exchange.serializers.item(serializer, kind, document, item, exchange);
    yield serialized instanceof Promise ? yield* waitFor(serialized) : serialized;
  }
}

/** A Protobuf list, whose envelope needs the total size of the items first. */
async function protobufChunks(
  items: ProtobufItems,
  document: ListDocument,
  listed: Listed,
  serializer: ProtobufSerializer,
): Promise<Iterable<Chunk>> {
  let keptChunks: Buffer[] | undefined = [];
  let size = 0;
  for (const chunk of items.encode(listed.page)) {
    if (chunk instanceof Pause) {
      await chunk.wait();
      continue;
    }
    size += chunk.length;
    if (size > maxKeptBytes) keptChunks = undefined;
    else keptChunks?.push(chunk);
  }
  if (keptChunks) return serializer.wrapItems(document, size, keptChunks);
  return serializer.wrapItems(document, size, items.encode(await listed.listAgain()));
}

/** The encoded items of a Protobuf list. */
class ProtobufItems {
  readonly #context: ListResponseContext;
  readonly #resource: ServedResource;
  readonly #transform: ResponseTransform;
  readonly #document: ListDocument;
  readonly #exchange: Exchange;
  readonly #runs: RunEncoder<Buffer, JoinedItems>;

  constructor(
    context: ListResponseContext,
    resource: ServedResource,
    transform: ResponseTransform,
    document: ListDocument,
    exchange: Exchange,
  ) {
    this.#context = context;
    this.#resource = resource;
    this.#transform = transform;
    this.#document = document;
    this.#exchange = exchange;
    this.#runs = {
      kind: resource,
      encoding: transform.id,
      cache: context.encodedItems,
      encode: (object) => this.#encodeObject(object),
      join: (items) => new JoinedItems(items),
      slice: (items, from, to) => items.slice(from, to),
    };
  }

  /** Encodes a page with pauses. Throws at the end if any object could not be decoded. */
  *encode(page: ListPage): Generator<Chunk, void> {
    const reader = new TolerantReader(this.#context.api.store);
    try {
      yield* page.runs
        ? encodeRuns(page.runs(), this.#runs, reader)
        : this.#encodeObjects(page.objects(), reader);
      reader.throwIfFailed(this.#resource);
    } finally {
      page.release();
    }
  }

  *#encodeObjects(objects: Iterable<ListedObject>, reader: TolerantReader): Generator<Chunk, void> {
    for (const object of objects) {
      const item = reader.try(() => this.#encodeObject(object));
      if (item && !reader.hasFailed) yield item instanceof Promise ? yield* waitFor(item) : item;
    }
  }

  #encodeObject(object: ListedObject): Buffer | Promise<Buffer> {
    const json = transformItem(this.#exchange, this.#resource, this.#transform, object);
    return json instanceof Promise ? json.then((bytes) => this.#encodeJson(bytes)) : this.#encodeJson(json);
  }

  #encodeJson(json: Buffer): Buffer | Promise<Buffer> {
    const { serializers } = this.#exchange;
    const { outputKind } = this.#transform;
    return serializers.item(serializers.protobuf, outputKind, this.#document, json, this.#exchange);
  }
}

/** Sends a list whose items are in memory, encoded as JSON. */
export async function sendEncodedItems(
  context: Pick<ListResponseContext, 'api' | 'bufferPool'>,
  exchange: Exchange,
  transform: Pick<ResponseTransform, 'outputKind'>,
  document: ListDocument,
  items: readonly Buffer[],
  representation: Representation,
): Promise<void> {
  if (representation.mediaType !== jsonType) await auditList(exchange, jsonSerializer.list(document, items));
  const { serializers } = exchange;
  const serializer = serializers.forMediaType(representation.mediaType);
  const encodedItems: Buffer[] = [];
  for (const item of items) {
    const encoding = serializers.item(serializer, transform.outputKind, document, item, exchange);
    encodedItems.push(encoding instanceof Promise ? await encoding : encoding);
  }
  await sendChunks(context, exchange, serializer.list(document, encodedItems), representation);
}

/** Sends a list whose objects are in memory, in the requested version. */
export async function sendObjects(
  context: ListResponseContext,
  exchange: Exchange,
  resource: ServedResource,
  page: ConvertedPage,
  representation: Representation,
): Promise<void> {
  const transform = transformFor(resource, representation.target, exchange, exchange.receivedAtMs);
  const document = transform.list(listMetadata(page));
  const reader = new TolerantReader(context.api.store);
  const items: Buffer[] = [];
  let bytesSinceYield = 0;
  for (const object of page.objects) {
    const item = reader.try(() => {
      if (object instanceof Unreadable) throw object;
      return transform.item(storedSource(resource, object));
    });
    if (reader.hasTooManyFailures) break;
    if (item) items.push(item);
    bytesSinceYield += item?.length ?? 0;
    if (bytesSinceYield < bytesPerYield) continue;
    bytesSinceYield = 0;
    await nextTurn();
  }
  reader.throwIfFailed(resource);
  await sendEncodedItems(context, exchange, transform, document, items, representation);
}

/** The Status of a deletecollection: the objects are deleted, or will be once their finalizers are done. */
export function sendCollectionStatus(
  exchange: Exchange,
  { subject: { group, resource } }: ServedResource,
  deleted: DeletedCollection,
  representation: Representation,
): void {
  const status: WireStatus = {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: listMetadata(deleted),
    status: 'Success',
    details: { ...(group !== '' && { group }), kind: resource },
  };
  sendStatusObject(exchange, 200, status, representation);
}
