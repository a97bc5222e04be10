import { noRepresentation, noSuchMediaType, unsupportedMediaType } from '../../errors/catalogue.ts';
import { type ApplyType, applyCborType, applyYamlType, readIntent } from '../../patch/read-intent.ts';
import { type PatchType, patchTypes, readPatch } from '../../patch/read-patch.ts';
import type { Api, Target } from '../../resource/api.ts';
import { apply } from '../../resource/apply.ts';
import { readWriteOptions } from '../../resource/options/write-options.ts';
import { patch } from '../../resource/patch.ts';
import { showAs } from '../../resource/view.ts';
import type { StoredObject } from '../../store/store.ts';
import { readBody } from '../body.ts';
import type { Exchange } from '../exchange.ts';
import { headerOf } from '../headers.ts';
import { negotiate, type Representation } from '../negotiate.ts';
import { notePatch } from './note-brought.ts';
import type { Route } from './route.ts';
import { sendObject, sendUnstored } from './send-object.ts';

/** Applies a patch to an object, or to what a subresource shows of it. */
export async function servePatch(api: Api, exchange: Exchange, { target }: Route): Promise<void> {
  const type = await patchTypeOf(exchange);
  if (type === applyYamlType || type === applyCborType) return serveApply(api, exchange, target, type);
  const form = negotiate(exchange, exchange.forms.objects);
  const body = await readBody(exchange);
  const options = readWriteOptions(exchange, 'PatchOptions', api.metaGroup);
  notePatch(exchange, type, body);
  const change = readPatch(type, body, options.fieldValidation === 'Ignore');
  const stored = await patch(api, target, change, options, exchange.warnings);
  await sendPatched(exchange, 200, target, stored, form);
}

async function serveApply(api: Api, exchange: Exchange, target: Target, type: ApplyType): Promise<void> {
  const form = negotiate(exchange, exchange.forms.objects);
  const body = await readBody(exchange);
  const options = readWriteOptions(exchange, 'ApplyOptions', api.metaGroup);
  notePatch(exchange, type, body);
  const intent = readIntent(type, body);
  const { object, created } = await apply(api, target, intent, options, exchange.warnings);
  await sendPatched(exchange, created ? 201 : 200, target, object, form);
}

async function sendPatched(
  exchange: Exchange,
  code: number,
  target: Target,
  stored: StoredObject,
  form: Representation,
): Promise<void> {
  const { resource, subresource } = target;
  const view = resource.subresource(subresource)?.view;
  if (!view) return sendObject(exchange, code, resource, stored, form);
  sendUnstored(exchange, code, resource.kindOf(subresource), showAs(target, view, stored), form);
}

async function patchTypeOf(exchange: Exchange): Promise<PatchType | ApplyType> {
  const given = headerOf(exchange, 'content-type') ?? '';
  const isCborServed = exchange.forms.mediaTypes.includes('application/cbor');
  const types: readonly (PatchType | ApplyType)[] = [
    ...patchTypes,
    applyYamlType,
    ...(isCborServed ? ([applyCborType] as const) : []),
  ];
  const typeIn = (text: string) => types.find((type) => type === text.split(';', 1)[0]);
  const found = typeIn(given);
  if (found) return found;
  // The reference lets a list pass that names one of them, and then reads the header as a whole.
  if (given.split(/[,;]/).some((part) => typeIn(part.trim()))) throw unsupportedMediaType(types);
  throw (await readBody(exchange)).length === 0 ? noRepresentation([]) : noSuchMediaType();
}
