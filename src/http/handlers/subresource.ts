// Requests that do not read or write a resource as it is stored:
// - a view represents its parent as another kind: the scale subresource is read from and written to a Deployment;
// - an action is a create that is performed and not stored: eviction, binding, token, and the review APIs.
import { expensiveRequests } from '../../base/cooperative-yield.ts';
import type { ApiObject } from '../../kind/api-object.ts';
import type { Action, ActionRequest, SubresourceView } from '../../kind/definition.ts';
import type { ServedKind } from '../../kind/registry.ts';
import { hookTarget } from '../../registry/object-reader.ts';
import { RegistryWriter } from '../../registry/object-writer.ts';
import { readWriteOptions, type WriteOptions } from '../../registry/options/write-options.ts';
import type { Target } from '../../registry/target.ts';
import type { VerbContext } from '../../registry/verb-context.ts';
import { get } from '../../registry/verbs/get.ts';
import { readView } from '../../registry/view.ts';
import { beginAdmission, validateAndRun } from '../../registry/write/admission.ts';
import { decodeBody } from '../../registry/write/decode.ts';
import { setManagedFieldsOfAction, updateManagedFields } from '../../registry/write/managed-fields.ts';
import { negotiate } from '../../serializers/negotiate.ts';
import type { RequestBody } from '../../serializers/request-body.ts';
import { bodyByContentType } from '../../serializers/request-body.ts';
import { type Exchange, readBody } from '../../transport/exchange.ts';
import { sendUnstored } from '../responses/send-object.ts';
import { auditObserver, recordRequestObject } from './audit-request-object.ts';
import type { HandlerContext, Route } from './context.ts';
import { assertFewElements, maxImmediateBytes, maxUnstoredBytes } from './unstored-body.ts';

/** get and update of a view. */
export async function handleView(
  { api, writeExecutor }: HandlerContext,
  exchange: Exchange,
  { verb, target }: Route,
  view: SubresourceView,
): Promise<void> {
  const representation = negotiate(exchange, exchange.serializers.objects);
  const kind = target.resource.kindOf(target.subresource);
  if (verb === 'get') {
    const stored = await get(api, target, exchange.query.get('resourceVersion') ?? '');
    return sendUnstored(exchange, 200, kind, await readView(target, view, stored), representation);
  }
  const { body, options } = await readWriteRequest(api, exchange, kind, 'UpdateOptions');
  const request = {
    target,
    options,
    input: { verb: 'update', body } as const,
    ...(exchange.audit && { observer: auditObserver(exchange.audit, kind) }),
  };
  const { object } = await writeExecutor.execute(request, exchange.warnings, exchange);
  await sendUnstored(exchange, 200, kind, await readView(target, view, object), representation);
}

/**
 * Performs an action: decodes the posted object, runs mutating admission, then validating admission and `perform`, whose
 * result is the response. `kind` is the kind of the posted object.
 */
export async function handleAction(
  context: HandlerContext,
  exchange: Exchange,
  { target }: Route,
  kind: ServedKind,
  perform: Action['perform'],
): Promise<void> {
  const { api } = context;
  const { warnings } = exchange;
  const representation = negotiate(exchange, exchange.serializers.unstoredObjects);
  const { body, options } = await readWriteRequest(api, exchange, kind, 'CreateOptions', maxUnstoredBytes);
  // Reviews may be expensive: long groups are parsed, or many rules are listed. Bindings and evictions are not.
  if (target.subresource === '' || body.source.length > maxImmediateBytes) await expensiveRequests.next();
  assertFewElements(body);
  // A review may depend on any object, so it reads the latest state at once instead of retrying a rejection.
  await api.store.head();
  const { fieldValidation } = options;
  let { object } = decodeBody({ registry: api.registry, kind, fieldValidation, warnings }, body);
  recordRequestObject(exchange, kind, object);
  await setManagedFields(api, target, kind, object, options);
  if (target.namespace !== '') object.metadata.namespace ??= target.namespace;
  const request = toActionRequest(context, exchange, target, options);
  api.lifecycle.assertCreateAllowed(target, object);
  const admission = beginAdmission(api, target, 'CREATE', { object }, options, warnings);
  if (admission) object = (await admission.mutate())!;
  target.resource.subresource(target.subresource)?.action?.prepare?.(request, object);
  const run = () => perform(request, object);
  const result = await (admission ? validateAndRun(admission, object, run) : run());
  await sendUnstored(exchange, 201, kind, result, representation);
}

/** An object posted to a subresource (`pods/binding`) is of `kind`, not of the kind of the target. */
function setManagedFields(
  api: VerbContext,
  target: Target,
  kind: ServedKind,
  object: ApiObject,
  options: WriteOptions,
): void | Promise<void> {
  const { subresource } = target;
  if (subresource === '') return updateManagedFields(api, target, object, undefined, options);
  setManagedFieldsOfAction(api, kind, subresource, object, options);
}

function toActionRequest(
  { api, tokens, authorizer, authenticators }: HandlerContext,
  exchange: Exchange,
  target: Target,
  { dryRun }: WriteOptions,
): ActionRequest {
  const { dialect, metaGroup, clock } = api;
  const { user, warnings } = exchange;
  return {
    dialect,
    metaGroup,
    clock,
    objects: new RegistryWriter(api),
    tokens,
    authorizer,
    authenticators,
    user,
    target: hookTarget(target),
    dryRun,
    warnings,
    annotate: (key, value) => exchange.audit?.annotate(key, value),
  };
}

async function readWriteRequest(
  api: VerbContext,
  exchange: Exchange,
  kind: ServedKind,
  optionsKind: 'CreateOptions' | 'UpdateOptions',
  maxBytes?: number,
): Promise<{ readonly body: RequestBody; readonly options: WriteOptions }> {
  const expected = { apiVersion: kind.apiVersion, kind: kind.kind, schema: kind.definition.schema };
  const body = bodyByContentType(exchange, await readBody(exchange, maxBytes), expected);
  return { body, options: readWriteOptions(exchange, optionsKind, api.metaGroup) };
}
