// The objects that the plugin DynamicResources reads: ResourceClaims, DeviceClasses and ResourceSlices.
import {
  compileNodeSelector,
  type LabelledNode,
  type NodeMatcher,
} from '../../apis/core/compiled-selectors.ts';
import type { NodeSelector } from '../../apis/core/node-selector.ts';
import type { DeviceClass } from '../../apis/resource/deviceclass.ts';
import type { ResourceClaim } from '../../apis/resource/resourceclaim.ts';
import type { ResourceSlice } from '../../apis/resource/resourceslice.ts';
import { CelOnDemand } from '../../cel/on-demand.ts';
import type { Informer } from '../../client/informer.ts';
import type { InformerObject } from '../../client/informer-object.ts';
import type { Informers } from '../../client/informers.ts';
import type { JsonObject } from '../../codec/json/json-value.ts';
import { deviceKey } from '../../devices/allocator.ts';
import { DeviceMatcher } from '../../devices/device-matcher.ts';
import type { PoolSlice } from '../../devices/pools.ts';
import { readSlice } from '../../devices/read-slice.ts';
import { SelectorExpressions } from '../../devices/selector-expressions.ts';
import type { Dialect } from '../../dialect/dialect.ts';

/** A ResourceSlice, and the nodes that can access its devices. */
export interface NodeSlice extends PoolSlice {
  /** '' unless the devices belong to one node. */
  readonly nodeName: string;
  /** Undefined for all nodes, and for one. */
  readonly nodeSelector: NodeSelector | undefined;
}

export interface DeviceObjects {
  readonly matcher: DeviceMatcher;
  claim(namespace: string, name: string): ResourceClaim | undefined;
  deviceClass(name: string): DeviceClass | undefined;
  /** The slices with devices that a node can access. */
  slicesFor(node: LabelledNode): readonly NodeSlice[];
  /** Whether a claim has the device, or is about to get it. */
  isAllocated(deviceKey: string): boolean;
  /** Whether the allocation of a claim is being written. */
  isPending(claimUid: string): boolean;
}

const resource = { group: 'resource', version: 'v1beta1' } as const;

/** Reads claims and classes from the store, indexes slices and allocated devices, and knows the claims of assumed pods. */
export class StoredDeviceObjects implements DeviceObjects {
  readonly #claims: Informer<ResourceClaim>;
  readonly #classes: Informer<DeviceClass>;
  readonly #slices: Informer<ResourceSlice>;
  readonly #matcher: CelOnDemand<DeviceMatcher>;
  /** The slices of single nodes, by node and name. */
  readonly #slicesByNode = new Map<string, Map<string, NodeSlice>>();
  /** Other slices, by name. */
  readonly #sharedSlices = new Map<string, { readonly slice: NodeSlice; readonly matches: NodeMatcher }>();
  /** By name of the slice. */
  readonly #nodeOfSlice = new Map<string, string>();
  /** The keys of allocated devices by key of the claim, and of those that are being allocated by its UID. */
  readonly #allocatedTo = new Map<string, readonly string[]>();
  readonly #pending = new Map<string, readonly string[]>();
  /** How many claims have a device, or are about to get it. */
  readonly #uses = new Map<string, number>();

  /** `onChange` is called after each change that may help a pod. */
  constructor(informers: Informers, dialect: Dialect, onChange: () => void) {
    this.#matcher = new CelOnDemand((cel) => new DeviceMatcher(new SelectorExpressions(cel, dialect.name)));
    this.#claims = informers.informer<ResourceClaim>(
      { ...resource, resource: 'resourceclaims' },
      {
        onAdd: (claim) => this.#onClaim(undefined, claim, onChange),
        onUpdate: (oldClaim, claim) => this.#onClaim(oldClaim, claim, onChange),
        onDelete: ({ key }) => {
          this.#setDevices(this.#allocatedTo, key, undefined);
          onChange();
        },
      },
    );
    this.#classes = informers.informer<DeviceClass>(
      { ...resource, resource: 'deviceclasses' },
      { onAdd: onChange, onUpdate: onChange },
    );
    const onSlice = (object: InformerObject<ResourceSlice>) => {
      this.#setSlice(object.name, nodeSlice(object));
      onChange();
    };
    this.#slices = informers.informer<ResourceSlice>(
      { ...resource, resource: 'resourceslices' },
      {
        onAdd: onSlice,
        onUpdate: (_old, slice) => onSlice(slice),
        onDelete: ({ name }) => this.#setSlice(name, undefined),
      },
    );
  }

  /** Resolves once all devices and allocations are known. */
  async start(): Promise<void> {
    this.#classes.watch();
    this.#slices.start();
    this.#claims.start();
    await Promise.all([this.#slices.hasSynced, this.#claims.hasSynced]);
  }

  /** The caller starts it again. */
  reset(): void {
    const maps = [
      this.#slicesByNode,
      this.#sharedSlices,
      this.#nodeOfSlice,
      this.#allocatedTo,
      this.#pending,
    ];
    for (const map of [...maps, this.#uses]) map.clear();
    for (const informer of [this.#claims, this.#classes, this.#slices]) informer.reset();
  }

  close(): void {
    for (const informer of [this.#claims, this.#classes, this.#slices]) informer.close();
  }

  /** Loads the expression engine, which plugins use synchronously; undefined if it is loaded. */
  load(): Promise<void> | undefined {
    return this.#matcher.load();
  }

  get matcher(): DeviceMatcher {
    return this.#matcher.value;
  }

  get lister(): Informer<ResourceClaim> {
    return this.#claims;
  }

  claim(namespace: string, name: string): ResourceClaim | undefined {
    return this.#claims.get(namespace, name)?.tryDecodeLazily();
  }

  deviceClass(name: string): DeviceClass | undefined {
    return this.#classes.get('', name)?.tryDecodeLazily();
  }

  slicesFor(node: LabelledNode): NodeSlice[] {
    const shared = [...this.#sharedSlices.values()].filter(({ matches }) => matches(node));
    return [...(this.#slicesByNode.get(node.name)?.values() ?? []), ...shared.map(({ slice }) => slice)];
  }

  isAllocated(key: string): boolean {
    return this.#uses.has(key);
  }

  isPending(claimUid: string): boolean {
    return this.#pending.has(claimUid);
  }

  /** Other pods get neither the claim nor its devices until `endPending`. */
  setPending(claimUid: string, deviceKeys: readonly string[]): void {
    this.#setDevices(this.#pending, claimUid, deviceKeys);
  }

  endPending(claimUid: string): void {
    this.#setDevices(this.#pending, claimUid, undefined);
  }

  #onClaim(
    oldObject: InformerObject<ResourceClaim> | undefined,
    object: InformerObject<ResourceClaim>,
    onChange: () => void,
  ): void {
    const claim = object.tryDecodeLazily();
    if (!claim) return;
    const { allocation, reservedFor = [] } = claim.status ?? {};
    const keys = (allocation?.devices?.results ?? [])
      // Devices with admin access are not taken from other claims.
      .filter(({ adminAccess }) => !adminAccess)
      .map(({ driver, pool, device }) => deviceKey({ driver, pool, name: device }));
    this.#setDevices(this.#allocatedTo, object.key, allocation && keys);
    const old = oldObject?.tryDecodeLazily()?.status;
    const isSame =
      Boolean(old?.allocation) === Boolean(allocation) &&
      (old?.reservedFor ?? []).length <= reservedFor.length;
    if (!oldObject || !isSame) onChange();
  }

  /** Replaces the devices of a claim; undefined removes it. */
  #setDevices(
    devicesOf: Map<string, readonly string[]>,
    claim: string,
    deviceKeys: readonly string[] | undefined,
  ): void {
    for (const key of devicesOf.get(claim) ?? []) this.#count(key, -1);
    for (const key of deviceKeys ?? []) this.#count(key, 1);
    if (deviceKeys) devicesOf.set(claim, deviceKeys);
    else devicesOf.delete(claim);
  }

  #count(key: string, sign: 1 | -1): void {
    const uses = (this.#uses.get(key) ?? 0) + sign;
    if (uses > 0) this.#uses.set(key, uses);
    else this.#uses.delete(key);
  }

  /** Replaces a slice; undefined removes it. */
  #setSlice(name: string, slice: NodeSlice | undefined): void {
    const oldNode = this.#nodeOfSlice.get(name);
    const siblings = oldNode === undefined ? undefined : this.#slicesByNode.get(oldNode);
    if (siblings?.delete(name) && siblings.size === 0) this.#slicesByNode.delete(oldNode!);
    this.#nodeOfSlice.delete(name);
    this.#sharedSlices.delete(name);
    if (!slice) return;
    const { nodeName, nodeSelector } = slice;
    if (nodeName === '') {
      const matches = nodeSelector ? compileNodeSelector(nodeSelector) : () => true;
      this.#sharedSlices.set(name, { slice, matches });
      return;
    }
    this.#nodeOfSlice.set(name, nodeName);
    const slices = this.#slicesByNode.get(nodeName) ?? new Map<string, NodeSlice>();
    this.#slicesByNode.set(nodeName, slices.set(name, slice));
  }
}

/** Undefined for a slice whose devices have places of their own (DRAPartitionableDevices), which are not allocated. */
function nodeSlice(object: InformerObject<ResourceSlice>): NodeSlice | undefined {
  const spec = object.tryDecodeLazily()?.spec;
  if (!spec || spec.perDeviceNodeSelection || (spec.sharedCounters ?? []).length > 0) return undefined;
  const { nodeName = '', nodeSelector } = spec;
  return { ...readSlice(JSON.parse(object.json.toString()) as JsonObject), nodeName, nodeSelector };
}
