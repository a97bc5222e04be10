// Responses with a single object or a Status.
import type { WireStatus } from '../../errors/status.ts';
import type { ApiObject } from '../../kind/api-object.ts';
import type { ServedKind, ServedResource } from '../../kind/registry.ts';
import { decodeLazily, decodeStored, itemOf, showStored } from '../../kind/storage/codec.ts';
import { inVersion } from '../../kind/storage/converted.ts';
import { withBareReason } from '../../kind/storage/unreadable.ts';
import type { Target } from '../../registry/target.ts';
import type { Representation } from '../../serializers/negotiate.ts';
import type { StoredObject } from '../../store/store.ts';
import type { Exchange } from '../../transport/exchange.ts';
import { jsonType, sendBody, sendJsonBytes, sendStatusObject } from '../../transport/response.ts';
import { type Shape, type Source, shapeOf } from './transform.ts';

type StoredSource = Pick<StoredObject, 'key' | 'json' | 'mark'>;

/** A stored object, shown in a version of its kind. */
export function storedSource(resource: ServedResource, stored: StoredSource): Source {
  return {
    get json() {
      return showStored(resource, stored);
    },
    get item() {
      return itemOf(resource, stored);
    },
    stored: () =>
      resource.definition.isCustom ? decodeStored(resource, stored) : decodeLazily(resource, stored),
  };
}

/** Sends one object, as its stored bytes if possible. */
export function sendObject(
  exchange: Exchange,
  code: number,
  resource: ServedResource,
  stored: StoredObject,
  form: Representation,
): void | Promise<void> {
  // Without a conversion webhook, the stored bytes serve every version.
  if (resource.definition.converter === undefined) return sendShown(exchange, code, resource, stored, form);
  const shown = inVersion(resource, stored);
  if (shown instanceof Promise) return shown.then((one) => sendShown(exchange, code, resource, one, form));
  return sendShown(exchange, code, resource, shown, form);
}

function sendShown(
  exchange: Exchange,
  code: number,
  resource: ServedResource,
  stored: StoredObject,
  form: Representation,
): void | Promise<void> {
  if (!form.target && form.type === jsonType) {
    return sendJsonBytes(exchange, code, showStored(resource, stored), form.pretty);
  }
  const shape = shapeOf(resource, form.target, exchange, exchange.startedAt);
  return sendShaped(exchange, code, shape, storedSource(resource, stored), form);
}

/** Sends the result of a write. An undecodable result has another error text than an undecodable stored object. */
export async function sendWritten(
  exchange: Exchange,
  code: number,
  resource: ServedResource,
  stored: StoredObject,
  form: Representation,
): Promise<void> {
  try {
    await sendObject(exchange, code, resource, stored, form);
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
  form: Representation,
): void | Promise<void> {
  if (object.kind === 'Status') return sendStatusObject(exchange, code, object as WireStatus, form);
  const shape = shapeOf(kind, form.target, exchange, exchange.startedAt);
  return sendShaped(exchange, code, shape, unstoredSource(kind, object as ApiObject), form);
}

/** An object that was built for the response. */
export function unstoredSource({ apiVersion, kind, definition }: ServedKind, object: ApiObject): Source {
  const whole = { ...object, apiVersion, kind };
  const write = (value: unknown) => Buffer.from(definition.schema.write(value as ApiObject));
  return {
    get json() {
      return write(whole);
    },
    get item() {
      return write({ ...whole, apiVersion: '', kind: '' });
    },
    stored: () => whole,
  };
}

function sendShaped(
  exchange: Exchange,
  code: number,
  shape: Shape,
  source: Source,
  { type, pretty }: Representation,
): void | Promise<void> {
  const json = shape.one(source);
  if (type === jsonType) return sendJsonBytes(exchange, code, json, pretty);
  exchange.audit?.setResponseObject(json);
  const body = exchange.serializers.object(type, shape.written, json);
  if (body instanceof Promise) return body.then((bytes) => sendBody(exchange, code, type, bytes));
  return sendBody(exchange, code, type, body);
}

/** The Status of a deleted object that could not be decoded. */
export function sendUnreadableDeleted(
  exchange: Exchange,
  { resource, name }: Target,
  form: Representation,
): void {
  const status: WireStatus = {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Success',
    details: { name, kind: resource.kind },
    code: 200,
  };
  sendStatusObject(exchange, 200, status, form);
}

/** The Status of a delete. */
export function sendDeleteStatus(
  exchange: Exchange,
  code: 200 | 202,
  { resource, name }: Target,
  uid: string | undefined,
  form: Representation,
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
  sendStatusObject(exchange, code, status, form);
}
