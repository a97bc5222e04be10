// NodeVolumeLimits: a node has at most as many volumes of a CSI driver as its CSINode allows.
import type { PersistentVolumeClaim } from '../../apis/core/persistentvolumeclaim.ts';
import { storageClassOf } from '../../apis/core/volume-binding.ts';
import type { FilterPlugin, Rejection } from './plugin.ts';
import type { VolumeObjects } from './volume-objects.ts';

const exceeded: Rejection = {
  plugin: 'NodeVolumeLimits',
  reasons: ['node(s) exceed max volume count'],
  isUnresolvable: false,
};

/** By handle, the driver of a volume. A volume that several pods of a node use counts once. */
type DriverByHandle = Map<string, string>;

export const nodeVolumeLimits: FilterPlugin = {
  name: 'NodeVolumeLimits',
  prepare({ claims }, { volumes }) {
    const requested = csiVolumes(claims, volumes);
    if (requested.size === 0) return undefined;
    return {
      check({ name, pods }) {
        const limits = new Map(
          (volumes.csiNode(name)?.spec.drivers ?? []).flatMap(({ name: driver, allocatable }) =>
            allocatable?.count === undefined ? [] : [[driver, allocatable.count] as const],
          ),
        );
        if (![...requested.values()].some((driver) => limits.has(driver))) return undefined;
        const used = csiVolumes(
          [...pods.values()].flatMap((pod) => pod.claims),
          volumes,
        );
        const added = [...requested].filter(([handle]) => !used.has(handle)).map(([, driver]) => driver);
        const count = (drivers: Iterable<string>, driver: string) =>
          [...drivers].filter((each) => each === driver).length;
        const isExceeded = (driver: string) =>
          count(used.values(), driver) + count(added, driver) >
          (limits.get(driver) ?? Number.POSITIVE_INFINITY);
        return added.some(isExceeded) ? exceeded : undefined;
      },
    };
  },
};

function csiVolumes(claimKeys: readonly string[], volumes: VolumeObjects): DriverByHandle {
  const found: DriverByHandle = new Map();
  for (const key of claimKeys) {
    const [namespace = '', name = ''] = key.split('/');
    const claim = volumes.claim(namespace, name);
    const volume = claim && csiVolume(key, claim, volumes);
    if (volume) found.set(`${volume.driver}/${volume.handle}`, volume.driver);
  }
  return found;
}

/** The volume of a claim that is not bound yet will be one of its provisioner. */
function csiVolume(key: string, claim: PersistentVolumeClaim, volumes: VolumeObjects) {
  const volume = claim.spec.volumeName ? volumes.volume(claim.spec.volumeName) : undefined;
  if (volume) {
    const { csi } = volume.spec;
    return csi && { driver: csi.driver, handle: csi.volumeHandle };
  }
  const className = storageClassOf(claim, volumes.names);
  const provisioner = className === '' ? undefined : volumes.storageClass(className)?.provisioner;
  return provisioner ? { driver: provisioner, handle: key } : undefined;
}
