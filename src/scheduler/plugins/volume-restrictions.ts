// VolumeRestrictions: a claim with the access mode ReadWriteOncePod is used by one pod at a time, and some disks by one pod of a node.
import type { ClusterCache } from '../cache/cluster-cache.ts';
import type { NodeInfo } from '../cache/node-info.ts';
import { disksConflict } from '../cache/pod-disks.ts';
import type { PendingPod, PodInfo } from '../cache/pod-info.ts';
import type { FilterPlugin, PodFilter, Rejection } from './plugin.ts';

const reject = (reason: string, isUnresolvable: boolean): Rejection => ({
  plugin: 'VolumeRestrictions',
  reasons: [reason],
  isUnresolvable,
});
const diskConflict = reject('node(s) had no available disk', false);
const claimConflict = reject(
  'node has pod using PersistentVolumeClaim with the same name and ReadWriteOncePod access mode',
  false,
);

export const volumeRestrictions: FilterPlugin = {
  name: 'VolumeRestrictions',
  prepare(pod, { cluster, volumes }) {
    const exclusive: string[] = [];
    for (const { persistentVolumeClaim } of pod.spec.volumes ?? []) {
      if (!persistentVolumeClaim) continue;
      const { claimName = '' } = persistentVolumeClaim;
      const claim = volumes.claim(pod.namespace, claimName);
      if (!claim) return reject(`persistentvolumeclaim ${JSON.stringify(claimName)} not found`, true);
      if (claim.spec.accessModes?.includes('ReadWriteOncePod'))
        exclusive.push(`${pod.namespace}/${claimName}`);
    }
    const filter = new VolumeRestrictionsFilter(pod, exclusive, countUsed(exclusive, cluster));
    return filter.canReject ? filter : undefined;
  },
};

const countUsed = (claims: readonly string[], cluster: ClusterCache) =>
  claims.filter((key) => cluster.isClaimUsed(key)).length;

class VolumeRestrictionsFilter implements PodFilter {
  readonly #pod: PendingPod;
  /** The claims of the pod with ReadWriteOncePod. */
  readonly #exclusive: readonly string[];
  /** How often other pods use them. */
  #uses: number;

  constructor(pod: PendingPod, exclusive: readonly string[], uses: number) {
    this.#pod = pod;
    this.#exclusive = exclusive;
    this.#uses = uses;
  }

  get canReject(): boolean {
    return this.#uses > 0 || this.#pod.disks.length > 0;
  }

  check({ pods }: NodeInfo): Rejection | undefined {
    const { disks } = this.#pod;
    if (disks.length > 0) {
      for (const other of pods.values()) if (disksConflict(disks, other.disks)) return diskConflict;
    }
    return this.#uses > 0 ? claimConflict : undefined;
  }

  clone(): PodFilter {
    return new VolumeRestrictionsFilter(this.#pod, this.#exclusive, this.#uses);
  }

  changePod({ claims }: PodInfo, _node: NodeInfo, sign: 1 | -1): void {
    this.#uses += sign * claims.filter((key) => this.#exclusive.includes(key)).length;
  }
}
