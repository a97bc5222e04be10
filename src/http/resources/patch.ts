import { noSuchMediaType, unsupportedMediaType } from '../../errors/catalogue.ts';
import { type PatchType, patchTypes, readPatch } from '../../patch/read-patch.ts';
import type { Api } from '../../resource/api.ts';
import { readWriteOptions } from '../../resource/options/write-options.ts';
import { patch } from '../../resource/patch.ts';
import { showAs } from '../../resource/view.ts';
import { readBody } from '../body.ts';
import type { Exchange } from '../exchange.ts';
import { headerOf } from '../headers.ts';
import { negotiate } from '../negotiate.ts';
import type { Route } from './route.ts';
import { sendObject, sendUnstored } from './send-object.ts';

/** Applies a patch to an object, or to what a subresource shows of it. */
export async function servePatch(api: Api, exchange: Exchange, { target }: Route): Promise<void> {
  const type = patchTypeOf(exchange);
  const form = negotiate(exchange, exchange.forms.objects);
  const body = await readBody(exchange);
  const options = readWriteOptions(exchange.query, 'PatchOptions', api.metaGroup, exchange.user);
  const change = readPatch(type, body, options.fieldValidation === 'Ignore');
  const stored = await patch(api, target, change, options, exchange.warnings);
  const { resource, subresource } = target;
  const view = resource.subresource(subresource)?.view;
  if (!view) return sendObject(exchange, 200, resource, stored, form);
  return sendUnstored(exchange, 200, resource.kindOf(subresource), showAs(target, view, stored), form);
}

function patchTypeOf(exchange: Exchange): PatchType {
  const given = headerOf(exchange, 'content-type') ?? '';
  const mediaType = given.split(';', 1)[0]!.trim().toLowerCase();
  const found = patchTypes.find((type) => type === mediaType);
  if (found) return found;
  throw mediaType.startsWith('application/apply-patch')
    ? unsupportedMediaType(patchTypes)
    : noSuchMediaType();
}
