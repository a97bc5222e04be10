// persistentvolume-binder-controller: binds PersistentVolumeClaims to PersistentVolumes, asks provisioners for volumes, and reclaims
// the volumes of deleted claims.
import type { PersistentVolume } from '../../apis/core/persistentvolume.ts';
import type { PersistentVolumeClaim } from '../../apis/core/persistentvolumeclaim.ts';
import { claimRefKey, storageClassOf } from '../../apis/core/volume-binding.ts';
import { every } from '../../base/clock.ts';
import type { InformerObject } from '../../client/informer-object.ts';
import { ignoreNotFound } from '../../errors/ignore-not-found.ts';
import type { Controller, ControllerContext } from '../runtime/controller.ts';
import type { WorkQueue } from '../runtime/work-queue.ts';
import { BindingState, claimKeyOf } from './binding-state.ts';
import { BindingWriter } from './binding-writer.ts';
import { type BindingEvent, planClaim } from './claim-plan.ts';
import { planReclaim, planVolume } from './volume-plan.ts';

/** As upstream's event source spells it. */
const component = 'persistentvolume-controller';
/** The interval of retries of unbound claims and volumes (upstream: PVClaimBinderSyncPeriod). */
const syncPeriodMs = 15_000;
/** Enough to share group commits. */
const workers = 16;

/** Keys of the queue: a claim, a volume, or the class of claims that may be bound now. */
const claimPrefix = 'claim:';
const volumePrefix = 'volume:';
const classPrefix = 'class:';

export class PersistentVolumeBinderController implements Controller {
  readonly #context: ControllerContext;
  readonly #state: BindingState;
  readonly #writer: BindingWriter;
  readonly #queue: WorkQueue;
  /** By claim: the last Event about its wait, which is repeated once per period only. */
  readonly #reported = new Map<string, { readonly text: string; readonly atMs: number }>();
  #stopSync: () => void = () => {};

  constructor(context: ControllerContext) {
    this.#context = context;
    this.#queue = context.newQueue({ name: 'volumes', workers, reconcile: (key) => this.#reconcile(key) });
    this.#state = new BindingState(context, {
      onClaim: (claim) => this.#onClaim(claim),
      onClaimGone: (claim) => this.#onClaimGone(claim),
      onVolume: (volume) => this.#onVolume(volume),
      onVolumeGone: (volume) => this.#onVolumeGone(volume),
      onStorageClass: () => this.#enqueueUnsettled(),
      onReset: () => this.#clear(),
    });
    this.#writer = new BindingWriter(context, this.#state);
  }

  start(): void {
    this.#state.start();
    this.#stopSync();
    this.#stopSync = every(this.#context.clock, syncPeriodMs, () => this.#enqueueUnsettled());
  }

  reset(): void {
    this.#state.reset();
    this.start();
  }

  async close(): Promise<void> {
    this.#stopSync();
    this.#state.close();
    this.#writer.close();
    await this.#queue.close();
  }

  #clear(): void {
    this.#reported.clear();
    this.#queue.clear();
  }

  #enqueueUnsettled(): void {
    for (const key of this.#state.allUnboundClaims()) this.#queue.add(claimPrefix + key);
    for (const name of this.#state.volumesToReclaim()) this.#queue.add(volumePrefix + name);
  }

  /** Of several volumes that refer to a claim, those that it is not bound to are unbound. */
  #onClaim({ key }: InformerObject<PersistentVolumeClaim>): void {
    this.#queue.add(claimPrefix + key);
    for (const name of this.#state.volumesReferringTo(key)) this.#queue.add(volumePrefix + name);
  }

  #onClaimGone({ key }: InformerObject<PersistentVolumeClaim>): void {
    this.#reported.delete(key);
    for (const name of this.#state.volumesReferringTo(key)) this.#queue.add(volumePrefix + name);
  }

  #onVolume(object: InformerObject<PersistentVolume>): void {
    this.#queue.add(volumePrefix + object.name);
    const volume = object.tryDecodeLazily();
    for (const key of this.#state.claimsNaming(object.name)) this.#queue.add(claimPrefix + key);
    const claimKey = claimKeyOf(object);
    if (claimKey !== undefined) this.#queue.add(claimPrefix + claimKey);
    else if (volume?.status.phase === 'Available')
      this.#queue.add(classPrefix + storageClassOf(volume, this.#context.dialect.annotations));
  }

  #onVolumeGone(object: InformerObject<PersistentVolume>): void {
    for (const key of this.#state.claimsNaming(object.name)) this.#queue.add(claimPrefix + key);
  }

  async #reconcile(key: string): Promise<void> {
    await this.#state.hasSynced;
    // What is deleted meanwhile needs nothing more: its deletion is reconciled on its own.
    if (key.startsWith(claimPrefix))
      return ignoreNotFound(this.#reconcileClaim(key.slice(claimPrefix.length)));
    if (key.startsWith(volumePrefix))
      return ignoreNotFound(this.#reconcileVolume(key.slice(volumePrefix.length)));
    this.#enqueueClass(key.slice(classPrefix.length));
  }

  /** A volume has become available. Those of a class that waits for consumers are chosen by the scheduler. */
  #enqueueClass(className: string): void {
    const storageClass = className === '' ? undefined : this.#state.storageClass(className);
    if (storageClass?.volumeBindingMode === 'WaitForFirstConsumer') return;
    for (const key of this.#state.unboundClaims(className)) this.#queue.add(claimPrefix + key);
  }

  async #reconcileClaim(key: string): Promise<void> {
    const claim = this.#state.claim(key);
    if (!claim) return;
    const plan = planClaim(claim, this.#state);
    switch (plan.action) {
      case 'bind': {
        this.#reported.delete(key);
        const name = plan.volume.metadata.name ?? '';
        await this.#state.whileBinding(name, key, () => this.#writer.bind(plan.volume, claim));
        // Its changes were not reconciled while it was being bound.
        this.#queue.add(volumePrefix + name);
        return;
      }
      case 'lose': {
        const isNew = claim.status.phase !== 'Lost';
        if (!isNew) return;
        await this.#writer.setClaimPhase(claim, 'Lost');
        this.#record('PersistentVolumeClaim', claim, plan.event);
        return;
      }
      case 'wait':
        if (plan.event) this.#report(key, claim, plan.event);
        await this.#writer.setClaimPhase(claim, 'Pending');
        return;
      case 'report':
        this.#report(key, claim, plan.event);
        return;
      case 'assignClass':
        return this.#writer.setStorageClass(claim, plan.className);
      case 'provision':
        await this.#writer.setProvisioner(claim, plan.provisioner);
        this.#report(key, claim, waitingForProvisioner(plan.provisioner));
    }
  }

  async #reconcileVolume(name: string): Promise<void> {
    if (this.#state.isBinding(name)) return;
    const volume = this.#state.volume(name);
    if (!volume) return;
    const { claimRef } = volume.spec;
    const claim = claimRef && this.#state.claim(claimRefKey(claimRef));
    const plan = planVolume(volume, claim, this.#context.dialect.annotations);
    switch (plan.action) {
      case 'setPhase':
        await this.#writer.setVolumePhase(name, plan.phase);
        return;
      case 'release':
        return this.#release(volume);
      case 'leaveToClaim':
        this.#queue.add(claimPrefix + claimRefKey(claimRef!));
        return;
      case 'reportModeMismatch':
        return this.#reportModeMismatch(volume, claim!);
      case 'unbind':
        return this.#writer.unbind(volume);
    }
  }

  async #release(volume: PersistentVolume): Promise<void> {
    const { name = '' } = volume.metadata;
    const { phase } = volume.status;
    if (phase !== 'Released' && phase !== 'Failed') await this.#writer.setVolumePhase(name, 'Released');
    const plan = planReclaim(volume, this.#context.dialect);
    if (plan.action === 'delete') return this.#writer.deleteVolume(volume);
    if (plan.action === 'keep') return;
    const { reason, message } = plan;
    const isNew = await this.#writer.setVolumePhase(name, 'Failed', message);
    if (isNew) this.#record('PersistentVolume', volume, { type: 'Warning', reason, message });
  }

  #reportModeMismatch(volume: PersistentVolume, claim: PersistentVolumeClaim): void {
    const [volumeName, claimName] = [volume, claim].map(({ metadata }) => JSON.stringify(metadata.name));
    this.#record('PersistentVolume', volume, {
      type: 'Warning',
      reason: 'VolumeMismatch',
      message: `Cannot bind PersistentVolume to requested PersistentVolumeClaim ${claimName} due to incompatible volumeMode.`,
    });
    this.#record('PersistentVolumeClaim', claim, {
      type: 'Warning',
      reason: 'VolumeMismatch',
      message: `Cannot bind PersistentVolume ${volumeName} to requested PersistentVolumeClaim due to incompatible volumeMode.`,
    });
  }

  /** Records why a claim waits, once per period. */
  #report(key: string, claim: PersistentVolumeClaim, event: BindingEvent): void {
    const text = `${event.reason} ${event.message}`;
    const atMs = this.#context.clock.elapsed();
    const last = this.#reported.get(key);
    if (last?.text === text && atMs - last.atMs < syncPeriodMs) return;
    this.#reported.set(key, { text, atMs });
    this.#record('PersistentVolumeClaim', claim, event);
  }

  #record(
    kind: 'PersistentVolume' | 'PersistentVolumeClaim',
    { metadata }: PersistentVolume | PersistentVolumeClaim,
    event: BindingEvent,
  ): void {
    const { name = '', namespace, uid = '', resourceVersion = '' } = metadata;
    const involvedObject = {
      apiVersion: 'v1',
      kind,
      name,
      ...(namespace && { namespace }),
      uid,
      resourceVersion,
    };
    this.#context.events.record({ involvedObject, ...event, component });
  }
}

const waitingForProvisioner = (provisioner: string): BindingEvent => ({
  type: 'Normal',
  reason: 'ExternalProvisioning',
  message:
    `Waiting for a volume to be created either by the external provisioner '${provisioner}' or manually by the system administrator. ` +
    'If volume creation is delayed, please verify that the provisioner is running and correctly registered.',
});
