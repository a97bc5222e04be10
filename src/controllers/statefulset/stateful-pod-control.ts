// Creates, updates and deletes the pods of StatefulSets and their claims, with Events (upstream: StatefulPodControl).
import type { StatefulSet } from '../../apis/apps/statefulset.ts';
import type { PersistentVolumeClaim } from '../../apis/core/persistentvolumeclaim.ts';
import type { Pod } from '../../apis/core/pod.ts';
import type { Manifest } from '../../client/client.ts';
import type { Informer } from '../../client/informer.ts';
import type { Lister } from '../../client/lister.ts';
import { ApiError } from '../../errors/status.ts';
import type { ApiObject, ObjectMetadata, OwnerReference } from '../../kind/api-object.ts';
import type { ControllerContext } from '../runtime/controller.ts';
import { controllerReference } from '../workload/controller-reference.ts';
import type { OwnerEvents } from '../workload/owner-events.ts';
import { deletePod, isNamespaceTerminating, messageOf } from '../workload/pod-control.ts';
import { claimOwnerReferences, claimsOf, isStale } from './claims.ts';
import { isInRange, ordinalRange, podName } from './ordinals.ts';
import { hasIdentity, identityLabels } from './stateful-pod.ts';

const podKind = { apiVersion: 'v1', kind: 'Pod' };
const persistentVolumeClaims = { group: '', version: 'v1', resource: 'persistentvolumeclaims' } as const;

export interface StatefulPodControlDependencies {
  readonly context: ControllerContext;
  readonly events: OwnerEvents;
  readonly pods: Informer<Pod>;
  /** Aborted when the controller stops. */
  readonly signal: AbortSignal;
  ownerReference(set: StatefulSet): OwnerReference;
}

export class StatefulPodControl {
  readonly #context: ControllerContext;
  readonly #events: OwnerEvents;
  readonly #pods: Informer<Pod>;
  readonly #claims: Lister<PersistentVolumeClaim>;
  readonly #claimMetadata: Lister<ApiObject>;
  readonly #signal: AbortSignal;
  readonly #ownerReference: (set: StatefulSet) => OwnerReference;

  constructor({ context, events, pods, signal, ownerReference }: StatefulPodControlDependencies) {
    this.#context = context;
    this.#events = events;
    this.#pods = pods;
    this.#claims = context.informers.lister(persistentVolumeClaims);
    this.#claimMetadata = context.informers.lister(persistentVolumeClaims);
    this.#signal = signal;
    this.#ownerReference = ownerReference;
  }

  /** Creates the claims of a pod, then the pod. Returns false if a claim is about to be garbage-collected with an earlier pod. */
  async create(set: StatefulSet, ordinal: number, manifest: Manifest): Promise<boolean> {
    const { client, identity } = this.#context;
    const { name = '' } = manifest.metadata;
    if (this.#hasStaleClaim(set, ordinal)) return false;
    try {
      await this.#createClaims(set, ordinal);
      const { metadata } = await client.create(manifest, identity);
      await this.#updateClaimOwners(set, ordinal, metadata);
      this.#recordPod(set, 'create', name);
      return true;
    } catch (error) {
      if (!isAlreadyExists(error)) this.#recordPod(set, 'create', name, error);
      throw error;
    }
  }

  async delete(set: StatefulSet, pod: Pod): Promise<boolean> {
    const { client, identity } = this.#context;
    const { name = '' } = pod.metadata;
    try {
      const caller = { user: identity.user, signal: this.#signal };
      if (!(await deletePod(client, pod, caller))) return false;
    } catch (error) {
      this.#recordPod(set, 'delete', name, error);
      throw error;
    }
    this.#recordPod(set, 'delete', name);
    return true;
  }

  /** Restores the labels of a pod, its claims if it waits for them, and the owners of its claims. */
  async maintain(set: StatefulSet, ordinal: number, { metadata, status }: Pod): Promise<void> {
    const { client, dialect, identity } = this.#context;
    const { name = '', namespace } = metadata;
    if (isInRange(ordinal, ordinalRange(set))) {
      if (status.phase === 'Pending' && !metadata.deletionTimestamp) await this.#createClaims(set, ordinal);
      if (!hasIdentity({ metadata } as Pod, ordinal, dialect)) {
        const change = (latest: Pod) => {
          const labels = identityLabels(name, ordinal, dialect);
          latest.metadata.labels = { ...latest.metadata.labels, ...labels };
        };
        await client.mutate(this.#pods, `${namespace}/${name}`, change, identity);
        this.#recordPod(set, 'update', name);
      }
    }
    await this.#updateClaimOwners(set, ordinal, metadata);
  }

  async #createClaims(set: StatefulSet, ordinal: number): Promise<void> {
    const { client, identity } = this.#context;
    for (const claim of claimsOf(set, ordinal)) {
      const { name = '', namespace = '' } = claim.metadata;
      const existing = this.#claims.get(namespace, name);
      if (existing?.metadata()?.deletionTimestamp) throw new Error(`pvc ${name} is being deleted`);
      if (existing) continue;
      try {
        await client.create(claim, identity);
        this.#recordClaim(set, ordinal, name);
      } catch (error) {
        if (isAlreadyExists(error)) continue;
        if (isNamespaceTerminating(error)) throw error;
        this.#recordClaim(set, ordinal, name, error);
        throw new Error(`failed to create PVC ${name}: ${messageOf(error)}`, { cause: error });
      }
    }
  }

  #hasStaleClaim(set: StatefulSet, ordinal: number): boolean {
    const { name = '', namespace = '' } = set.metadata;
    const newPod = { ...podKind, name: podName(name, ordinal), uid: '' };
    return claimsOf(set, ordinal).some(({ metadata }) => {
      const claim = this.#claims.get(namespace, metadata.name ?? '')?.metadata();
      return isStale(claim?.ownerReferences ?? [], newPod);
    });
  }

  async #updateClaimOwners(set: StatefulSet, ordinal: number, pod: ObjectMetadata): Promise<void> {
    const { client, identity, features } = this.#context;
    const policy = set.spec.persistentVolumeClaimRetentionPolicy;
    if (!policy || !features.enabled('StatefulSetAutoDeletePVC')) return;
    const isScaledDown = !isInRange(ordinal, ordinalRange(set));
    const owners = { set: this.#ownerReference(set), pod: controllerReference(podKind, pod) };
    for (const { metadata } of claimsOf(set, ordinal)) {
      const claim = this.#claims.get(metadata.namespace ?? '', metadata.name ?? '');
      const { uid = '', ownerReferences = [] } = claim?.metadata() ?? {};
      if (!claim || !claimOwnerReferences(ownerReferences, owners, policy, isScaledDown)) continue;
      const change = (latest: Pick<ObjectMetadata, 'ownerReferences'>) => {
        const current = latest.ownerReferences ?? [];
        const references = claimOwnerReferences(current, owners, policy, isScaledDown) ?? current;
        if (references.length > 0) latest.ownerReferences = references;
        else delete latest.ownerReferences;
      };
      await client.mutateMetadata(this.#claimMetadata, claim.key, uid, change, identity);
    }
  }

  #recordPod({ metadata }: StatefulSet, verb: Verb, pod: string, error?: unknown): void {
    const text = `${verb} Pod ${pod} in StatefulSet ${metadata.name}`;
    this.#record(metadata, verb, `${text} successful`, text, error);
  }

  #recordClaim({ metadata }: StatefulSet, ordinal: number, claim: string, error?: unknown): void {
    const { name = '' } = metadata;
    const pod = podName(name, ordinal);
    const success = `create Claim ${claim} Pod ${pod} in StatefulSet ${name} success`;
    const failure = `create Claim ${claim} for Pod ${pod} in StatefulSet ${name}`;
    this.#record(metadata, 'create', success, failure, error);
  }

  #record(set: ObjectMetadata, verb: Verb, success: string, failure: string, error: unknown): void {
    if (isNamespaceTerminating(error)) return;
    const title = titles[verb];
    if (error === undefined) this.#events.record(set, 'Normal', `Successful${title}`, success);
    else
      this.#events.record(set, 'Warning', `Failed${title}`, `${failure} failed error: ${messageOf(error)}`);
  }
}

type Verb = 'create' | 'update' | 'delete';
const titles = { create: 'Create', update: 'Update', delete: 'Delete' } as const;

const isAlreadyExists = (error: unknown) => error instanceof ApiError && error.reason === 'AlreadyExists';
