// What a pod needs beside its node, upstream's Reserve and PreBind plugins: volumes and devices.
import type { ResourceClaim } from '../apis/resource/resourceclaim.ts';
import type { ControllerContext } from '../controllers/runtime/controller.ts';
import type { NodeInfo } from './cache/node-info.ts';
import type { PendingPod } from './cache/pod-info.ts';
import { ClaimBinder } from './claim-binder.ts';
import type { VolumeDecisions } from './plugins/delayed-claims.ts';
import { StoredDeviceObjects } from './plugins/device-objects.ts';
import { type ClaimDecision, dynamicResources, waitingReason } from './plugins/dynamic-resources.ts';
import { volumeBinding } from './plugins/volume-binding.ts';
import { StoredVolumeObjects } from './plugins/volume-objects.ts';
import type { Profile } from './profile.ts';
import { type BindLimits, VolumeBinder } from './volume-binder.ts';

/** What a pod gets on its node. Other pods do not get it until it is released. */
export interface PodReservation {
  readonly volumes: VolumeDecisions;
  readonly claims: readonly ClaimDecision[];
}

export interface PodResourcesHandlers {
  onVolumeChange(): void;
  onDeviceChange(): void;
}

/** A step before the binding of a pod failed; the message is that of its Event. */
export class PreBindError extends Error {}

export class PodResources {
  readonly volumes: StoredVolumeObjects;
  /** Undefined without the feature gate DynamicResourceAllocation. */
  readonly devices: StoredDeviceObjects | undefined;
  readonly #volumeBinder: VolumeBinder;
  readonly #claimBinder: ClaimBinder | undefined;
  readonly #onDeviceChange: () => void;

  constructor(context: ControllerContext, { onVolumeChange, onDeviceChange }: PodResourcesHandlers) {
    const { informers, dialect, features } = context;
    this.volumes = new StoredVolumeObjects(informers, dialect, onVolumeChange);
    this.#volumeBinder = new VolumeBinder(context, this.volumes, onVolumeChange);
    this.#onDeviceChange = onDeviceChange;
    if (!features.enabled('DynamicResourceAllocation')) return;
    this.devices = new StoredDeviceObjects(informers, dialect, onDeviceChange);
    this.#claimBinder = new ClaimBinder(context, this.devices);
  }

  /** Resolves once all volumes and devices are known. */
  async start(): Promise<void> {
    this.#volumeBinder.informer.watch();
    await Promise.all([this.volumes.start(), this.devices?.start()]);
  }

  /** The caller starts it again. */
  reset(): void {
    this.volumes.reset();
    this.devices?.reset();
    this.#volumeBinder.informer.reset();
  }

  close(): void {
    this.volumes.close();
    this.devices?.close();
    this.#volumeBinder.informer.close();
  }

  /** PreEnqueue: whether a pod waits for its ResourceClaims. `onDeviceChange` is called when it may go on. */
  isWaiting(pod: PendingPod): boolean {
    if (!this.devices || pod.resourceClaims.length === 0) return false;
    const loading = this.devices.load();
    if (!loading) return waitingReason(pod, this.devices) !== undefined;
    void loading.then(this.#onDeviceChange);
    return true;
  }

  /** Plugins that the profile does not have reserve nothing. */
  reserve(pod: PendingPod, node: NodeInfo, { filters }: Profile): PodReservation {
    const bindsVolumes = filters.includes(volumeBinding);
    const bindsClaims = filters.includes(dynamicResources);
    return {
      volumes: bindsVolumes ? this.#volumeBinder.reserve(pod, node) : { bindings: [], provisions: [] },
      claims: (bindsClaims && this.#claimBinder?.reserve(pod, node)) || [],
    };
  }

  /** The reservation is written, or will not be. */
  release({ volumes, claims }: PodReservation): void {
    this.#volumeBinder.release(volumes);
    this.#claimBinder?.release(claims);
  }

  /** Writes what a pod gets, and waits until it can be used. Throws PreBindError. */
  async prepare(
    { volumes, claims }: PodReservation,
    pod: PendingPod,
    nodeName: string,
    limits: BindLimits,
  ): Promise<void> {
    await inStep('"VolumeBinding": binding volumes', this.#volumeBinder.bind(volumes, nodeName, limits));
    if (claims.length > 0) await inStep('"DynamicResources"', this.#claimBinder!.bind(claims, pod));
  }

  /** Undoes what a failed binding has written for the pod alone. */
  async unreserve({ claims }: PodReservation, pod: PendingPod): Promise<void> {
    await this.#claimBinder?.unreserve(claims, pod);
  }

  async deallocate(claim: ResourceClaim): Promise<void> {
    await this.#claimBinder?.deallocate(claim);
  }
}

async function inStep(plugin: string, step: Promise<void>): Promise<void> {
  try {
    await step;
  } catch (error) {
    throw new PreBindError(`running PreBind plugin ${plugin}: ${(error as Error).message}`);
  }
}
