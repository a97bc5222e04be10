import type { Service } from '../api/core/service.ts';
import { readIp } from '../api/meta/ip-address.ts';
import type { ParentReference } from '../api/networking/ipaddress.ts';
import type { Api } from '../resource/api.ts';
import { tryDecodeStored } from '../resource/codec.ts';
import { decodePairs } from '../store/pairs.ts';
import type { StoredObject } from '../store/store.ts';
import { claimFor, giveBack } from './kept-addresses.ts';

/** How long a service may take to be stored after its address was written down. */
const patience = 60_000;
const atOnce = 200;

/** An address that is written down for a service. */
interface KeptAddress {
  readonly name: string;
  readonly createdAt: number;
  readonly parent: ParentReference;
}

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
      if (!address || this.#isHeld(address)) continue;
      if (clock.now() - address.createdAt < patience) young++;
      else await giveBack(this.#api, address.parent, [address.name]);
    }
    if (young > 0) this.#cancel = clock.after(patience, this.#again);
  }

  /** Writes down again who has an address, if somebody deleted the object while the service still has it. */
  async keepAgain(deleted: StoredObject): Promise<void> {
    const address = this.#ours(deleted);
    const ip = readIp(address?.name ?? '');
    if (!address || !ip || !this.#isHeld(address)) return;
    await claimFor(this.#api, address.parent)(ip);
  }

  close(): void {
    this.#closed = true;
    this.#cancel();
  }

  /** The address, if it is kept by us. There may be very many, so they are read as plain JSON. */
  #ours({ labels, json }: StoredObject): KeptAddress | undefined {
    const { dialect } = this.#api;
    const keeper = decodePairs(labels).get(dialect.labels.ipAddressManagedBy);
    if (keeper !== dialect.ipAllocatorName) return undefined;
    try {
      const { metadata, spec } = JSON.parse(json.toString());
      const { name, creationTimestamp } = metadata;
      return { name, createdAt: Date.parse(creationTimestamp), parent: spec.parentRef };
    } catch {
      return undefined;
    }
  }

  #isHeld({ name, parent }: KeptAddress): boolean {
    const { registry, store } = this.#api;
    const resource = registry.kind('', 'v1', 'services');
    const stored = store.get(resource.key(parent.namespace ?? '', parent.name ?? ''));
    if (!stored) return false;
    // Only for its second address a service must be read.
    if (decodePairs(stored.fields).get('spec.clusterIP') === name) return true;
    const service = tryDecodeStored(resource, stored) as Service | undefined;
    return service?.spec.clusterIPs?.includes(name) ?? false;
  }
}
