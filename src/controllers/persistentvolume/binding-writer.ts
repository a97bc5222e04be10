// The writes of the PersistentVolume controller. Each one checks again, on the latest state, what it was decided by, and fails with a
// conflict otherwise. A volume refers to its claim before the claim names it: so no two claims get the same volume.
import type { PersistentVolume } from '../../apis/core/persistentvolume.ts';
import type { PersistentVolumeClaim } from '../../apis/core/persistentvolumeclaim.ts';
import { isVolumeOfClaim, setClaimRef } from '../../apis/core/volume-binding.ts';
import type { Lister } from '../../client/lister.ts';
import { conflict, objectModified } from '../../errors/catalogue.ts';
import type { ControllerContext } from '../runtime/controller.ts';
import type { BindingState } from './binding-state.ts';
import { setClaimStatus } from './claim-plan.ts';

type VolumePhase = 'Available' | 'Bound' | 'Released' | 'Failed';
type ClaimPhase = 'Pending' | 'Bound' | 'Lost';

export class BindingWriter {
  readonly #context: ControllerContext;
  readonly #state: BindingState;
  readonly #stopped = new AbortController();

  constructor(context: ControllerContext, state: BindingState) {
    this.#context = context;
    this.#state = state;
  }

  close(): void {
    this.#stopped.abort();
  }

  /** Completes the binding, whatever part of it is done already. */
  async bind(
    { metadata: { name: volumeName = '' } }: PersistentVolume,
    claim: PersistentVolumeClaim,
  ): Promise<void> {
    const { annotations } = this.#context.dialect;
    const key = `${claim.metadata.namespace}/${claim.metadata.name}`;
    await this.#changeVolume(volumeName, (volume) => {
      if (volume.spec.claimRef && !isVolumeOfClaim(volume, claim))
        throw modified('persistentvolumes', volumeName);
      return setClaimRef(volume, claim, annotations);
    });
    await this.setVolumePhase(volumeName, 'Bound');
    await this.#changeClaim(key, claim.metadata.uid, (latest) => {
      const { metadata, spec } = latest;
      if (spec.volumeName && spec.volumeName !== volumeName) throw modified('persistentvolumeclaims', key);
      const isNamed = spec.volumeName === volumeName;
      if (isNamed && metadata.annotations?.[annotations.bindCompleted] !== undefined) return false;
      spec.volumeName = volumeName;
      metadata.annotations = {
        ...metadata.annotations,
        [annotations.bindCompleted]: metadata.annotations?.[annotations.bindCompleted] ?? 'yes',
        ...(!isNamed && { [annotations.boundByController]: 'yes' }),
      };
      return true;
    });
    await this.setClaimPhase(claim, 'Bound', this.#state.volume(volumeName));
  }

  /** Returns whether the phase was changed. `volume` is that of a bound claim. */
  async setClaimPhase(
    { metadata }: PersistentVolumeClaim,
    phase: ClaimPhase,
    volume?: PersistentVolume,
  ): Promise<boolean> {
    const key = `${metadata.namespace}/${metadata.name}`;
    const wasPhase = this.#state.claim(key)?.status.phase;
    await this.#changeClaim(key, metadata.uid, (claim) => setClaimStatus(claim, phase, volume), 'status');
    return wasPhase !== phase;
  }

  async setStorageClass({ metadata }: PersistentVolumeClaim, className: string): Promise<void> {
    await this.#changeClaim(`${metadata.namespace}/${metadata.name}`, metadata.uid, ({ spec }) => {
      if (spec.storageClassName !== undefined) return false;
      spec.storageClassName = className;
      return true;
    });
  }

  /** Asks an external provisioner for a volume. */
  async setProvisioner({ metadata }: PersistentVolumeClaim, provisioner: string): Promise<void> {
    const { storageProvisioner, betaStorageProvisioner } = this.#context.dialect.annotations;
    await this.#changeClaim(`${metadata.namespace}/${metadata.name}`, metadata.uid, (claim) => {
      const { annotations } = claim.metadata;
      if (annotations?.[storageProvisioner] === provisioner) return false;
      claim.metadata.annotations = {
        ...annotations,
        [betaStorageProvisioner]: provisioner,
        [storageProvisioner]: provisioner,
      };
      return true;
    });
  }

  /** Returns whether the phase was changed. */
  async setVolumePhase(name: string, phase: VolumePhase, message = ''): Promise<boolean> {
    return this.#changeVolume(
      name,
      ({ status }) => {
        if (status.phase === phase) return false;
        status.phase = phase;
        status.message = message;
        return true;
      },
      'status',
    );
  }

  /** Undoes a binding. A volume that a user reserved stays reserved. */
  async unbind({ metadata: { name = '', resourceVersion } }: PersistentVolume): Promise<void> {
    const { boundByController } = this.#context.dialect.annotations;
    await this.#changeVolume(name, (volume) => {
      const { metadata, spec } = volume;
      if (metadata.resourceVersion !== resourceVersion || !spec.claimRef)
        throw modified('persistentvolumes', name);
      if (metadata.annotations?.[boundByController] === undefined) {
        spec.claimRef = { ...spec.claimRef, uid: '' };
        return true;
      }
      const { [boundByController]: _removed, ...annotations } = metadata.annotations;
      metadata.annotations = annotations;
      delete spec.claimRef;
      return true;
    });
    await this.setVolumePhase(name, 'Available');
  }

  async deleteVolume({ metadata: { name = '', uid = '' } }: PersistentVolume): Promise<void> {
    const { client, identity } = this.#context;
    const caller = { user: identity.user, signal: this.#stopped.signal };
    await client.deleteByKey(this.#state.volumes, name, { preconditions: { uid } }, caller);
  }

  #changeVolume(
    name: string,
    change: (volume: PersistentVolume) => boolean,
    subresource = '',
  ): Promise<boolean> {
    return this.#change(this.#state.volumes, name, change, subresource);
  }

  #changeClaim(
    key: string,
    uid: string | undefined,
    change: (claim: PersistentVolumeClaim) => boolean,
    subresource = '',
  ): Promise<boolean> {
    const changeSame = (claim: PersistentVolumeClaim) => {
      if (claim.metadata.uid !== uid) throw modified('persistentvolumeclaims', key);
      return change(claim);
    };
    return this.#change(this.#state.claims, key, changeSame, subresource);
  }

  /** Writes only if `change` returns true for the current state. Returns whether it has. */
  async #change<T>(
    lister: Lister<T>,
    key: string,
    change: (object: T) => boolean,
    subresource: string,
  ): Promise<boolean> {
    const current = lister.getByKey(key)?.decode();
    if (current && !change(current)) return false;
    const { client, identity } = this.#context;
    await client.mutate(lister, key, (object) => void change(object), { ...identity, subresource });
    return true;
  }
}

const modified = (resource: string, name: string) => conflict({ group: '', resource }, name, objectModified);
