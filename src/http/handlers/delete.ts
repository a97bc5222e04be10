// delete and deletecollection: delete one object, or every object that a list with the same options would return.
import { forbidden } from '../../errors/catalogue.ts';
import type { ValidatedDeleteOptions } from '../../kind/delete-options.ts';
import { DeleteOptions } from '../../kind/meta/delete-options.ts';
import { readDeleteOptions } from '../../registry/options/delete-options.ts';
import { readListOptions } from '../../registry/options/list-options.ts';
import type { Target } from '../../registry/target.ts';
import type { VerbContext } from '../../registry/verb-context.ts';
import { deleteObject } from '../../registry/verbs/delete.ts';
import { deleteCollection } from '../../registry/verbs/delete-collection.ts';
import { retryOnConflict } from '../../registry/write/retry.ts';
import { negotiateObject } from '../../serializers/negotiate.ts';
import type { RequestBody } from '../../serializers/request-body.ts';
import { bodyByContentType } from '../../serializers/request-body.ts';
import { type Exchange, readBody } from '../../transport/exchange.ts';
import { sendCollectionStatus, sendObjects } from '../responses/send-list.ts';
import { sendDeleteStatus, sendObject, sendUndecodableDeleteStatus } from '../responses/send-object.ts';
import { recordDeleteOptions } from './audit-request-object.ts';
import type { HandlerContext, Route } from './context.ts';
import { assertFewElements, maxUnstoredBytes } from './unstored-body.ts';

export async function handleDelete(
  context: HandlerContext,
  exchange: Exchange,
  { target }: Route,
): Promise<void> {
  const { api } = context;
  const representation = negotiateObject(exchange, target.resource.definition);
  const body = await readOptionsBody(exchange, api);
  const options = readDeleteOptions(exchange.query, body, api.metaGroup);
  if (options.ignoreReadErrors) await authorizeUnsafeDelete(context, exchange, target);
  warnOfOrphans(exchange, target, options);
  const { object, gone, uid } = await retryOnConflict(api.store, () =>
    deleteObject(api, target, options, exchange),
  );
  if (options.ignoreReadErrors) return sendUndecodableDeleteStatus(exchange, target, representation);
  const { resource } = target;
  // As kube-apiserver, 202 for a pending deletion only if the client sent orphanDependents=false.
  const code = !gone && options.disablesOrphaning ? 202 : 200;
  const returnsStatus = gone || api.dialect.rules.pendingDeleteReturnsStatus;
  if (!returnsStatus || resource.definition.strategy.deleteReturnsObject) {
    return sendObject(exchange, code, resource, object, representation);
  }
  sendDeleteStatus(exchange, code, target, uid, representation);
}

export async function handleDeleteCollection(
  context: HandlerContext,
  exchange: Exchange,
  { target }: Route,
): Promise<void> {
  const { api } = context;
  const { resource } = target;
  const representation = negotiateObject(exchange, resource.definition);
  const listOptions = readListOptions(exchange.query, {
    selectableFields: resource.selectableFields,
    metaGroup: api.metaGroup,
    watch: false,
  });
  const body = await readOptionsBody(exchange, api);
  const deleteOptions = readDeleteOptions(exchange.query, body, api.metaGroup, { isCollection: true });
  warnOfOrphans(exchange, target, deleteOptions);
  const deleted = await deleteCollection(api, target, listOptions, deleteOptions, exchange);
  if (api.dialect.rules.deleteCollectionReturnsStatus) {
    return sendCollectionStatus(exchange, resource, deleted, representation);
  }
  await sendObjects(context, exchange, resource, deleted, representation);
}

/** The DeleteOptions in the body; undefined if the request has no body. */
async function readOptionsBody(
  exchange: Exchange,
  { metaGroup }: VerbContext,
): Promise<RequestBody | undefined> {
  const body = await readBody(exchange, maxUnstoredBytes);
  if (body.length === 0) return undefined;
  const expected = { apiVersion: undefined, kind: 'DeleteOptions', schema: DeleteOptions };
  const requestBody = bodyByContentType(exchange, body, expected);
  assertFewElements(requestBody);
  recordDeleteOptions(exchange, requestBody, metaGroup);
  return requestBody;
}

/** A Job orphans its pods by default: its delete warns unless the client chose a propagation policy. */
function warnOfOrphans({ warnings }: Exchange, { resource }: Target, options: ValidatedDeleteOptions): void {
  const { warningOnDelete } = resource.definition.strategy;
  if (warningOnDelete !== undefined && options.propagationPolicy === undefined) {
    warnings.push(warningOnDelete);
  }
}

const unsafeDelete = 'unsafe-delete-ignore-read-errors';

/** ignoreStoreReadErrorWithClusterBreakingPotential needs this permission in addition to delete. */
async function authorizeUnsafeDelete(
  { authorizer }: HandlerContext,
  { info, user }: Exchange,
  target: Target,
): Promise<void> {
  const { allowed, reason } = await authorizer.authorize(user, { ...info, verb: unsafeDelete });
  if (allowed) return;
  throw forbidden(
    target.resource.subject,
    target.name,
    `not permitted to do "${unsafeDelete}", reason: ${reason}`,
  );
}
