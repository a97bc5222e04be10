// VolumeBinding, before a pod is bound: binds volumes to the claims that wait for their first consumer, or selects the node for which
// they are provisioned, and waits until the claims are bound.
import type { PersistentVolume } from '../apis/core/persistentvolume.ts';
import type { PersistentVolumeClaim } from '../apis/core/persistentvolumeclaim.ts';
import { isVolumeOfClaim, setClaimRef } from '../apis/core/volume-binding.ts';
import type { Informer } from '../client/informer.ts';
import type { ControllerContext } from '../controllers/runtime/controller.ts';
import { conflict, objectModified } from '../errors/catalogue.ts';
import type { NodeInfo } from './cache/node-info.ts';
import type { PendingPod } from './cache/pod-info.ts';
import type { DelayedClaim, VolumeDecisions } from './plugins/delayed-claims.ts';
import { isBound, volumeDecisions } from './plugins/volume-binding.ts';
import type { StoredVolumeObjects } from './plugins/volume-objects.ts';

/** How a binding is ended early. */
export interface BindLimits {
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

export class VolumeBinder {
  readonly #context: ControllerContext;
  readonly #volumes: StoredVolumeObjects;
  /** Callbacks by key of the claim. */
  readonly #waiters = new Map<string, Set<() => void>>();
  readonly informer: Informer<PersistentVolumeClaim>;

  /** `onChange` is called after each change of a claim. */
  constructor(context: ControllerContext, volumes: StoredVolumeObjects, onChange: () => void) {
    this.#context = context;
    this.#volumes = volumes;
    const changed = (key: string) => {
      for (const notify of this.#waiters.get(key) ?? []) notify();
      onChange();
    };
    this.informer = context.informers.informer<PersistentVolumeClaim>(
      { group: '', version: 'v1', resource: 'persistentvolumeclaims' },
      {
        onAdd: ({ key }) => changed(key),
        onUpdate: (_old, { key }) => changed(key),
        onDelete: ({ key }) => changed(key),
      },
    );
  }

  /** Decides about the claims of a pod. Other pods get neither its volumes nor another node for its claims from now on. */
  reserve(pod: PendingPod, node: NodeInfo): VolumeDecisions {
    const decisions = volumeDecisions(pod, node, this.#volumes);
    for (const { claim, volumeName } of decisions.bindings) this.#volumes.assumeVolume(claim.key, volumeName);
    for (const { key } of decisions.provisions) this.#volumes.assumeNode(key, node.name);
    return decisions;
  }

  release(decisions: VolumeDecisions): void {
    for (const { key } of claimsOf(decisions)) this.#volumes.forget(key);
  }

  /** Resolves once all claims are bound. Rejects if one is not in time, or is deselected by its provisioner. */
  async bind(decisions: VolumeDecisions, nodeName: string, limits: BindLimits): Promise<void> {
    const { bindings, provisions } = decisions;
    for (const { claim, volumeName } of bindings) await this.#bindVolume(claim, volumeName);
    for (const claim of provisions) await this.#selectNode(claim, nodeName);
    await Promise.all([
      ...bindings.map(({ claim }) => this.#waitUntilBound(claim, undefined, limits)),
      ...provisions.map((claim) => this.#waitUntilBound(claim, nodeName, limits)),
    ]);
  }

  /** Lets the volume refer to the claim. The PersistentVolume controller completes the binding. */
  async #bindVolume({ key, uid }: DelayedClaim, volumeName: string): Promise<void> {
    const { client, identity } = this.#context;
    const claim = this.informer.getByKey(key)?.tryDecodeLazily();
    if (claim?.metadata.uid !== uid) throw new Error(`PVC "${key}" was deleted`);
    const change = (volume: PersistentVolume) => {
      if (volume.spec.claimRef && !isVolumeOfClaim(volume, claim))
        throw conflict({ group: '', resource: 'persistentvolumes' }, volumeName, objectModified);
      setClaimRef(volume, claim, this.#volumes.names);
    };
    await client.mutate(this.#volumes.lister, volumeName, change, identity);
  }

  async #selectNode({ key, uid }: DelayedClaim, nodeName: string): Promise<void> {
    const { client, identity } = this.#context;
    const { selectedNode } = this.#volumes.names;
    const change = ({ metadata }: PersistentVolumeClaim) => {
      metadata.uid = uid;
      metadata.annotations = { ...metadata.annotations, [selectedNode]: nodeName };
    };
    await client.mutate(this.informer, key, change, identity);
  }

  /** `nodeName`: the node for which the claim is provisioned; undefined for a claim that gets an existing volume. */
  #waitUntilBound(
    { key, uid }: DelayedClaim,
    nodeName: string | undefined,
    { timeoutMs, signal }: BindLimits,
  ): Promise<void> {
    const { selectedNode } = this.#volumes.names;
    return new Promise((resolve, reject) => {
      const check = () => {
        const claim = this.informer.getByKey(key)?.tryDecodeLazily();
        if (claim?.metadata.uid !== uid) end(() => reject(new Error(`PVC "${key}" was deleted`)));
        else if (isBound(claim, this.#volumes)) end(resolve);
        else if (nodeName !== undefined && claim.metadata.annotations?.[selectedNode] !== nodeName) {
          end(() => reject(new Error(`provisioning failed for PVC "${key.split('/')[1]}"`)));
        }
      };
      const abort = () => end(() => reject(new Error('the scheduler is stopping')));
      const cancelTimer = this.#context.clock.after(timeoutMs, () =>
        end(() => reject(new Error('timed out waiting for the condition'))),
      );
      const waiters = this.#waiters.get(key) ?? new Set();
      this.#waiters.set(key, waiters.add(check));
      const end = (settle: () => void) => {
        cancelTimer();
        signal.removeEventListener('abort', abort);
        waiters.delete(check);
        if (waiters.size === 0) this.#waiters.delete(key);
        settle();
      };
      signal.addEventListener('abort', abort);
      if (signal.aborted) abort();
      else check();
    });
  }
}

const claimsOf = ({ bindings, provisions }: VolumeDecisions) => [
  ...bindings.map(({ claim }) => claim),
  ...provisions,
];
