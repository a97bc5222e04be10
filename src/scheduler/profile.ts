// A scheduling profile: the plugins and weights with which pods of one schedulerName are scheduled.
import { dynamicResources } from './plugins/dynamic-resources.ts';
import { scoreImages } from './plugins/image-locality.ts';
import { interPodAffinity, scoreInterPodAffinity } from './plugins/inter-pod-affinity.ts';
import { nodeAffinity, scoreNodeAffinity } from './plugins/node-affinity.ts';
import { nodeName } from './plugins/node-name.ts';
import { nodePorts } from './plugins/node-ports.ts';
import { nodeResourcesFit, scoreBalancedAllocation, scoreLeastAllocated } from './plugins/node-resources.ts';
import { nodeUnschedulable } from './plugins/node-unschedulable.ts';
import { nodeVolumeLimits } from './plugins/node-volume-limits.ts';
import type { FilterPlugin, ScorePlugin } from './plugins/plugin.ts';
import { podTopologySpread } from './plugins/pod-topology-spread.ts';
import { scoreTopologySpread } from './plugins/pod-topology-spread-score.ts';
import { scoreTaints, taintToleration } from './plugins/taint-toleration.ts';
import { volumeBinding } from './plugins/volume-binding.ts';
import { volumeRestrictions } from './plugins/volume-restrictions.ts';
import { volumeZone } from './plugins/volume-zone.ts';

export interface Profile {
  readonly schedulerName: string;
  /** In the order in which a node is checked: the first rejection counts. */
  readonly filters: readonly FilterPlugin[];
  readonly scores: readonly { readonly score: ScorePlugin; readonly weight: number }[];
}

/** Upstream's default profile. */
export const defaultProfile: Profile = {
  schedulerName: 'default-scheduler',
  filters: [
    nodeUnschedulable,
    nodeName,
    taintToleration,
    nodeAffinity,
    nodePorts,
    nodeResourcesFit,
    volumeRestrictions,
    nodeVolumeLimits,
    volumeBinding,
    volumeZone,
    podTopologySpread,
    interPodAffinity,
    dynamicResources,
  ],
  scores: [
    { score: scoreTaints, weight: 3 },
    { score: scoreNodeAffinity, weight: 2 },
    { score: scoreLeastAllocated, weight: 1 },
    { score: scoreTopologySpread, weight: 2 },
    { score: scoreInterPodAffinity, weight: 2 },
    { score: scoreBalancedAllocation, weight: 1 },
    { score: scoreImages, weight: 1 },
  ],
};
