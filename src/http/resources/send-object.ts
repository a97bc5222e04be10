import type { Status } from '../../errors/status.ts';
import type { Target } from '../../resource/api.ts';
import { decodeStored, showStored } from '../../resource/codec.ts';
import type { ApiObject } from '../../resource/definition.ts';
import type { ServedKind, ServedResource } from '../../resource/registry.ts';
import type { StoredObject } from '../../store/store.ts';
import { sendJsonBytes, sendValue } from '../answer.ts';
import type { Exchange } from '../exchange.ts';

/** Sends one object: its stored bytes wherever they are what the client asked for. */
export function sendObject(
  exchange: Exchange,
  code: number,
  resource: ServedResource,
  stored: StoredObject,
  pretty: boolean,
): void | Promise<void> {
  return sendJsonBytes(exchange, code, showStored(resource, stored), pretty);
}

/** Sends an object that is not stored, or what was done instead. */
export function sendUnstored(
  exchange: Exchange,
  code: number,
  kind: ServedKind,
  object: ApiObject | Status,
  pretty: boolean,
): void | Promise<void> {
  if (object.kind === 'Status') return sendValue(exchange, code, object, pretty);
  const whole = { ...(object as ApiObject), apiVersion: kind.apiVersion, kind: kind.kind };
  return sendJsonBytes(exchange, code, Buffer.from(kind.definition.schema.write(whole)), pretty);
}

/** Says that an object is gone of which nothing could be read. */
export function sendRemoved(exchange: Exchange, { resource, name }: Target, pretty: boolean): void {
  const status: Status = {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Success',
    details: { name, kind: resource.kind },
    code: 200,
  };
  sendValue(exchange, 200, status, pretty);
}

/** Says that an object is gone. */
export function sendStatus(exchange: Exchange, target: Target, stored: StoredObject, pretty: boolean): void {
  const { resource, name } = target;
  const { uid } = decodeStored(resource.stored, stored).metadata;
  const status: Status = {
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
  sendValue(exchange, 200, status, pretty);
}
