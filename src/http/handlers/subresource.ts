// Subresources that represent their parent as another kind (scale), and resources that perform an action (eviction, binding, token, reviews).
import type { ApiObject } from '../../kind/api-object.ts';
import type { Action, ActionRequest, SubresourceView } from '../../kind/definition.ts';
import type { ServedKind } from '../../kind/registry.ts';
import type { Api } from '../../registry/api.ts';
import { hookTarget } from '../../registry/object-reader.ts';
import { RegistryWriter } from '../../registry/object-writer.ts';
import { readWriteOptions, type WriteOptions } from '../../registry/options/write-options.ts';
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

/** get and update of a subresource that represents its parent as another kind. */
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
  const { object } = await writeExecutor.execute(request, exchange.warnings);
  sendUnstored(exchange, 200, kind, await readView(target, view, object), representation);
}

/** create of an object that performs an action and is not stored. */
export async function handleAction(
  { api, authorizer, authenticators }: HandlerContext,
  exchange: Exchange,
  { target }: Route,
  kind: ServedKind,
  perform: Action['perform'],
): Promise<void> {
  const representation = negotiate(exchange, exchange.serializers.unstoredObjects);
  const { decodeAndRecord, options } = await readWriteRequest(api, exchange, kind, 'CreateOptions');
  const { user, warnings } = exchange;
  // A review may depend on any object, so it reads the latest state at once instead of retrying a rejection.
  await api.store.head();
  let object = decodeAndRecord();
  if (target.subresource === '') await updateManagedFields(api, target, object, undefined, options);
  else setManagedFieldsOfAction(api, kind, target.subresource, object, options);
  if (target.namespace !== '') object.metadata.namespace ??= target.namespace;
  const annotate = (key: string, value: string) => exchange.audit?.annotate(key, value);
  const { dialect, metaGroup, clock, tokens } = api;
  const request: ActionRequest = {
    dialect,
    metaGroup,
    clock,
    objects: new RegistryWriter(api),
    tokens,
    authorizer,
    authenticators,
    user,
    target: hookTarget(target),
    dryRun: options.dryRun,
    warnings,
    annotate,
  };
  api.lifecycle.assertCreateAllowed(target, object);
  const admission = beginAdmission(api, target, 'CREATE', { object }, options, warnings);
  if (admission) object = (await admission.mutate())!;
  target.resource.subresource(target.subresource)?.action?.prepare?.(request, object);
  const run = () => perform(request, object);
  const result = await (admission ? validateAndRun(admission, object, run) : run());
  sendUnstored(exchange, 201, kind, result, representation);
}

interface ReceivedWrite {
  readonly options: WriteOptions;
  readonly body: RequestBody;
  /** Decodes the body and records it for audit. */
  decodeAndRecord(): ApiObject;
}

async function readWriteRequest(
  api: Api,
  exchange: Exchange,
  kind: ServedKind,
  optionsKind: 'CreateOptions' | 'UpdateOptions',
): Promise<ReceivedWrite> {
  const expected = { apiVersion: kind.apiVersion, kind: kind.kind, schema: kind.definition.schema };
  const body = bodyByContentType(exchange, await readBody(exchange), expected);
  const options = readWriteOptions(exchange, optionsKind, api.metaGroup);
  return {
    options,
    body,
    decodeAndRecord() {
      const { object } = decodeBody(api.registry, kind, body, options.fieldValidation, exchange.warnings);
      recordRequestObject(exchange, kind, object);
      return object;
    },
  };
}
