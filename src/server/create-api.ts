// The dependencies that the verbs of all resources share.
import { NamespaceLifecycle, namespaceLifecycle } from '../admission/namespace-lifecycle.ts';
import { isPluginEnabled } from '../admission/plugins.ts';
import type { Api } from '../registry/api.ts';
import { ListCache } from '../store/lists/list-cache.ts';
import type { Store } from '../store/store.ts';
import { WatchHub } from '../store/watch/hub.ts';
import type { Components } from './component.ts';
import type { ServerOptions } from './options.ts';

type ApiParts = Pick<
  Api,
  'dialect' | 'registry' | 'store' | 'clock' | 'authorizer' | 'serviceAllocation' | 'tokens' | 'admission'
>;

export function createApi(options: ServerOptions, parts: ApiParts, components: Components): Api {
  const { dialect, store, clock, serviceAllocation } = parts;
  const lists = components.add(new ListCache(store));
  const hub = components.add(new WatchHub(store, clock));
  components.add({ reset: () => serviceAllocation.reset() });
  return {
    ...parts,
    lifecycle: new NamespaceLifecycle(parts, isPluginEnabled(namespaceLifecycle, options)),
    metaGroup: dialect.groupName('meta'),
    lists,
    hub,
    eventTtl: options.eventTtl,
    storageHealth: () => storageHealth(store),
  };
}

async function storageHealth(store: Store): Promise<{ healthy: boolean; message: string }> {
  try {
    await store.head();
    return { healthy: true, message: 'ok' };
  } catch (error) {
    return { healthy: false, message: error instanceof Error ? error.message : String(error) };
  }
}
