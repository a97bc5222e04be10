import type { Service } from '../api/core/service.ts';
import { readIp } from '../api/meta/ip-address.ts';
import type { IPAddress } from '../api/networking/ipaddress.ts';
import type { Api } from '../resource/api.ts';
import { tryDecodeStored } from '../resource/codec.ts';
import { decodePairs } from '../store/pairs.ts';
import type { StoredObject } from '../store/store.ts';
import { claimFor, giveBack } from './kept-addresses.ts';

/** How long a service may take to be stored after its address was written down. */
const patience = 60_000;
const atOnce = 500;

/** Brings services and the objects that keep their addresses in step again, where something came in between. */
export class AddressRepair {
  readonly #api: Api;
  readonly #again: () => void;
  #cancel: () => void = () => {};
  #closed = false;

  /** `again` is called when it is time for another `releaseOrphans`. */
  constructor(api: Api, again: () => void) {
    this.#api = api;
    this.#again = again;
  }

  /**
   * Gives back addresses that were written down for services that were then not stored, because the server ended in
   * between. Some may be so young that another server is about to store theirs: for these it looks once more.
   */
  async releaseOrphans(): Promise<void> {
    const { store, clock } = this.#api;
    const view = store.pin();
    const keys = [...view.keys('ipaddresses/')];
    view.release();
    let young = 0;
    for (const [i, key] of keys.entries()) {
      if (i % atOnce === atOnce - 1) await new Promise((resolve) => setImmediate(resolve));
      if (this.#closed) return;
      const stored = store.get(key);
      const address = stored && this.#ours(stored);
      if (!address || this.#holder(address)) continue;
      const age = clock.now() - Date.parse(address.metadata.creationTimestamp ?? '');
      if (age < patience) young++;
      else await giveBack(this.#api, address.spec.parentRef ?? {}, [address.metadata.name ?? '']);
    }
    if (young > 0) this.#cancel = clock.after(patience, this.#again);
  }

  /** Writes down again who has an address, if somebody deleted the object while the service still has it. */
  async keepAgain(deleted: StoredObject): Promise<void> {
    const address = this.#ours(deleted);
    const service = address && this.#holder(address);
    const ip = readIp(address?.metadata.name ?? '');
    if (service && ip) await claimFor(this.#api, service)(ip);
  }

  close(): void {
    this.#closed = true;
    this.#cancel();
  }

  /** The address, if it is kept by us. */
  #ours(stored: StoredObject): IPAddress | undefined {
    const { registry, dialect } = this.#api;
    const keeper = decodePairs(stored.labels).get(dialect.labels.ipAddressManagedBy);
    if (keeper !== dialect.ipAllocatorName) return undefined;
    const resource = registry.kind(dialect.groupName('networking'), 'v1', 'ipaddresses');
    return tryDecodeStored(resource, stored) as IPAddress | undefined;
  }

  /** The service that an address is kept for, if it has it. */
  #holder({ metadata, spec }: IPAddress): Service | undefined {
    const { registry, store } = this.#api;
    const { namespace = '', name = '' } = spec.parentRef ?? {};
    const resource = registry.kind('', 'v1', 'services');
    const stored = store.get(resource.key(namespace, name));
    const service = stored && (tryDecodeStored(resource, stored) as Service | undefined);
    return service?.spec.clusterIPs?.includes(metadata.name ?? '') ? service : undefined;
  }
}
