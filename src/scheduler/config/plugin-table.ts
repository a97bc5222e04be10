// The plugins of the scheduler with their extension points, and the default ones in upstream's order.
import { dynamicResources } from '../plugins/dynamic-resources.ts';
import { scoreImages } from '../plugins/image-locality.ts';
import { interPodAffinity, interPodAffinityScore } from '../plugins/inter-pod-affinity.ts';
import { nodeAffinityFilter, nodeAffinityScore } from '../plugins/node-affinity.ts';
import { nodeName } from '../plugins/node-name.ts';
import { nodePorts } from '../plugins/node-ports.ts';
import {
  nodeResourcesFitFilter,
  scoreBalancedAllocation,
  scoreLeastAllocated,
} from '../plugins/node-resources.ts';
import { nodeUnschedulable } from '../plugins/node-unschedulable.ts';
import { nodeVolumeLimits } from '../plugins/node-volume-limits.ts';
import type { FilterPlugin, ScorePlugin } from '../plugins/plugin.ts';
import { podTopologySpreadFilter } from '../plugins/pod-topology-spread.ts';
import { podTopologySpreadScore } from '../plugins/pod-topology-spread-score.ts';
import { balancedAllocation, scoringStrategy } from '../plugins/resource-scores.ts';
import { scoreTaints, taintToleration } from '../plugins/taint-toleration.ts';
import { volumeBinding } from '../plugins/volume-binding.ts';
import { volumeRestrictions } from '../plugins/volume-restrictions.ts';
import { volumeZone } from '../plugins/volume-zone.ts';
import { defaultArguments, type PluginArguments } from './plugin-arguments.ts';

/** The extension points that a profile configures. */
export type ExtensionPoint = 'filter' | 'postFilter' | 'score';

interface PluginEntry {
  readonly filter?: (args: PluginArguments) => FilterPlugin;
  readonly score?: (args: PluginArguments) => ScorePlugin;
  readonly hasPostFilter?: boolean;
}

const filter = (plugin: FilterPlugin) => ({ filter: () => plugin });

/** By name. Plugins without an entry for a configurable extension point are always active. */
export const pluginTable: Readonly<Record<string, PluginEntry>> = {
  SchedulingGates: {},
  PrioritySort: {},
  NodeUnschedulable: filter(nodeUnschedulable),
  NodeName: filter(nodeName),
  TaintToleration: { ...filter(taintToleration), score: () => scoreTaints },
  NodeAffinity: {
    filter: ({ nodeAffinity }) => nodeAffinityFilter(nodeAffinity.addedAffinity),
    score: ({ nodeAffinity }) => nodeAffinityScore(nodeAffinity.addedAffinity),
  },
  NodePorts: filter(nodePorts),
  NodeResourcesFit: {
    filter: ({ nodeResourcesFit }) => nodeResourcesFitFilter(nodeResourcesFit),
    // The default is a plugin of its own, which is faster.
    score: ({ nodeResourcesFit: { strategy } }) =>
      strategy === defaultArguments.nodeResourcesFit.strategy
        ? scoreLeastAllocated
        : scoringStrategy(strategy),
  },
  VolumeRestrictions: filter(volumeRestrictions),
  NodeVolumeLimits: filter(nodeVolumeLimits),
  VolumeBinding: filter(volumeBinding),
  VolumeZone: filter(volumeZone),
  PodTopologySpread: {
    filter: ({ podTopologySpread }) => podTopologySpreadFilter(podTopologySpread.defaultConstraints),
    score: ({ podTopologySpread }) => podTopologySpreadScore(podTopologySpread.defaultConstraints),
  },
  InterPodAffinity: {
    ...filter(interPodAffinity),
    score: ({ interPodAffinity: args }) => interPodAffinityScore(args),
  },
  DynamicResources: { ...filter(dynamicResources), hasPostFilter: true },
  DefaultPreemption: { hasPostFilter: true },
  NodeResourcesBalancedAllocation: {
    score: ({ balancedAllocation: { resources } }) =>
      resources === defaultArguments.balancedAllocation.resources
        ? scoreBalancedAllocation
        : balancedAllocation(resources),
  },
  ImageLocality: { score: () => scoreImages },
  DefaultBinder: {},
};

/** Plugins that every profile needs. */
export const requiredPlugins: ReadonlySet<string> = new Set([
  'SchedulingGates',
  'PrioritySort',
  'DefaultBinder',
]);

export interface EnabledPlugin {
  readonly name: string;
  /** Of the score; default 1. */
  readonly weight?: number;
}

const weights: Readonly<Record<string, number>> = {
  TaintToleration: 3,
  NodeAffinity: 2,
  PodTopologySpread: 2,
  InterPodAffinity: 2,
};

export const defaultPlugins: readonly EnabledPlugin[] = Object.keys(pluginTable).map((name) => ({
  name,
  ...(weights[name] !== undefined && { weight: weights[name] }),
}));

export const hasExtensionPoint = (name: string, point: ExtensionPoint): boolean => {
  const entry = pluginTable[name];
  return point === 'postFilter' ? entry?.hasPostFilter === true : entry?.[point] !== undefined;
};
