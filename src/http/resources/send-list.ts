import type { Api } from '../../resource/api.ts';
import { itemOf } from '../../resource/codec.ts';
import type { DeletedCollection } from '../../resource/delete-collection.ts';
import type { Listed } from '../../resource/list.ts';
import type { ServedResource } from '../../resource/registry.ts';
import { ReadingOfMany } from '../../resource/unreadable.ts';
import type { ListedObject } from '../../store/lists/runs-object.ts';
import { jsonType, sendBytes } from '../answer.ts';
import type { Exchange } from '../exchange.ts';
import { JsonIndenter } from '../json-text.ts';
import { sendStream } from '../stream.ts';
import type { ResourceContext } from './handle.ts';

const comma = Buffer.from(',');
const end = Buffer.from(']}\n');
const nothing = Buffer.alloc(0);

interface ListHeader {
  readonly resourceVersion: string;
  readonly continue: string;
  readonly remaining: number | undefined;
}

/** `{"kind":"XList","apiVersion":"v1","metadata":{…},"items":[` */
function header(resource: ServedResource, list: ListHeader): Buffer {
  const metadata = {
    resourceVersion: list.resourceVersion,
    ...(list.continue && { continue: list.continue }),
    ...(list.remaining && { remainingItemCount: list.remaining }),
  };
  const start = { kind: `${resource.kind}List`, apiVersion: resource.apiVersion, metadata };
  return Buffer.from(`${JSON.stringify(start).slice(0, -1)},"items":[`);
}

/** Streams a list: the header, the objects' bytes as they lie ready, the end. */
export async function sendList(
  { api, bodyBuffers: buffers }: ResourceContext,
  exchange: Exchange,
  resource: ServedResource,
  listed: Listed,
  pretty: boolean,
): Promise<void> {
  try {
    const pieces = listPieces(api, resource, listed);
    await sendStream(exchange, pieces, { contentType: jsonType, pretty, clock: api.clock, buffers });
  } finally {
    listed.page.release();
  }
}

function* listPieces(api: Api, resource: ServedResource, listed: Listed): Generator<Buffer, void> {
  yield header(resource, listed);
  const reading = new ReadingOfMany(api.store);
  const encode = (item: ListedObject) => reading.try(() => itemOf(resource, item)) ?? nothing;
  for (const piece of itemPieces(resource, listed, encode)) {
    // Once an object cannot be read the answer is an error, which names the others as well.
    if (!reading.hasFailed) yield piece;
    else if (reading.isHopeless) break;
    else yield nothing;
  }
  reading.finish(resource);
  yield end;
}

function* itemPieces(
  resource: ServedResource,
  { page }: Listed,
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

/** Sends what a deletecollection has deleted, as a list. */
export function sendCollection(
  exchange: Exchange,
  resource: ServedResource,
  deleted: DeletedCollection,
  pretty: boolean,
): void {
  const pieces: Buffer[] = [header(resource, deleted)];
  deleted.objects.forEach((object, index) => {
    if (index > 0) pieces.push(comma);
    pieces.push(itemOf(resource, object));
  });
  pieces.push(end);
  const body = Buffer.concat(pieces);
  sendBytes(exchange, 200, jsonType, pretty ? new JsonIndenter().push(body) : body);
}
