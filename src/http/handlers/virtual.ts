// get and list of resources that are computed on request and never stored (componentstatuses, PodMetrics).
import { methodNotSupported, notFound } from '../../errors/catalogue.ts';
import type { ApiObject } from '../../kind/api-object.ts';
import type { VirtualContext } from '../../kind/definition.ts';
import type { ServedResource } from '../../kind/registry.ts';
import { selectionOf } from '../../kind/selection.ts';
import { readListOptions } from '../../registry/options/list-options.ts';
import { negotiate, type Representation } from '../../serializers/negotiate.ts';
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
  const { resource, namespace, name } = target;
  if (verb === 'watch') throw methodNotSupported(resource.subject, 'watch');
  const representation = negotiate(exchange, exchange.serializers.objects);
  const virtual = resource.definition.virtual!;
  if (verb === 'get') {
    const objects = await virtual.list(virtualContext(context), { namespace, names: [name] });
    const object = objects.find((object) => object.metadata.name === name);
    const subject = { ...resource.subject, ...(virtual.nameInErrors && { resource: virtual.nameInErrors }) };
    if (!object) throw notFound(subject, name);
    return sendUnstored(exchange, 200, resource, object, representation);
  }
  const objects = await virtual.list(virtualContext(context), { namespace, names: undefined });
  await sendSelected(context, exchange, resource, objects, representation);
}

function virtualContext({ api, storageHealth, metricsSource }: HandlerContext): VirtualContext {
  return {
    storageHealth,
    metricsSource,
    async componentHealth(port) {
      // Imported on first use, because it loads an HTTP client.
      const { componentHealth } = await import('../node-proxy/component-health.ts');
      return componentHealth(port, api.clock);
    },
  };
}

/** Sends the objects that the selectors of the list match. */
async function sendSelected(
  context: HandlerContext,
  exchange: Exchange,
  resource: ServedResource,
  objects: readonly ApiObject[],
  representation: Representation,
): Promise<void> {
  const options = readListOptions(exchange.query, {
    selectableFields: resource.selectableFields,
    metaGroup: context.api.metaGroup,
    watch: false,
  });
  const selection = selectionOf(resource, options.labels, options.fields);
  // Virtual resources have no selectable fields but metadata.name and metadata.namespace, which are in the key.
  const noFields = '';
  const isSelected = ({ metadata }: ApiObject) =>
    selection === undefined ||
    selection.matches(
      encodePairs(metadata.labels),
      noFields,
      resource.key(metadata.namespace ?? '', metadata.name ?? ''),
    );
  const transform = transformFor(resource, representation.target, exchange, exchange.receivedAtMs);
  const items = objects.filter(isSelected).map((object) => transform.item(unstoredSource(resource, object)));
  await sendEncodedItems(context, exchange, transform, transform.list({}), items, representation);
}
