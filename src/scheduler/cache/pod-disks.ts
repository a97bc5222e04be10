// Volumes of a pod that are disks: a disk is used by one pod of a node, unless all of them only read it.
import type { PodSpec } from '../../apis/core/pod-spec.ts';

export interface PodDisk {
  /** Disks with the same id are the same. */
  readonly id: string;
  readonly isReadOnly: boolean;
  /** Of a Ceph image, which is the same only if a monitor is. */
  readonly monitors?: readonly string[];
}

const none: readonly PodDisk[] = [];

export function podDisks({ volumes }: PodSpec): readonly PodDisk[] {
  if (
    !volumes?.some(
      ({ gcePersistentDisk: gce, awsElasticBlockStore: aws, iscsi, rbd }) => gce ?? aws ?? iscsi ?? rbd,
    )
  )
    return none;
  return volumes.flatMap(({ gcePersistentDisk, awsElasticBlockStore, iscsi, rbd }): PodDisk[] => {
    if (gcePersistentDisk) {
      const { pdName, readOnly } = gcePersistentDisk;
      return [{ id: `gce ${pdName}`, isReadOnly: readOnly ?? false }];
    }
    if (awsElasticBlockStore) return [{ id: `aws ${awsElasticBlockStore.volumeID}`, isReadOnly: false }];
    if (iscsi) return [{ id: `iscsi ${iscsi.iqn}`, isReadOnly: iscsi.readOnly ?? false }];
    if (!rbd) return [];
    const { pool, image, monitors, readOnly } = rbd;
    return [{ id: `rbd ${pool}/${image}`, isReadOnly: readOnly ?? false, monitors: monitors ?? [] }];
  });
}

export const disksConflict = (disks: readonly PodDisk[], others: readonly PodDisk[]): boolean =>
  others.length > 0 && disks.some((disk) => others.some((other) => conflicts(disk, other)));

const conflicts = (one: PodDisk, other: PodDisk) =>
  one.id === other.id &&
  !(one.isReadOnly && other.isReadOnly) &&
  (!one.monitors || one.monitors.some((monitor) => other.monitors?.includes(monitor)));
