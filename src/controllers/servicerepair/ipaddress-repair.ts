// Service IP repair: deletes IPAddress objects that no Service uses, and restores those that a Service still uses.
import type { Service } from '../../apis/core/service.ts';
import { type IPAddress, isServiceReference, type ParentReference } from '../../apis/networking/ipaddress.ts';
import type { Clock } from '../../base/clock.ts';
import { CooperativeYield } from '../../base/cooperative-yield.ts';
import { parseIp } from '../../base/ip-address.ts';
import type { InformerObject } from '../../client/informer-object.ts';
import type { Lister } from '../../client/lister.ts';
import type { Dialect } from '../../dialect/dialect.ts';
import type { EventRecorder, InvolvedObject } from '../runtime/event-recorder.ts';
import type { ServiceAllocator } from '../runtime/service-allocator.ts';
import { ipRepairComponent, recordNotAllocated } from './service-repair.ts';

/** How long after the creation of an IPAddress its Service may still be committed. */
const commitTimeoutMs = 60_000;

export interface IpAddressRepairContext {
  readonly services: Lister<Service>;
  readonly ipAddresses: Lister<IPAddress>;
  readonly allocator: ServiceAllocator;
  readonly events: EventRecorder;
  readonly dialect: Dialect;
  readonly clock: Clock;
}

/** An IPAddress that the allocator created for a Service. */
interface AllocatedAddress {
  readonly name: string;
  readonly uid: string;
  readonly createdAt: number;
  readonly parent: ParentReference;
}

export class IpAddressRepair {
  readonly #context: IpAddressRepairContext;
  readonly #runAgain: () => void;
  #cancelRun: () => void = () => {};
  #isClosed = false;

  /** `runAgain` schedules another `releaseOrphans`. */
  constructor(context: IpAddressRepairContext, runAgain: () => void) {
    this.#context = context;
    this.#runAgain = runAgain;
  }

  /**
   * Deletes IPAddresses whose Service was never committed because a server stopped in between. Another server may
   * still be committing the Service of a recent one: those are checked again later.
   */
  async releaseOrphans(): Promise<void> {
    const { ipAddresses, clock } = this.#context;
    // On shared storage a Service of another server may arrive late.
    await ipAddresses.waitForLatest();
    let hasRecent = false;
    const yielder = new CooperativeYield();
    for (const key of ipAddresses.keys()) {
      await yielder.next();
      if (this.#isClosed) return;
      const object = ipAddresses.getByKey(key);
      const address = object && this.#readAllocated(object);
      if (!address || this.#isUsed(address)) continue;
      if (clock.now() - address.createdAt < commitTimeoutMs) hasRecent = true;
      else await this.#release(address);
    }
    this.#cancelRun();
    if (hasRecent) this.#cancelRun = clock.after(commitTimeoutMs, this.#runAgain);
  }

  /** Recreates an IPAddress that a client deleted while a Service still uses it. */
  async restore(deleted: InformerObject<IPAddress>): Promise<void> {
    const { allocator, events } = this.#context;
    const address = this.#readAllocated(deleted);
    const ip = parseIp(address?.name ?? '');
    if (!address || !ip || !this.#isUsed(address)) return;
    const service = this.#serviceOf(address);
    if (service) recordNotAllocated(events, service.metadata, ip);
    await allocator.claimIp(address.parent, ip);
  }

  close(): void {
    this.#isClosed = true;
    this.#cancelRun();
  }

  /**
   * Returns undefined for an IPAddress of another manager, or with corrupt bytes. There may be many: JSON.parse is cheaper
   * than decoding.
   */
  #readAllocated({ labels, json }: InformerObject<IPAddress>): AllocatedAddress | undefined {
    const { dialect } = this.#context;
    if (labels.get(dialect.labels.ipAddressManagedBy) !== dialect.ipAllocatorName) return undefined;
    try {
      const { metadata, spec } = JSON.parse(json.toString());
      const { name, uid, creationTimestamp } = metadata;
      return { name, uid, createdAt: Date.parse(creationTimestamp), parent: spec.parentRef };
    } catch {
      return undefined;
    }
  }

  async #release(address: AllocatedAddress): Promise<void> {
    const { name, uid } = address;
    const { allocator, events, dialect } = this.#context;
    const involvedObject: InvolvedObject = {
      apiVersion: dialect.apiVersion('networking', 'v1'),
      kind: 'IPAddress',
      name,
      uid,
    };
    const [reason, message] = this.#releaseReason(address);
    events.record({
      involvedObject,
      type: 'Warning',
      reason,
      message,
      action: 'IPAddressAllocation',
      component: ipRepairComponent,
    });
    await allocator.releaseIp(name, uid);
  }

  #releaseReason(address: AllocatedAddress): [reason: string, message: string] {
    const { name, parent } = address;
    const { group = '', resource = '', namespace = '', name: parentName = '' } = parent;
    if (!isServiceReference(parent)) {
      const reference = `&ParentReference{Group:${group},Resource:${resource},Namespace:${namespace},Name:${parentName},}`;
      const message = `IPAddress ${name} appears to have been modified, not referencing a Service ${reference}: cleaning up`;
      return ['IPAddressNotAllocated', message];
    }
    const subject = `IPAddress: ${name} for Service ${namespace}/${parentName}`;
    return this.#serviceOf(address)
      ? ['IPAddressWrongReference', `${subject} has a wrong reference; cleaning up`]
      : ['IPAddressNotAllocated', `${subject} appears to have leaked: cleaning up`];
  }

  #isUsed(address: AllocatedAddress): boolean {
    const { name, parent } = address;
    if (!isServiceReference(parent)) return false;
    const service = this.#context.services.get(parent.namespace ?? '', parent.name ?? '');
    if (!service) return false;
    // Only secondary cluster IPs require decoding the Service.
    if (service.field('spec.clusterIP') === name) return true;
    return service.tryDecode()?.spec.clusterIPs?.includes(name) ?? false;
  }

  #serviceOf({ parent }: AllocatedAddress): Service | undefined {
    return this.#context.services.get(parent.namespace ?? '', parent.name ?? '')?.tryDecode();
  }
}
