import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Api } from '../../resource/api.ts';
import { itemOf } from '../../resource/codec.ts';
import type { DeletedCollection } from '../../resource/delete-collection.ts';
import type { Listed } from '../../resource/list.ts';
import type { ServedResource } from '../../resource/registry.ts';
import { ReadingOfMany } from '../../resource/unreadable.ts';
import type { ListedObject } from '../../store/lists/runs-object.ts';
import type { ListPage } from '../../store/lists/runs-page.ts';
import { jsonType } from '../answer.ts';
import type { Exchange } from '../exchange.ts';
import { type Form, type ListDocument, type ListMetadata, pause } from '../forms/form.ts';
import { jsonListHead } from '../forms/json-form.ts';
import type { ProtobufForm } from '../forms/protobuf-form.ts';
import type { Representation } from '../negotiate.ts';
import { sendStream } from '../stream.ts';
import type { ResourceContext } from './handle.ts';
import { storedSource } from './send-object.ts';
import { type Shape, shapeOf } from './shape.ts';

const openBracket = Buffer.from('[');
const comma = Buffer.from(',');
const end = Buffer.from(']}\n');

/** A list in Protobuf says its length first. So much of one is kept in memory; a longer one is written twice. */
const mostKept = 16 * 1024 * 1024;
/** After so many bytes the event loop gets a turn. */
const bytesPerTurn = 128 * 1024;

type ListHeader = Pick<Listed, 'resourceVersion' | 'continue' | 'remaining'>;

export function listMetadata(header: ListHeader): ListMetadata {
  return {
    resourceVersion: header.resourceVersion,
    ...(header.continue && { continue: header.continue }),
    ...(header.remaining && { remainingItemCount: header.remaining }),
  };
}

/** Streams a list. In JSON it is the header, the objects' bytes as they lie ready, the end. */
export async function sendList(
  context: ResourceContext,
  exchange: Exchange,
  resource: ServedResource,
  listed: Listed,
  form: Representation,
): Promise<void> {
  const { api } = context;
  try {
    const shape = shapeOf(resource, form.target, exchange, exchange.startedAt);
    const document = shape.list(listMetadata(listed));
    const written = exchange.forms.of(form.type);
    let pieces: Iterable<Buffer>;
    if (form.type === jsonType && !form.target) pieces = readyPieces(api, resource, document, listed);
    else if (written === exchange.forms.protobuf) {
      pieces = await protobufPieces(api, resource, shape, document, listed, exchange.forms.protobuf);
    } else pieces = written.list(document, shapedItems(api, resource, shape, listed.page));
    await sendPieces(context, exchange, pieces, form);
  } finally {
    listed.page.release();
  }
}

export function sendPieces(
  { api, bodyBuffers: buffers }: Pick<ResourceContext, 'api' | 'bodyBuffers'>,
  exchange: Exchange,
  pieces: Iterable<Buffer>,
  { type, pretty }: Representation,
): Promise<void> {
  const options = { contentType: type, pretty: pretty && type === jsonType, clock: api.clock, buffers };
  return sendStream(exchange, pieces, options);
}

function* readyPieces(
  api: Api,
  resource: ServedResource,
  document: ListDocument,
  { page }: Listed,
): Generator<Buffer, void> {
  yield jsonListHead(document);
  yield openBracket;
  const reading = new ReadingOfMany(api.store);
  const encode = (item: ListedObject) => reading.try(() => itemOf(resource, item)) ?? pause;
  for (const piece of readyItems(resource, page, encode)) {
    // Once an object cannot be read the answer is an error, which names the others as well.
    if (!reading.hasFailed) yield piece;
    else if (reading.isHopeless) break;
    else yield pause;
  }
  reading.finish(resource);
  yield end;
}

function* readyItems(
  resource: ServedResource,
  page: ListPage,
  encode: (item: ListedObject) => Buffer,
): Generator<Buffer, void> {
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

/** The items one by one, as they are to be shown; now and then an empty one for a turn of the event loop. */
function* shapedItems(
  api: Api,
  resource: ServedResource,
  shape: Shape,
  page: ListPage,
): Generator<Buffer, void> {
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
    yield pause;
  }
  reading.finish(resource);
}

async function protobufPieces(
  api: Api,
  resource: ServedResource,
  shape: Shape,
  document: ListDocument,
  listed: Listed,
  form: ProtobufForm,
): Promise<Iterable<Buffer>> {
  let kept: Buffer[] | undefined = [];
  let size = 0;
  for (const item of shapedItems(api, resource, shape, listed.page)) {
    if (item === pause) {
      await nextTurn();
      continue;
    }
    const written = form.item(document, item);
    size += written.length;
    if (size > mostKept) kept = undefined;
    else kept?.push(written);
  }
  if (kept) return form.around(document, size, kept);
  const again = await listed.again();
  return form.around(
    document,
    size,
    writtenItems(again, form, document, shapedItems(api, resource, shape, again)),
  );
}

function* writtenItems(
  page: ListPage,
  form: ProtobufForm,
  document: ListDocument,
  items: Iterable<Buffer>,
): Generator<Buffer, void> {
  try {
    for (const item of items) yield item === pause ? pause : form.item(document, item);
  } finally {
    page.release();
  }
}

/** Sends what a deletecollection has deleted, as a list. */
export function sendCollection(
  context: ResourceContext,
  exchange: Exchange,
  resource: ServedResource,
  deleted: DeletedCollection,
  form: Representation,
): Promise<void> {
  const shape = shapeOf(resource, form.target, exchange, exchange.startedAt);
  const items = deleted.objects.map((object) => shape.item(storedSource(resource, object)));
  const written: Form = exchange.forms.of(form.type);
  return sendPieces(context, exchange, written.list(shape.list(listMetadata(deleted)), items), form);
}
