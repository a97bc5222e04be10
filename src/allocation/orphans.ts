import type { IPAddress } from '../api/networking/ipaddress.ts';
import type { Api } from '../resource/api.ts';
import { tryDecodeStored } from '../resource/codec.ts';
import { decodePairs } from '../store/pairs.ts';
import type { StoredObject } from '../store/store.ts';
import { giveBack } from './kept-addresses.ts';

/** How long a service may take to be stored after its address was written down. */
const patience = 60_000;
const atOnce = 500;

/**
 * Gives back addresses that were written down for services that were then not stored, because the server ended in
 * between. Looks once, and once more if some are so young that another server may be about to store theirs.
 */
export class Orphans {
  readonly #api: Api;
  readonly #again: () => void;
  #cancel: () => void = () => {};
  #closed = false;

  /** `again` is called when it is time to look once more. */
  constructor(api: Api, again: () => void) {
    this.#api = api;
    this.#again = again;
  }

  async release(): Promise<void> {
    const { store, clock } = this.#api;
    const view = store.pin();
    const keys = [...view.keys('ipaddresses/')];
    view.release();
    let young = 0;
    for (const [i, key] of keys.entries()) {
      if (i % atOnce === atOnce - 1) await new Promise((resolve) => setImmediate(resolve));
      if (this.#closed) return;
      const stored = store.get(key);
      const address = stored && this.#orphan(stored);
      if (!address) continue;
      const age = clock.now() - Date.parse(address.metadata.creationTimestamp ?? '');
      if (age < patience) young++;
      else await this.#release(address);
    }
    if (young > 0) this.#cancel = clock.after(patience, () => this.#again());
  }

  close(): void {
    this.#closed = true;
    this.#cancel();
  }

  /** The address, if we keep it for a service that does not have it. */
  #orphan(stored: StoredObject): IPAddress | undefined {
    const { registry, dialect, store } = this.#api;
    const { ipAddressManagedBy } = dialect.labels;
    if (decodePairs(stored.labels).get(ipAddressManagedBy) !== dialect.ipAllocatorName) return undefined;
    const resource = registry.kind(dialect.groupName('networking'), 'v1', 'ipaddresses');
    const address = tryDecodeStored(resource, stored) as IPAddress | undefined;
    const parent = address?.spec.parentRef;
    const name = address?.metadata.name ?? '';
    if (!parent) return undefined;
    const service = store.get(`services/specs/${parent.namespace}/${parent.name}`);
    // The second address of a service is not among its selectable fields.
    const isHeld = service && (selectedIp(service) === name || service.json.includes(`"${name}"`));
    return isHeld ? undefined : address;
  }

  async #release({ metadata, spec }: IPAddress): Promise<void> {
    const { namespace = '', name = '' } = spec.parentRef ?? {};
    await giveBack(this.#api, { namespace, name }, [metadata.name ?? '']);
  }
}

function selectedIp({ fields }: StoredObject): string | undefined {
  return decodePairs(fields).get('spec.clusterIP');
}
