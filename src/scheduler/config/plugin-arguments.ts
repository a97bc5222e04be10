// The arguments of scheduler plugins: `pluginConfig` of a profile.
import type { NodeAffinity } from '../../apis/core/affinity.ts';
import { isObject, type JsonValue } from '../../codec/json/json-value.ts';
import { ConfigFileError, FileFields } from '../../codec/yaml/file-fields.ts';
import { defaultInterPodAffinityArgs, type InterPodAffinityArgs } from '../plugins/inter-pod-affinity.ts';
import type { IgnoredResources } from '../plugins/node-resources.ts';
import type { ScoringStrategy, ShapePoint, WeightedResource } from '../plugins/resource-scores.ts';
import type { DefaultConstraint } from '../plugins/spread-constraint.ts';
import { defaultPreemptionArgs, type PreemptionArgs } from '../preemption/preemption-args.ts';

export interface PluginArguments {
  readonly nodeResourcesFit: IgnoredResources & { readonly strategy: ScoringStrategy };
  readonly balancedAllocation: { readonly resources: readonly string[] };
  readonly interPodAffinity: InterPodAffinityArgs;
  /** Undefined for upstream's default constraints. */
  readonly podTopologySpread: { readonly defaultConstraints: readonly DefaultConstraint[] | undefined };
  readonly nodeAffinity: { readonly addedAffinity: NodeAffinity | undefined };
  readonly volumeBinding: { readonly bindTimeoutMs: number };
  readonly defaultPreemption: PreemptionArgs;
}

const cpuAndMemory: readonly WeightedResource[] = [
  { name: 'cpu', weight: 1 },
  { name: 'memory', weight: 1 },
];

export const defaultArguments: PluginArguments = {
  nodeResourcesFit: {
    ignoredResources: [],
    ignoredResourceGroups: [],
    strategy: { type: 'LeastAllocated', resources: cpuAndMemory },
  },
  balancedAllocation: { resources: cpuAndMemory.map(({ name }) => name) },
  interPodAffinity: defaultInterPodAffinityArgs,
  podTopologySpread: { defaultConstraints: undefined },
  nodeAffinity: { addedAffinity: undefined },
  volumeBinding: { bindTimeoutMs: 600_000 },
  defaultPreemption: defaultPreemptionArgs,
};

type Reader = (value: JsonValue, path: string) => Partial<PluginArguments>;

/** By name of the plugin. */
const readers: Readonly<Record<string, Reader>> = {
  NodeResourcesFit: (value, path) => ({ nodeResourcesFit: readNodeResourcesFit(value, path) }),
  NodeResourcesBalancedAllocation(value, path) {
    const resources = argumentsOf(value, path, ['resources']).list('resources', readResource);
    if (!resources?.length) return {};
    const weighted = resources.findIndex(({ weight }) => weight !== 1);
    if (weighted >= 0) {
      throw new ConfigFileError(
        `${path}.resources[${weighted}].weight: must be 1: all resources weigh the same`,
      );
    }
    return { balancedAllocation: { resources: resources.map(({ name }) => name) } };
  },
  InterPodAffinity(value, path) {
    const args = argumentsOf(value, path, ['hardPodAffinityWeight', 'ignorePreferredTermsOfExistingPods']);
    const { hardPodAffinityWeight, ignorePreferredTermsOfExistingPods } = defaultInterPodAffinityArgs;
    return {
      interPodAffinity: {
        hardPodAffinityWeight: args.number('hardPodAffinityWeight', 0, 100) ?? hardPodAffinityWeight,
        ignorePreferredTermsOfExistingPods:
          args.boolean('ignorePreferredTermsOfExistingPods') ?? ignorePreferredTermsOfExistingPods,
      },
    };
  },
  PodTopologySpread: (value, path) => ({
    podTopologySpread: { defaultConstraints: readDefaultConstraints(value, path) },
  }),
  NodeAffinity: (value, path) => ({ nodeAffinity: { addedAffinity: readAddedAffinity(value, path) } }),
  VolumeBinding(value, path) {
    const seconds = argumentsOf(value, path, ['bindTimeoutSeconds']).number('bindTimeoutSeconds', 0, 2 ** 31);
    return seconds === undefined ? {} : { volumeBinding: { bindTimeoutMs: seconds * 1000 } };
  },
  DefaultPreemption(value, path) {
    const args = argumentsOf(value, path, ['minCandidateNodesPercentage', 'minCandidateNodesAbsolute']);
    const { minCandidateNodesPercentage, minCandidateNodesAbsolute } = defaultPreemptionArgs;
    return {
      defaultPreemption: {
        minCandidateNodesPercentage:
          args.number('minCandidateNodesPercentage', 0, 100) ?? minCandidateNodesPercentage,
        minCandidateNodesAbsolute:
          args.number('minCandidateNodesAbsolute', 0, 2 ** 31) ?? minCandidateNodesAbsolute,
      },
    };
  },
};

/** Reads the entries of `pluginConfig`. */
export function readPluginArguments(
  entries: readonly { readonly name: string; readonly args: JsonValue; readonly path: string }[],
): PluginArguments {
  let args = defaultArguments;
  const seen = new Set<string>();
  for (const { name, args: value, path } of entries) {
    const read = readers[name];
    if (!read) {
      const known = Object.keys(readers).join(', ');
      throw new ConfigFileError(
        `${path}.name: ${name} has no arguments; plugins with arguments are ${known}`,
      );
    }
    if (seen.has(name)) throw new ConfigFileError(`${path}.name: ${name} is configured twice`);
    seen.add(name);
    args = { ...args, ...read(value, `${path}.args`) };
  }
  return args;
}

/** `apiVersion` and `kind` of arguments are optional. */
const argumentsOf = (value: JsonValue, path: string, names: readonly string[]) =>
  new FileFields(value, path, ['apiVersion', 'kind', ...names]);

function readNodeResourcesFit(value: JsonValue, path: string): PluginArguments['nodeResourcesFit'] {
  const args = argumentsOf(value, path, ['ignoredResources', 'ignoredResourceGroups', 'scoringStrategy']);
  const strategy = args.value('scoringStrategy');
  return {
    ignoredResources: args.texts('ignoredResources') ?? [],
    ignoredResourceGroups: args.texts('ignoredResourceGroups') ?? [],
    strategy:
      strategy === undefined
        ? defaultArguments.nodeResourcesFit.strategy
        : readStrategy(strategy, `${path}.scoringStrategy`),
  };
}

function readStrategy(value: JsonValue, path: string): ScoringStrategy {
  const fields = new FileFields(value, path, ['type', 'resources', 'requestedToCapacityRatio']);
  const types = ['LeastAllocated', 'MostAllocated', 'RequestedToCapacityRatio'] as const;
  const type = fields.choice('type', types) ?? 'LeastAllocated';
  const listed = fields.list('resources', readResource);
  const resources = listed?.length ? listed : cpuAndMemory;
  if (type !== 'RequestedToCapacityRatio') return { type, resources };
  const ratioPath = `${path}.requestedToCapacityRatio`;
  const ratio = new FileFields(fields.value('requestedToCapacityRatio') ?? {}, ratioPath, ['shape']);
  const shape = ratio.list('shape', readShapePoint) ?? [];
  if (shape.length === 0)
    throw new ConfigFileError(`${ratioPath}.shape: at least one point must be specified`);
  const unordered = shape.findIndex(
    ({ utilization }, i) => i > 0 && shape[i - 1]!.utilization >= utilization,
  );
  if (unordered > 0) {
    throw new ConfigFileError(
      `${ratioPath}.shape[${unordered}].utilization: must be higher than that before`,
    );
  }
  return { type, resources, shape };
}

function readResource(value: JsonValue, path: string): WeightedResource {
  const fields = new FileFields(value, path, ['name', 'weight']);
  const name = fields.text('name');
  if (!name) throw new ConfigFileError(`${path}.name is required`);
  return { name, weight: fields.number('weight', 1, 100) ?? 1 };
}

function readShapePoint(value: JsonValue, path: string): ShapePoint {
  const fields = new FileFields(value, path, ['utilization', 'score']);
  return {
    utilization: fields.number('utilization', 0, 100) ?? 0,
    score: fields.number('score', 0, 10) ?? 0,
  };
}

function readDefaultConstraints(value: JsonValue, path: string): DefaultConstraint[] | undefined {
  const args = argumentsOf(value, path, ['defaultConstraints', 'defaultingType']);
  const constraints = args.list('defaultConstraints', readConstraint) ?? [];
  const type = args.choice('defaultingType', ['System', 'List'] as const) ?? 'System';
  if (type === 'List') return constraints;
  if (constraints.length === 0) return undefined;
  throw new ConfigFileError(`${path}.defaultConstraints: needs defaultingType List`);
}

function readConstraint(value: JsonValue, path: string): DefaultConstraint {
  const fields = new FileFields(value, path, ['maxSkew', 'topologyKey', 'whenUnsatisfiable']);
  const topologyKey = fields.text('topologyKey');
  if (!topologyKey) throw new ConfigFileError(`${path}.topologyKey is required`);
  const maxSkew = fields.number('maxSkew', 1, 2 ** 31);
  if (maxSkew === undefined) throw new ConfigFileError(`${path}.maxSkew is required`);
  const whenUnsatisfiable = fields.choice('whenUnsatisfiable', ['DoNotSchedule', 'ScheduleAnyway'] as const);
  if (!whenUnsatisfiable) throw new ConfigFileError(`${path}.whenUnsatisfiable is required`);
  return { maxSkew, topologyKey, whenUnsatisfiable };
}

/** The affinity as in the spec of a pod. */
function readAddedAffinity(value: JsonValue, path: string): NodeAffinity | undefined {
  const added = argumentsOf(value, path, ['addedAffinity']).object('addedAffinity');
  if (!added) return undefined;
  const [required, preferred] = [
    'requiredDuringSchedulingIgnoredDuringExecution',
    'preferredDuringSchedulingIgnoredDuringExecution',
  ] as const;
  const fields = new FileFields(added, `${path}.addedAffinity`, [required, preferred]);
  const terms = fields.value(required);
  if (terms !== undefined && !(isObject(terms) && Array.isArray(terms.nodeSelectorTerms))) {
    throw new ConfigFileError(`${fields.pathOf(required)}: must be an object with nodeSelectorTerms`);
  }
  fields.list(preferred, (item, itemPath) => {
    const term = new FileFields(item, itemPath, ['weight', 'preference']);
    if (!term.object('preference')) throw new ConfigFileError(`${itemPath}.preference is required`);
    if (!term.number('weight', 1, 100)) throw new ConfigFileError(`${itemPath}.weight is required`);
  });
  return added as unknown as NodeAffinity;
}
