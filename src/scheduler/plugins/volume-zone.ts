// VolumeZone: a volume whose labels name zones or a region is used only there.
import { podClaims } from '../../apis/core/pod-claims.ts';
import { storageClassOf } from '../../apis/core/volume-binding.ts';
import type { FilterPlugin, Rejection } from './plugin.ts';

const reject = (reason: string): Rejection => ({
  plugin: 'VolumeZone',
  reasons: [reason],
  isUnresolvable: true,
});
const zoneConflict = reject('node(s) had no available volume zone');

interface TopologyRequirement {
  readonly label: string;
  readonly values: ReadonlySet<string>;
}

export const volumeZone: FilterPlugin = {
  name: 'VolumeZone',
  prepare(pod, { volumes }) {
    const { names } = volumes;
    const requirements: TopologyRequirement[] = [];
    for (const { name } of podClaims(pod.name, pod.spec)) {
      const claim = volumes.claim(pod.namespace, name);
      if (!claim) return reject(`persistentvolumeclaim ${JSON.stringify(name)} not found`);
      const { volumeName } = claim.spec;
      if (!volumeName) {
        const className = storageClassOf(claim, names);
        if (className === '') return reject('PersistentVolumeClaim had no pv name and storageClass name');
        const bindingMode = volumes.storageClass(className)?.volumeBindingMode;
        if (bindingMode === 'WaitForFirstConsumer') continue;
        return reject('PersistentVolume had no name');
      }
      const volume = volumes.volume(volumeName);
      if (!volume) return reject(`persistentvolume ${JSON.stringify(volumeName)} not found`);
      for (const label of names.topologyLabels) {
        const value = volume.metadata.labels?.[label];
        if (value !== undefined) requirements.push({ label, values: zonesOf(value) });
      }
    }
    if (requirements.length === 0) return undefined;
    return {
      check({ labels }) {
        // A node without such labels is in a cluster with a single zone.
        if (!names.topologyLabels.some((label) => labels.has(label))) return undefined;
        const isSatisfied = ({ label, values }: TopologyRequirement) => values.has(labels.get(label) ?? '');
        return requirements.every(isSatisfied) ? undefined : zoneConflict;
      },
    };
  },
};

/** Several zones are separated by two underscores. */
const zonesOf = (value: string) => new Set(value.split('__').map((zone) => zone.trim()));
