// The dependencies that the verbs of all resources share.
import { NamespaceLifecycle, namespaceLifecycle } from '../admission/namespace-lifecycle.ts';
import { isPluginEnabled } from '../admission/plugins.ts';
import type { RegistryContext } from '../registry/verb-context.ts';
import { ListCache } from '../store/lists/list-cache.ts';
import type { Components } from './component.ts';
import type { ServerOptions } from './options.ts';

type Parts = Pick<
  RegistryContext,
  'dialect' | 'registry' | 'store' | 'clock' | 'authorizer' | 'serviceAllocation' | 'admission'
>;

/** Of all serving threads together. */
const listCacheBytes = 256 * 1024 * 1024;

export function createRegistryContext(
  options: ServerOptions,
  parts: Parts,
  components: Components,
  threads: number,
): RegistryContext {
  const { dialect, store, serviceAllocation } = parts;
  components.add({ reset: () => serviceAllocation.reset() });
  return {
    ...parts,
    lifecycle: new NamespaceLifecycle(parts, isPluginEnabled(namespaceLifecycle, options)),
    metaGroup: dialect.groupName('meta'),
    lists: components.add(new ListCache(store, { maxBytes: listCacheBytes / threads })),
    eventTtl: options.eventTtl,
  };
}
