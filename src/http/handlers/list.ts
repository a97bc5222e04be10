// list: sends a page of a collection, as a List or Table.
import { readListOptions } from '../../registry/options/list-options.ts';
import { list } from '../../registry/verbs/list.ts';
import { listConverted, selectsAfterConversion } from '../../registry/verbs/list-converted.ts';
import { negotiateCollection } from '../../serializers/negotiate.ts';
import type { Exchange } from '../../transport/exchange.ts';
import { sendList, sendObjects } from '../responses/send-list.ts';
import type { HandlerContext, Route } from './context.ts';

export async function handleList(
  context: HandlerContext,
  exchange: Exchange,
  { target }: Route,
): Promise<void> {
  const { api } = context;
  const { resource } = target;
  const representation = negotiateCollection(exchange, resource.definition);
  const options = readListOptions(exchange.query, {
    selectableFields: resource.selectableFields,
    metaGroup: api.metaGroup,
    watch: false,
  });
  if (selectsAfterConversion(resource, options)) {
    const page = await listConverted(api, target, options);
    return sendObjects(context, exchange, resource, page, representation);
  }
  await sendList(context, exchange, resource, await list(api, target, options), representation);
}
