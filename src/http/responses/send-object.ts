// Responses with a single object or a Status, in the negotiated media type and transformation (none, Table or
// PartialObjectMetadata).
import type { WireStatus } from '../../errors/status.ts';
import type { ApiObject } from '../../kind/api-object.ts';
import type { ServedKind, ServedResource } from '../../kind/registry.ts';
import {
  isCurrentEncoding,
  jsonWithMetadata,
  listItemJson,
  storedJsonInVersion,
} from '../../kind/storage/codec.ts';
import { convertToVersion } from '../../kind/storage/convert-stored.ts';
import { withBareReason } from '../../kind/storage/unreadable.ts';
import { decodeForTable } from '../../kind/table/row-template.ts';
import type { Target } from '../../registry/target.ts';
import type { Representation } from '../../serializers/negotiate.ts';
import type { SerializedKind } from '../../serializers/serializer.ts';
import type { StoredObject } from '../../store/store.ts';
import type { Exchange } from '../../transport/exchange.ts';
import { jsonType, sendBody, sendJsonBytes, sendStatusObject } from '../../transport/response.ts';
import { sliceMetadata } from './metadata-bytes.ts';
import { type ResponseTransform, TableTransform, type TransformSource, transformFor } from './transform.ts';

/** Sends one object, as its stored bytes if possible. */
export function sendObject(
  exchange: Exchange,
  code: number,
  resource: ServedResource,
  stored: StoredObject,
  representation: Representation,
): void | Promise<void> {
  // Without a conversion webhook, `storedJsonInVersion` derives every version from the stored bytes.
  if (resource.definition.converter === undefined) {
    return sendInVersion(exchange, code, resource, stored, representation);
  }
  const converted = convertToVersion(resource, stored);
  if (converted instanceof Promise) {
    return converted.then((object) => sendInVersion(exchange, code, resource, object, representation));
  }
  return sendInVersion(exchange, code, resource, converted, representation);
}

/** Sends a stored object that needs no conversion webhook, or has been converted by it. */
function sendInVersion(
  exchange: Exchange,
  code: number,
  resource: ServedResource,
  stored: StoredObject,
  representation: Representation,
): void | Promise<void> {
  const isJson = !representation.target && representation.mediaType === jsonType;
  if (isJson && isCurrentEncoding(resource, stored.schemaFingerprint)) {
    return sendJsonBytes(exchange, code, stored.json, representation.pretty);
  }
  const transform = transformFor(resource, representation.target, exchange, exchange.receivedAtMs);
  const send = (object: StoredSource) =>
    sendTransformed(exchange, code, resource, object, transform, representation);
  const converting = transform.includesObject
    ? exchange.serializers.inVersion(resource, stored, exchange)
    : undefined;
  return converting ? converting.then(send) : send(stored);
}

function sendTransformed(
  exchange: Exchange,
  code: number,
  resource: ServedResource,
  stored: StoredSource,
  transform: ResponseTransform,
  representation: Representation,
): void | Promise<void> {
  const source = storedSource(resource, stored);
  const rowRendering =
    transform instanceof TableTransform
      ? exchange.serializers.tableRow(resource, stored, exchange)
      : undefined;
  if (!rowRendering) {
    return sendJson(exchange, code, transform.outputKind, transform.object(source), representation);
  }
  return rowRendering.then((row) => {
    const table = transform as TableTransform;
    const json = table.tableWithRow(source, row, table.ageFormatter, 'with columns');
    return sendJson(exchange, code, transform.outputKind, json, representation);
  });
}

/** Sends the result of a write. As upstream, an undecodable result has another error text than an undecodable read. */
export async function sendWritten(
  exchange: Exchange,
  code: number,
  resource: ServedResource,
  stored: StoredObject,
  representation: Representation,
): Promise<void> {
  try {
    await sendObject(exchange, code, resource, stored, representation);
  } catch (error) {
    throw withBareReason(error);
  }
}

/** Sends an object that is not stored, or a Status. */
export function sendUnstored(
  exchange: Exchange,
  code: number,
  kind: ServedKind,
  object: ApiObject | WireStatus,
  representation: Representation,
): void | Promise<void> {
  if (object.kind === 'Status') return sendStatusObject(exchange, code, object as WireStatus, representation);
  const transform = transformFor(kind, representation.target, exchange, exchange.receivedAtMs);
  const json = transform.object(unstoredSource(kind, object as ApiObject));
  return sendJson(exchange, code, transform.outputKind, json, representation);
}

export type StoredSource = Pick<StoredObject, 'key' | 'json' | 'schemaFingerprint'>;

/** A stored object as the source of a response in the version of `resource`. */
export function storedSource(resource: ServedResource, stored: StoredSource): TransformSource {
  return {
    get json() {
      return storedJsonInVersion(resource, stored);
    },
    get item() {
      return listItemJson(resource, stored);
    },
    get metadata() {
      return sliceMetadata(jsonWithMetadata(resource, stored));
    },
    tableObject: () => decodeForTable(resource, stored),
  };
}

/** An object that was built for the response, as the source of the response. */
export function unstoredSource(
  { apiVersion, kind, definition }: ServedKind,
  object: ApiObject,
): TransformSource {
  const typedObject = { ...object, apiVersion, kind };
  const write = (value: unknown) => Buffer.from(definition.schema.write(value as ApiObject));
  return {
    get json() {
      return write(typedObject);
    },
    get item() {
      return write({ ...typedObject, apiVersion: '', kind: '' });
    },
    get metadata() {
      return sliceMetadata(write(typedObject));
    },
    tableObject: () => typedObject,
  };
}

/** Sends the JSON of an object in the negotiated media type. */
function sendJson(
  exchange: Exchange,
  code: number,
  kind: SerializedKind,
  json: Buffer,
  { mediaType, pretty }: Representation,
): void | Promise<void> {
  if (mediaType === jsonType) return sendJsonBytes(exchange, code, json, pretty);
  exchange.audit?.setResponseObject(json);
  const body = exchange.serializers.object(mediaType, kind, json, exchange);
  if (body instanceof Promise) return body.then((bytes) => sendBody(exchange, code, mediaType, bytes));
  return sendBody(exchange, code, mediaType, body);
}

/** The Status of a delete with ignoreStoreReadErrorWithClusterBreakingPotential: the object could not be decoded. */
export function sendUndecodableDeleteStatus(
  exchange: Exchange,
  { resource, name }: Target,
  representation: Representation,
): void {
  const status: WireStatus = {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Success',
    details: { name, kind: resource.kind },
    code: 200,
  };
  sendStatusObject(exchange, 200, status, representation);
}

/** The Status of a delete. */
export function sendDeleteStatus(
  exchange: Exchange,
  code: 200 | 202,
  { resource, name }: Target,
  uid: string | undefined,
  representation: Representation,
): void {
  const status: WireStatus = {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Success',
    details: {
      name,
      ...(resource.group && { group: resource.group }),
      kind: resource.subject.resource,
      ...(uid && { uid }),
    },
  };
  sendStatusObject(exchange, code, status, representation);
}
