// DynamicResources, around the binding of a pod: writes the allocations of its ResourceClaims and reserves them for the pod.
import { podReference } from '../apis/resource/claim-consumers.ts';
import type { ResourceClaim } from '../apis/resource/resourceclaim.ts';
import type { ControllerContext } from '../controllers/runtime/controller.ts';
import { deviceKey } from '../devices/allocator.ts';
import { ignoreNotFound } from '../errors/ignore-not-found.ts';
import { ApiError } from '../errors/status.ts';
import type { NodeInfo } from './cache/node-info.ts';
import type { PendingPod } from './cache/pod-info.ts';
import type { StoredDeviceObjects } from './plugins/device-objects.ts';
import { type ClaimDecision, claimDecisions } from './plugins/dynamic-resources.ts';
import { claimKey } from './plugins/requested-claim.ts';

/** More than the pods that may reserve a claim at the same time. */
const maxConflicts = 100;

export class ClaimBinder {
  readonly #context: ControllerContext;
  readonly #devices: StoredDeviceObjects;

  constructor(context: ControllerContext, devices: StoredDeviceObjects) {
    this.#context = context;
    this.#devices = devices;
  }

  /** Decides about the claims of a pod. Other pods do not get the devices from now on. */
  reserve(pod: PendingPod, node: NodeInfo): readonly ClaimDecision[] {
    if (pod.resourceClaims.length === 0) return [];
    const decisions = claimDecisions(pod, node, this.#devices);
    for (const { claim, allocation } of decisions) {
      if (!allocation) continue;
      const results = (allocation.devices?.results ?? []).filter(({ adminAccess }) => !adminAccess);
      const keys = results.map(({ driver, pool, device }) => deviceKey({ driver, pool, name: device }));
      this.#devices.setPending(claim.metadata.uid ?? '', keys);
    }
    return decisions;
  }

  /** The claims have their allocations, or will not get them. */
  release(decisions: readonly ClaimDecision[]): void {
    for (const { claim } of decisions) this.#devices.endPending(claim.metadata.uid ?? '');
  }

  async bind(decisions: readonly ClaimDecision[], pod: PendingPod): Promise<void> {
    for (const decision of decisions) await this.#bindClaim(decision, pod);
  }

  /** Undoes reservations after a failed binding. The devices stay allocated for the next attempt. */
  async unreserve(decisions: readonly ClaimDecision[], pod: PendingPod): Promise<void> {
    for (const { claim } of decisions) {
      const latest = this.#devices.lister.getByKey(claimKey(claim))?.tryDecodeLazily();
      if (!latest?.status?.reservedFor?.some(({ uid }) => uid === pod.uid)) continue;
      const remove = ({ status }: ResourceClaim) => {
        status.reservedFor = (status.reservedFor ?? []).filter(({ uid }) => uid !== pod.uid);
      };
      await ignoreNotFound(retryConflicts(() => this.#changeStatus(claim, remove)));
    }
  }

  /** Frees the devices of a claim that no pod uses, so that it can be allocated on another node. */
  async deallocate(claim: ResourceClaim): Promise<void> {
    const { resourceVersion = '' } = claim.metadata;
    await this.#changeStatus(claim, ({ metadata, status }) => {
      // Fails with a conflict if another pod has reserved it meanwhile.
      metadata.resourceVersion = resourceVersion;
      delete status.reservedFor;
      delete status.allocation;
    });
  }

  async #bindClaim({ claim, allocation }: ClaimDecision, pod: PendingPod): Promise<void> {
    const { client, identity, dialect } = this.#context;
    const key = claimKey(claim);
    const finalizer = dialect.finalizers.allocatedClaim;
    const assertUsable = ({ metadata, status }: ResourceClaim) => {
      if (metadata.deletionTimestamp !== undefined)
        throw new Error(`claim ${key} got deleted in the meantime`);
      if (allocation && status?.allocation) throw new Error(`claim ${key} got allocated in the meantime`);
    };
    if (allocation && !(claim.metadata.finalizers ?? []).includes(finalizer)) {
      const addFinalizer = (latest: ResourceClaim) => {
        assertUsable(latest);
        latest.metadata.uid = claim.metadata.uid!;
        latest.metadata.finalizers = [...new Set([...(latest.metadata.finalizers ?? []), finalizer])];
      };
      await retryConflicts(() => client.mutate(this.#devices.lister, key, addFinalizer, identity));
    }
    await retryConflicts(() =>
      this.#changeStatus(claim, (latest) => {
        assertUsable(latest);
        if (allocation) latest.status.allocation = allocation;
        latest.status.reservedFor = [...(latest.status.reservedFor ?? []), podReference(pod.metadata)];
      }),
    );
  }

  async #changeStatus(claim: ResourceClaim, change: (latest: ResourceClaim) => void): Promise<void> {
    const { client, identity } = this.#context;
    const changeClaim = (latest: ResourceClaim) => {
      latest.metadata.uid = claim.metadata.uid!;
      change(latest);
    };
    const options = { ...identity, subresource: 'status' };
    await client.mutate(this.#devices.lister, claimKey(claim), changeClaim, options);
  }
}

/** Pods that share a claim reserve it concurrently. */
async function retryConflicts(write: () => Promise<void>): Promise<void> {
  for (let conflicts = 0; ; conflicts++) {
    try {
      return await write();
    } catch (error) {
      const isConflict = error instanceof ApiError && error.code === 409;
      if (!isConflict || conflicts === maxConflicts) throw error;
    }
  }
}
