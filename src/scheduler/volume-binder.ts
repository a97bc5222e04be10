// VolumeBinding, before a pod is bound: selects the node for claims that wait for their first consumer, and waits until a
// provisioner has bound them.
import type { PersistentVolumeClaim } from '../apis/core/persistentvolumeclaim.ts';
import type { Informer } from '../client/informer.ts';
import type { ControllerContext } from '../controllers/runtime/controller.ts';
import type { PendingPod } from './cache/pod-info.ts';
import { type DelayedClaim, delayedClaims, isBound } from './plugins/volume-binding.ts';
import type { StoredVolumeObjects } from './plugins/volume-objects.ts';

/** Upstream's bindTimeoutSeconds. */
const bindTimeoutMs = 10 * 60_000;

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

  /** Other pods with the same claims are scheduled to the same node from now on. */
  reserve(pod: PendingPod, nodeName: string): readonly DelayedClaim[] {
    const claims = delayedClaims(pod, this.#volumes);
    for (const { key } of claims) this.#volumes.assume(key, nodeName);
    return claims;
  }

  release(claims: readonly DelayedClaim[]): void {
    for (const { key } of claims) this.#volumes.forget(key);
  }

  /** Resolves once all claims are bound. Rejects if one is not after ten minutes, or is deselected by its provisioner. */
  async bind(claims: readonly DelayedClaim[], nodeName: string, signal: AbortSignal): Promise<void> {
    for (const claim of claims) await this.#selectNode(claim, nodeName);
    await Promise.all(claims.map((claim) => this.#waitUntilBound(claim, nodeName, signal)));
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

  #waitUntilBound({ key, uid }: DelayedClaim, nodeName: string, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const check = () => {
        const claim = this.informer.getByKey(key)?.tryDecodeLazily();
        if (claim?.metadata.uid !== uid) end(() => reject(new Error(`PVC "${key}" was deleted`)));
        else if (isBound(claim, this.#volumes)) end(resolve);
        else if (claim.metadata.annotations?.[this.#volumes.names.selectedNode] !== nodeName) {
          end(() => reject(new Error(`provisioning failed for PVC "${key.split('/')[1]}"`)));
        }
      };
      const abort = () => end(() => reject(new Error('the scheduler is stopping')));
      const cancelTimer = this.#context.clock.after(bindTimeoutMs, () =>
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
