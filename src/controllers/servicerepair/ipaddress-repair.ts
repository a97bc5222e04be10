// Service IP repair: reconciles IPAddress objects with the cluster IPs of Services.
import type { Service } from '../../apis/core/service.ts';
import type { ParentReference } from '../../apis/networking/ipaddress.ts';
import { CooperativeYield } from '../../base/cooperative-yield.ts';
import { parseIp } from '../../base/ip-address.ts';
import { tryDecodeStored } from '../../kind/storage/codec.ts';
import type { Api } from '../../registry/api.ts';
import { claimIpFor, deleteIpAddress, isService } from '../../registry/service/ip-address-objects.ts';
import type { StoredObject } from '../../store/store.ts';
import { decodePairs } from '../../store/stored-object.ts';
import type { EventRecorder, InvolvedObject } from '../runtime/event-recorder.ts';
import { addressRepairer, sayNotAllocated } from './service-repair.ts';

/** How long after the creation of an IPAddress its Service may still be committed. */
const patience = 60_000;

/** An IPAddress that belongs to a Service. */
interface KeptAddress {
  readonly name: string;
  readonly uid: string;
  readonly createdAt: number;
  readonly parent: ParentReference;
}

export class IpAddressRepair {
  readonly #api: Api;
  readonly #events: EventRecorder;
  readonly #again: () => void;
  #cancel: () => void = () => {};
  #closed = false;

  /** `again` schedules another `releaseOrphans`. */
  constructor(api: Api, events: EventRecorder, again: () => void) {
    this.#api = api;
    this.#events = events;
    this.#again = again;
  }

  /**
   * Deletes IPAddresses whose Service was never committed because a server stopped in between. Another server may
   * still be committing the Service of a recent one: those are checked again later.
   */
  async releaseOrphans(): Promise<void> {
    const { store, clock } = this.#api;
    // On shared storage a Service of another server may arrive late.
    await store.head();
    const view = store.pin();
    const keys = [...view.keys('ipaddresses/')];
    view.release();
    let young = 0;
    const turns = new CooperativeYield();
    for (const key of keys) {
      await turns.next();
      if (this.#closed) return;
      const stored = store.get(key);
      const address = stored && this.#ours(stored);
      if (!address || this.#isHeld(address)) continue;
      if (clock.now() - address.createdAt < patience) young++;
      else await this.#release(address);
    }
    this.#cancel();
    if (young > 0) this.#cancel = clock.after(patience, this.#again);
  }

  /** Recreates an IPAddress that a client deleted while a Service still uses it. */
  async keepAgain(deleted: StoredObject): Promise<void> {
    const address = this.#ours(deleted);
    const ip = parseIp(address?.name ?? '');
    if (!address || !ip || !this.#isHeld(address)) return;
    const service = this.#serviceOf(address);
    if (service) sayNotAllocated(this.#events, service.metadata, ip);
    await claimIpFor(this.#api, address.parent)(ip);
  }

  close(): void {
    this.#closed = true;
    this.#cancel();
  }

  /** Returns undefined for an IPAddress of another manager. There may be many: JSON.parse is cheaper than decoding. */
  #ours({ labels, json }: StoredObject): KeptAddress | undefined {
    const { dialect } = this.#api;
    const keeper = decodePairs(labels).get(dialect.labels.ipAddressManagedBy);
    if (keeper !== dialect.ipAllocatorName) return undefined;
    try {
      const { metadata, spec } = JSON.parse(json.toString());
      const { name, uid, creationTimestamp } = metadata;
      return { name, uid, createdAt: Date.parse(creationTimestamp), parent: spec.parentRef };
    } catch {
      return undefined;
    }
  }

  async #release(address: KeptAddress): Promise<void> {
    const { name, uid } = address;
    const { dialect } = this.#api;
    const involvedObject: InvolvedObject = {
      apiVersion: dialect.apiVersion('networking', 'v1'),
      kind: 'IPAddress',
      name,
      uid,
    };
    const [reason, message] = this.#problem(address);
    const action = 'IPAddressAllocation';
    this.#events.record({
      involvedObject,
      type: 'Warning',
      reason,
      message,
      action,
      component: addressRepairer,
    });
    await deleteIpAddress(this.#api, name, uid);
  }

  #problem(address: KeptAddress): [reason: string, message: string] {
    const { name, parent } = address;
    const { group = '', resource = '', namespace = '', name: parentName = '' } = parent;
    if (!isService(parent)) {
      const shown = `&ParentReference{Group:${group},Resource:${resource},Namespace:${namespace},Name:${parentName},}`;
      const message = `IPAddress ${name} appears to have been modified, not referencing a Service ${shown}: cleaning up`;
      return ['IPAddressNotAllocated', message];
    }
    const what = `IPAddress: ${name} for Service ${namespace}/${parentName}`;
    return this.#serviceOf(address)
      ? ['IPAddressWrongReference', `${what} has a wrong reference; cleaning up`]
      : ['IPAddressNotAllocated', `${what} appears to have leaked: cleaning up`];
  }

  #isHeld(address: KeptAddress): boolean {
    const { name, parent } = address;
    if (!isService(parent)) return false;
    const { registry, store } = this.#api;
    const stored = store.get(
      registry.kind('', 'v1', 'services').key(parent.namespace ?? '', parent.name ?? ''),
    );
    if (!stored) return false;
    // Only secondary cluster IPs require decoding the Service.
    if (decodePairs(stored.fields).get('spec.clusterIP') === name) return true;
    return this.#serviceOf(address)?.spec.clusterIPs?.includes(name) ?? false;
  }

  #serviceOf({ parent }: KeptAddress): Service | undefined {
    const { registry, store } = this.#api;
    const resource = registry.kind('', 'v1', 'services');
    const stored = store.get(resource.key(parent.namespace ?? '', parent.name ?? ''));
    return stored && (tryDecodeStored(resource, stored) as Service | undefined);
  }
}
