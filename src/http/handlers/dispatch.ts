import { badRequest, forbidden, serviceUnavailable, tooLargeToStore } from '../../errors/catalogue.ts';
import { ApiError } from '../../errors/status.ts';
import type { DeleteOptions as Options } from '../../kind/delete-options.ts';
import { DeleteOptions } from '../../kind/meta/delete-options.ts';
import type { Api, Target } from '../../registry/api.ts';
import { readDeleteOptions } from '../../registry/options/delete-options.ts';
import { readListOptions } from '../../registry/options/list-options.ts';
import { booleanParameter } from '../../registry/options/query.ts';
import { readWriteOptions } from '../../registry/options/write-options.ts';
import type { ConvertedStates } from '../../registry/verbs/converted-states.ts';
import { deleteObject } from '../../registry/verbs/delete.ts';
import { deleteCollection } from '../../registry/verbs/delete-collection.ts';
import { get } from '../../registry/verbs/get.ts';
import { list } from '../../registry/verbs/list.ts';
import { isChosenLate, listConverted } from '../../registry/verbs/list-converted.ts';
import { retryOnConflict } from '../../registry/write/retry-on-conflict.ts';
import type { AuthenticatorChain } from '../../request/authenticator.ts';
import type { Authorizer } from '../../request/authorizer.ts';
import { negotiate } from '../../serializers/negotiate.ts';
import type { SentBody } from '../../serializers/sent-body.ts';
import { InvalidKey, StorageUnavailable, TooLarge } from '../../store/store.ts';
import { sendNoSuchPage } from '../../transport/answer.ts';
import { readBody } from '../../transport/body.ts';
import type { BodyBuffers } from '../../transport/chunked-body.ts';
import type { Exchange } from '../../transport/exchange.ts';
import type { WriteExecutor } from '../../workers/write-executor.ts';
import type { NodeConnections } from '../node-proxy/connections.ts';
import type { EncodedChunkCache } from '../responses/list/encoded-chunk-cache.ts';
import type { JoinedItems } from '../responses/list/joined-items.ts';
import type { RowTemplates } from '../responses/list/row-templates.ts';
import { sendCollectionStatus, sendList, sendPage } from '../responses/send-list.ts';
import { sendObject, sendRemoved, sendStatus, sendWritten } from '../responses/send-object.ts';
import { hearing, noteDeleteOptions } from './audit-request-object.ts';
import type { DeprecatedUses } from './deprecated-apis.ts';
import { servePatch } from './patch.ts';
import { acceptedBody } from './request-body.ts';
import { type Route, route } from './route.ts';
import { serveAction, serveView } from './subresource.ts';
import { serveVirtual } from './virtual.ts';
import { serveWatch } from './watch.ts';

/** What handlers of resource requests share. */
export interface ResourceContext {
  readonly api: Api;
  readonly authorizer: Authorizer;
  readonly authenticators: AuthenticatorChain;
  /** A watch without `timeoutSeconds` lasts between this and twice as long, in milliseconds. */
  readonly minRequestTimeout: number;
  /** The feature gate WatchList: streaming lists. */
  readonly watchList: boolean;
  /** Where long answers are put together. */
  readonly bodyBuffers: BodyBuffers;
  /** Lists in Protobuf, ready for the next. */
  readonly keptItems: EncodedChunkCache<JoinedItems>;
  /** The same as Tables. */
  readonly keptRows: EncodedChunkCache<RowTemplates>;
  /** What webhooks have converted for watches. */
  readonly sharedStates: ConvertedStates;
  /** What leads into a node. */
  readonly nodes: NodeConnections;
  readonly deprecatedUses: DeprecatedUses;
  /** Carries out writes. */
  readonly writing: WriteExecutor;
}

/** Serves a request for a resource: from the path and query to the verb, and from its outcome to the answer. */
export function handleResource(context: ResourceContext, exchange: Exchange): void | Promise<void> {
  const { registry, store } = context.api;
  const { group, version, resource } = exchange.info;
  // Another server may have established its definition a moment ago.
  if (!registry.find(group, version, resource)) {
    return store.reader.refresh().then(() => handleRoute(context, exchange));
  }
  return handleRoute(context, exchange);
}

function handleRoute(context: ResourceContext, exchange: Exchange): void | Promise<void> {
  const found = route(context.api.registry, exchange.info, exchange.request.method ?? '');
  if (!found) return sendNoSuchPage(exchange);
  exchange.isRouted = true;
  if (found.target.resource.deprecationWarning !== '') return serveDeprecated(context, exchange, found);
  return serveRoute(context, exchange, found);
}

async function serveDeprecated(context: ResourceContext, exchange: Exchange, found: Route): Promise<void> {
  const { warnings } = exchange;
  const warning = found.target.resource.deprecationWarning;
  warnings.push(warning);
  let isUsed = true;
  try {
    await serveRoute(context, exchange, found);
  } catch (error) {
    isUsed = !(error instanceof ApiError && error.isOfRoute);
    if (!isUsed) warnings.splice(warnings.indexOf(warning), 1);
    throw error;
  } finally {
    if (isUsed) context.deprecatedUses.note(exchange, found.target);
  }
}

async function serveRoute(context: ResourceContext, exchange: Exchange, found: Route): Promise<void> {
  const { api } = context;
  const { resource, subresource } = found.target;
  if (resource.definition.virtual) return serveVirtual(context, exchange, found);
  const part = resource.subresource(subresource);
  if (part?.connect) return context.nodes.serve(exchange, found.target);
  if (part?.view && found.verb !== 'patch') return serveView(context, exchange, found, part.view);
  const perform = subresource === '' ? resource.definition.perform : part?.action?.perform;
  if (perform) return serveAction(context, exchange, found, resource.kindOf(subresource), perform);
  switch (found.verb) {
    case 'get':
      return serveGet(api, exchange, found);
    case 'list':
      return serveList(context, exchange, found);
    case 'watch':
      return serveWatch(context, exchange, found);
    case 'create':
    case 'update':
      return serveWrite(context, exchange, found, found.verb);
    case 'delete':
      return serveDelete(context, exchange, found);
    case 'deletecollection':
      return serveDeleteCollection(context, exchange, found);
    case 'patch':
      return servePatch(context, exchange, found);
  }
}

/** What the store refuses, in words for the client. */
export function explainStoreError(error: unknown): ApiError | undefined {
  if (error instanceof StorageUnavailable) return serviceUnavailable(error.message);
  if (error instanceof InvalidKey) return badRequest(error.message);
  if (error instanceof TooLarge) return tooLargeToStore(error.message);
  return undefined;
}

async function serveGet(api: Api, exchange: Exchange, { target }: Route): Promise<void> {
  const form = negotiate(exchange, exchange.serializers.objectsOf(target.resource.definition));
  const resourceVersion = exchange.info.queryAt < 0 ? '' : revisionAskedBy(exchange.query);
  const stored = await get(api, target, resourceVersion);
  await sendObject(exchange, 200, target.resource, stored, form);
}

function revisionAskedBy(query: URLSearchParams): string {
  if (booleanParameter(query, 'export')) {
    throw badRequest('the export parameter, deprecated since v1.14, is no longer supported');
  }
  return query.get('resourceVersion') ?? '';
}

async function serveList(context: ResourceContext, exchange: Exchange, { target }: Route): Promise<void> {
  const { api } = context;
  const form = negotiate(exchange, exchange.serializers.collectionsOf(target.resource.definition));
  const options = readListOptions(exchange.query, listContext(api, target, false));
  if (isChosenLate(target.resource, options)) {
    return sendPage(context, exchange, target.resource, await listConverted(api, target, options), form);
  }
  await sendList(context, exchange, target.resource, await list(api, target, options), form);
}

export const listContext = (api: Api, { resource }: Route['target'], watch: boolean) => ({
  selectableFields: resource.selectableFields,
  metaGroup: api.metaGroup,
  watch,
});

/** Creates or replaces an object. */
async function serveWrite(
  { api, writing }: ResourceContext,
  exchange: Exchange,
  { target }: Route,
  verb: 'create' | 'update',
): Promise<void> {
  const form = negotiate(exchange, exchange.serializers.objectsOf(target.resource.definition));
  const { isCustom } = target.resource.definition;
  const body = acceptedBody(exchange, await readBody(exchange), expectedIn(target), isCustom);
  const kind = verb === 'create' ? 'CreateOptions' : 'UpdateOptions';
  const options = readWriteOptions(exchange, kind, api.metaGroup);
  const request = { target, options, sent: { verb, body }, ...hearing(exchange, target.resource) };
  const { object, created } = await writing.carryOut(request, exchange.warnings);
  await sendWritten(exchange, created ? 201 : 200, target.resource, object, form);
}

/** The schema of a kind that was learnt is put together when it is wanted. */
const expectedIn = ({ resource: { apiVersion, kind, definition } }: Route['target']) => ({
  apiVersion,
  kind,
  get schema() {
    return definition.schema;
  },
});

/** The body of a delete: options, or nothing. */
async function readOptions(exchange: Exchange, { metaGroup }: Api): Promise<SentBody | undefined> {
  const body = await readBody(exchange);
  if (body.length === 0) return undefined;
  const expected = { apiVersion: undefined, kind: 'DeleteOptions', schema: DeleteOptions };
  const sent = acceptedBody(exchange, body, expected);
  noteDeleteOptions(exchange, sent, metaGroup);
  return sent;
}

async function serveDelete(context: ResourceContext, exchange: Exchange, { target }: Route): Promise<void> {
  const { api } = context;
  const form = negotiate(exchange, exchange.serializers.objectsOf(target.resource.definition));
  const body = await readOptions(exchange, api);
  const options = readDeleteOptions(exchange.query, body, api.metaGroup);
  if (options.ignoreReadErrors) await refuseUnsafeDelete(context, exchange, target);
  warnOfOrphans(exchange, target, options);
  const { object, gone, uid } = await retryOnConflict(api.store, () =>
    deleteObject(api, target, options, exchange),
  );
  if (options.ignoreReadErrors) return sendRemoved(exchange, target, form);
  const { resource } = target;
  const code = !gone && options.askedNotToOrphan ? 202 : 200;
  const isStatus = gone || api.dialect.rules.pendingDeleteIsStatus;
  if (!isStatus || resource.definition.strategy.deleteReturnsObject) {
    return sendObject(exchange, code, resource, object, form);
  }
  sendStatus(exchange, code, target, uid, form);
}

function warnOfOrphans({ warnings }: Exchange, { resource }: Target, options: Options): void {
  const { warningOnDelete } = resource.definition.strategy;
  if (warningOnDelete !== undefined && options.propagationPolicy === undefined)
    warnings.push(warningOnDelete);
}

const unsafeDelete = 'unsafe-delete-ignore-read-errors';

/** Throwing away what cannot be read needs a permission of its own, beside the one to delete. */
async function refuseUnsafeDelete(
  context: ResourceContext,
  { info, user }: Exchange,
  target: Target,
): Promise<void> {
  const { allowed, reason } = await context.authorizer.authorize(user, { ...info, verb: unsafeDelete });
  if (allowed) return;
  throw forbidden(
    target.resource.subject,
    target.name,
    `not permitted to do "${unsafeDelete}", reason: ${reason}`,
  );
}

async function serveDeleteCollection(
  context: ResourceContext,
  exchange: Exchange,
  { target }: Route,
): Promise<void> {
  const { api } = context;
  const form = negotiate(exchange, exchange.serializers.objectsOf(target.resource.definition));
  const listOptions = readListOptions(exchange.query, listContext(api, target, false));
  const body = await readOptions(exchange, api);
  const deleteOptions = readDeleteOptions(exchange.query, body, api.metaGroup, true);
  warnOfOrphans(exchange, target, deleteOptions);
  const deleted = await deleteCollection(api, target, listOptions, deleteOptions, exchange);
  if (api.dialect.rules.deletedCollectionIsStatus) {
    return sendCollectionStatus(exchange, target.resource, deleted, form);
  }
  await sendPage(context, exchange, target.resource, deleted, form);
}
