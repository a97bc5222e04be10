// Storage health: whether the backend can confirm its latest revision. For /healthz/etcd and componentstatuses.
import type { VirtualContext } from '../kind/definition.ts';
import type { Store } from '../store/store.ts';

export function storageHealth(store: Store): VirtualContext['storageHealth'] {
  return async () => {
    try {
      await store.head();
      return { healthy: true, message: 'ok' };
    } catch (error) {
      return { healthy: false, message: error instanceof Error ? error.message : String(error) };
    }
  };
}
