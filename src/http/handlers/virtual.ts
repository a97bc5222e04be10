// get and list of resources that are computed on request and never stored (componentstatuses).
import { methodNotSupported, notFound } from '../../errors/catalogue.ts';
import type { VirtualContext } from '../../kind/definition.ts';
import { selectionOf } from '../../kind/selection.ts';
import { readListOptions } from '../../registry/options/list-options.ts';
import { negotiate } from '../../serializers/negotiate.ts';
import { encodePairs } from '../../store/stored-object.ts';
import type { Exchange } from '../../transport/exchange.ts';
import { sendEncodedItems } from '../responses/send-list.ts';
import { sendUnstored, unstoredSource } from '../responses/send-object.ts';
import { transformFor } from '../responses/transform.ts';
import type { HandlerContext, Route } from './context.ts';

export async function handleVirtual(
  context: HandlerContext,
  exchange: Exchange,
  { verb, target }: Route,
): Promise<void> {
  const { api } = context;
  const { resource, name } = target;
  if (verb === 'watch') throw methodNotSupported(resource.subject, 'watch');
  const representation = negotiate(exchange, exchange.serializers.objects);
  const virtual = resource.definition.virtual!;
  const virtualContext: VirtualContext = {
    storageHealth: api.storageHealth,
    async componentHealth(port) {
      // Imported on first use, because it loads an HTTP client.
      const { componentHealth } = await import('../node-proxy/component-health.ts');
      return componentHealth(port, api.clock);
    },
  };
  const objects = await virtual.list(virtualContext, verb === 'get' ? name : undefined);
  if (verb === 'get') {
    const object = objects.find((object) => object.metadata.name === name);
    const subject = { ...resource.subject, ...(virtual.nameInErrors && { resource: virtual.nameInErrors }) };
    if (!object) throw notFound(subject, name);
    return sendUnstored(exchange, 200, resource, object, representation);
  }
  const options = readListOptions(exchange.query, {
    selectableFields: resource.selectableFields,
    metaGroup: api.metaGroup,
    watch: false,
  });
  const select = selectionOf(resource, options.labels, options.fields);
  const selected = objects.filter(
    ({ metadata }) =>
      select?.matches(encodePairs(metadata.labels), '', resource.key('', metadata.name ?? '')) ?? true,
  );
  const transform = transformFor(resource, representation.target, exchange, exchange.receivedAtMs);
  const items = selected.map((object) => transform.item(unstoredSource(resource, object)));
  await sendEncodedItems(context, exchange, transform, transform.list({}), items, representation);
}
