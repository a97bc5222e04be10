// get: sends one object.
import { badRequest } from '../../errors/catalogue.ts';
import { booleanParameter } from '../../registry/options/query.ts';
import type { StorageContext } from '../../registry/verb-context.ts';
import { get } from '../../registry/verbs/get.ts';
import { negotiateObject } from '../../serializers/negotiate.ts';
import type { Exchange } from '../../transport/exchange.ts';
import { sendObject } from '../responses/send-object.ts';
import type { Route } from './context.ts';

export async function handleGet(api: StorageContext, exchange: Exchange, { target }: Route): Promise<void> {
  const representation = negotiateObject(exchange, target.resource.definition);
  const hasQuery = exchange.info.queryOffset >= 0;
  // Most requests have no query: reading `exchange.query` would parse it.
  const resourceVersion = hasQuery ? resourceVersionParameter(exchange.query) : '';
  const stored = await get(api, target, resourceVersion);
  await sendObject(exchange, 200, target.resource, stored, representation);
}

/** '' if absent. Throws 400 for the removed `export` parameter. */
function resourceVersionParameter(query: URLSearchParams): string {
  if (booleanParameter(query, 'export')) {
    throw badRequest('the export parameter, deprecated since v1.14, is no longer supported');
  }
  return query.get('resourceVersion') ?? '';
}
