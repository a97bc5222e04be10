import { methodNotSupported, notFound } from '../../errors/catalogue.ts';
import type { Api } from '../../resource/api.ts';
import { itemOf } from '../../resource/codec.ts';
import type { ApiObject } from '../../resource/definition.ts';
import { readListOptions } from '../../resource/options/list-options.ts';
import type { ServedResource } from '../../resource/registry.ts';
import { selectionOf } from '../../resource/selectors/selection.ts';
import { encodePairs } from '../../store/pairs.ts';
import { jsonType, sendBytes, sendJsonBytes } from '../answer.ts';
import type { Exchange } from '../exchange.ts';
import { JsonIndenter } from '../json-text.ts';
import { negotiate } from '../negotiate.ts';
import { answerForms } from './forms.ts';
import type { Route } from './route.ts';

/** Serves a kind whose objects are made when they are asked for. */
export async function serveVirtual(api: Api, exchange: Exchange, { verb, target }: Route): Promise<void> {
  const { resource, name } = target;
  if (verb === 'watch') throw methodNotSupported(resource.subject, 'watch');
  const { pretty } = negotiate(exchange, answerForms);
  const virtual = resource.definition.virtual!;
  const objects = await virtual.list({ storageHealth: api.storageHealth });
  if (verb === 'get') {
    const found = objects.find((object) => object.metadata.name === name);
    const subject = { ...resource.subject, ...(virtual.nameInErrors && { resource: virtual.nameInErrors }) };
    if (!found) throw notFound(subject, name);
    return sendJsonBytes(exchange, 200, bytesOf(resource, found), pretty);
  }
  const options = readListOptions(exchange.query, {
    selectableFields: resource.selectableFields,
    metaGroup: api.metaGroup,
    watch: false,
  });
  const select = selectionOf(resource, options.labels, options.fields);
  const items = objects
    .filter(
      ({ metadata }) =>
        select?.matches(encodePairs(metadata.labels), '', resource.key('', metadata.name ?? '')) ?? true,
    )
    .map((object) => {
      const key = resource.key('', object.metadata.name ?? '');
      return itemOf(resource, {
        key,
        json: bytesOf(resource, object),
        mark: resource.definition.schema.mark,
      });
    });
  const list = `{"kind":"${resource.kind}List","apiVersion":"${resource.apiVersion}","metadata":{},"items":[${items.join(',')}]}\n`;
  sendBytes(exchange, 200, jsonType, pretty ? new JsonIndenter().push(Buffer.from(list)) : list);
}

function bytesOf(resource: ServedResource, object: ApiObject): Buffer {
  const whole = { ...object, apiVersion: resource.apiVersion, kind: resource.kind };
  return Buffer.from(resource.definition.schema.write(whole));
}
