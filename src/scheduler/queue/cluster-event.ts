// Events of the cluster that may make an unschedulable pod schedulable, by the plugins whose rejections they may resolve
// (upstream's EventsToRegister).
import type { FilterName } from '../plugins/plugin.ts';

export type ClusterEvent =
  | 'NodeAdd'
  | 'NodeDelete'
  | 'NodeUpdateAllocatable'
  | 'NodeUpdateLabels'
  | 'NodeUpdateTaints'
  | 'AssignedPodAdd'
  | 'AssignedPodDelete'
  | 'AssignedPodUpdateLabels'
  | 'AssignedPodScaleDown'
  | 'AssignedPodTerminating'
  | 'NamespaceUpdateLabels'
  | 'VolumeObjectChange'
  | 'DeviceObjectChange';

const resolves: Readonly<Record<FilterName, readonly ClusterEvent[]>> = {
  NodeUnschedulable: ['NodeAdd', 'NodeUpdateTaints'],
  NodeName: ['NodeAdd'],
  TaintToleration: ['NodeAdd', 'NodeUpdateTaints'],
  NodeAffinity: ['NodeAdd', 'NodeUpdateLabels'],
  NodePorts: ['NodeAdd', 'AssignedPodDelete'],
  NodeResourcesFit: ['NodeAdd', 'NodeUpdateAllocatable', 'AssignedPodDelete', 'AssignedPodScaleDown'],
  VolumeRestrictions: ['NodeAdd', 'AssignedPodDelete', 'VolumeObjectChange'],
  NodeVolumeLimits: ['NodeAdd', 'AssignedPodDelete', 'VolumeObjectChange'],
  VolumeBinding: ['NodeAdd', 'NodeUpdateLabels', 'VolumeObjectChange'],
  VolumeZone: ['NodeAdd', 'NodeUpdateLabels', 'VolumeObjectChange'],
  PodTopologySpread: [
    'NodeAdd',
    'NodeDelete',
    'NodeUpdateLabels',
    'NodeUpdateTaints',
    'AssignedPodAdd',
    'AssignedPodDelete',
    'AssignedPodUpdateLabels',
    'AssignedPodTerminating',
  ],
  InterPodAffinity: [
    'NodeAdd',
    'NodeUpdateLabels',
    'AssignedPodAdd',
    'AssignedPodDelete',
    'AssignedPodUpdateLabels',
    'NamespaceUpdateLabels',
  ],
  DynamicResources: ['NodeAdd', 'NodeUpdateLabels', 'DeviceObjectChange'],
};

/** The plugins whose rejections an event may resolve. */
export const resolvedPlugins = (event: ClusterEvent): FilterName[] =>
  (Object.keys(resolves) as FilterName[]).filter((plugin) => resolves[plugin].includes(event));
