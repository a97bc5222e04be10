// patch: JSON patch, merge patch, strategic merge patch and server-side apply.
import { noRepresentation, noSuchMediaType, unsupportedMediaType } from '../../errors/catalogue.ts';
import { type ApplyType, applyCborType, applyYamlType } from '../../patch/decode-applied-configuration.ts';
import { type PatchType, patchTypes, strategicMergeType } from '../../patch/decode-patch.ts';
import { readWriteOptions } from '../../registry/options/write-options.ts';
import type { Target } from '../../registry/target.ts';
import { readView } from '../../registry/view.ts';
import type { EncodedInput } from '../../registry/write/context.ts';
import { negotiateObject, type Representation } from '../../serializers/negotiate.ts';
import type { StoredObject } from '../../store/store.ts';
import { type Exchange, readBody } from '../../transport/exchange.ts';
import { sendUnstored, sendWritten } from '../responses/send-object.ts';
import { recordPatch } from './audit-request-object.ts';
import type { HandlerContext, Route } from './context.ts';

export async function handlePatch(
  { api, writeExecutor }: HandlerContext,
  exchange: Exchange,
  { target }: Route,
): Promise<void> {
  const { definition } = target.resource;
  // Custom resources have no strategic merge patch; their scale subresource is a built-in kind, which has.
  const hasStrategicMerge = !definition.isCustom || target.subresource === 'scale';
  const mediaType = await requirePatchType(exchange, hasStrategicMerge);
  const representation = negotiateObject(exchange, definition);
  const source = await readBody(exchange);
  const isApply = mediaType === applyYamlType || mediaType === applyCborType;
  const options = readWriteOptions(exchange, isApply ? 'ApplyOptions' : 'PatchOptions', api.metaGroup);
  recordPatch(exchange, mediaType, source);
  const input: EncodedInput = isApply
    ? { verb: 'apply', type: mediaType, source }
    : { verb: 'patch', type: mediaType, source };
  const { object, created } = await writeExecutor.execute(
    { target, options, input },
    exchange.warnings,
    exchange,
  );
  await sendPatched(exchange, created ? 201 : 200, target, object, representation);
}

/** A view (subresource that represents its parent as another kind, such as scale) is computed from the stored parent. */
async function sendPatched(
  exchange: Exchange,
  code: number,
  target: Target,
  stored: StoredObject,
  representation: Representation,
): Promise<void> {
  const { resource, subresource } = target;
  const view = resource.subresource(subresource)?.view;
  if (!view) return sendWritten(exchange, code, resource, stored, representation);
  const object = await readView(target, view, stored);
  await sendUnstored(exchange, code, resource.kindOf(subresource), object, representation);
}

/** The patch type that Content-Type names. Throws 415, or go-restful's 406 for an empty body of an unknown type. */
async function requirePatchType(
  exchange: Exchange,
  hasStrategicMerge: boolean,
): Promise<PatchType | ApplyType> {
  const contentType = exchange.request.headers['content-type'] ?? '';
  const isCborServed = exchange.serializers.mediaTypes.includes('application/cbor');
  const types: readonly (PatchType | ApplyType)[] = [
    ...patchTypes.filter((mediaType) => hasStrategicMerge || mediaType !== strategicMergeType),
    applyYamlType,
    ...(isCborServed ? ([applyCborType] as const) : []),
  ];
  const findType = (text: string) => types.find((mediaType) => mediaType === text.split(';', 1)[0]);
  const patchType = findType(contentType);
  if (patchType) return patchType;
  const isStrategicMerge = contentType.split(';', 1)[0] === strategicMergeType;
  if (isStrategicMerge && !hasStrategicMerge) throw unsupportedMediaType(types);
  // Upstream's router accepts a comma-separated list that names one of the types; its handler then finds no such type.
  if (contentType.split(/[,;]/).some((part) => findType(part.trim()))) throw unsupportedMediaType(types);
  throw (await readBody(exchange)).length === 0 ? noRepresentation([]) : noSuchMediaType();
}
