// ResourceQuota evaluator of pods.
import type { Container } from '../../../apis/core/container.ts';
import type { Pod } from '../../../apis/core/pod.ts';
import { qosClassOf } from '../../../apis/core/pod-qos.ts';
import {
  aggregatePodResources,
  isSidecar,
  parseResourceList,
  type ResourceQuantities,
  raiseToMax,
} from '../../../apis/core/pod-resources.ts';
import type { PodSpec } from '../../../apis/core/pod-spec.ts';
import { isHugePages, isNativeResource, type ResourceList } from '../../../apis/core/resource-list.ts';
import type { ScopedResourceSelectorRequirement } from '../../../apis/core/resourcequota.ts';
import type { Dialect } from '../../../dialect/dialect.ts';
import { addQuantities, type Quantity } from '../../../schema/quantity.ts';
import type { Evaluator } from './evaluator.ts';
import { isMet } from './scope-values.ts';
import { counted, type Usage } from './usage.ts';

const withLimits = new Set(['cpu', 'memory', 'ephemeral-storage']);
/** The resources that every container must specify once a quota limits them. */
const mustBeSaid = new Set(['cpu', 'memory'].flatMap((name) => [name, `requests.${name}`, `limits.${name}`]));

const isOfOthers = (name: string, dialect: Dialect) => name.includes('/') && !isNativeResource(name, dialect);

export function pods(total: string, dialect: Dialect): Evaluator<Pod> {
  return {
    counts(name) {
      if (name === total || name === 'pods' || withLimits.has(name) || isHugePages(name)) return true;
      if (name.startsWith('limits.')) return withLimits.has(name.slice('limits.'.length));
      if (!name.startsWith('requests.')) return false;
      const asked = name.slice('requests.'.length);
      return withLimits.has(asked) || isHugePages(asked) || isOfOthers(asked, dialect);
    },
    usage(pod, now) {
      const usage = new Map([[total, counted(1)]]);
      if (isOver(pod, now)) return usage;
      usage.set('pods', counted(1));
      for (const [name, amount] of needs(pod, 'requests')) {
        const isPlain = withLimits.has(name) || isHugePages(name);
        if (isPlain) usage.set(name, amount);
        if (isPlain || isOfOthers(name, dialect)) usage.set(`requests.${name}`, amount);
      }
      for (const [name, amount] of needs(pod, 'limits')) {
        if (withLimits.has(name)) usage.set(`limits.${name}`, amount);
      }
      return usage;
    },
    isIn: (scope, { spec }) => isIn(scope, spec),
    unsaid: (names, { spec }) => unsaid(names, spec),
    growsThrough: ['resize'],
  };
}

/** A pod that has ended, or should have by now, uses nothing any more. */
function isOver({ metadata, status }: Pod, now: number): boolean {
  if (status?.phase === 'Succeeded' || status?.phase === 'Failed') return true;
  const { deletionTimestamp, deletionGracePeriodSeconds } = metadata;
  if (deletionTimestamp === undefined || deletionGracePeriodSeconds === undefined) return false;
  return now > Date.parse(deletionTimestamp) + deletionGracePeriodSeconds * 1000;
}

/** The requests or limits of a pod, with a resize in progress and with its overhead. */
function needs({ spec, status }: Pod, part: 'requests' | 'limits'): Usage {
  const isImpossible = status?.conditions?.some(
    ({ type, reason }) => type === 'PodResizePending' && reason === 'Infeasible',
  );
  const states = new Map(
    [...(status?.containerStatuses ?? []), ...(status?.initContainerStatuses ?? [])].map((state) => [
      state.name,
      state,
    ]),
  );
  const total = aggregatePodResources(spec, part, (container) => {
    const asked = parseResourceList(container.resources?.[part]);
    const isOnce = spec.initContainers?.includes(container) && !isSidecar(container);
    const state = isOnce ? undefined : states.get(container.name);
    if (!state?.resources) return asked;
    const had = parseResourceList(state.resources[part]);
    if (part === 'requests') raiseToMax(had, parseResourceList(state.allocatedResources));
    if (!isImpossible) raiseToMax(had, asked);
    return had;
  });
  addOverhead(total, spec.overhead, part);
  return total;
}

/** A limit grows by it, but does not come of it. */
function addOverhead(
  total: ResourceQuantities,
  overhead: ResourceList | undefined,
  part: 'requests' | 'limits',
): void {
  for (const [name, amount] of parseResourceList(overhead)) {
    const before: Quantity | undefined = total.get(name);
    if (before) total.set(name, addQuantities(before, amount));
    else if (part === 'requests') total.set(name, amount);
  }
}

function isIn(scope: ScopedResourceSelectorRequirement, spec: PodSpec): boolean {
  switch (scope.scopeName) {
    case 'Terminating':
      return isTerminating(spec);
    case 'NotTerminating':
      return !isTerminating(spec);
    case 'BestEffort':
      return qosClassOf(spec) === 'BestEffort';
    case 'NotBestEffort':
      return qosClassOf(spec) !== 'BestEffort';
    case 'CrossNamespacePodAffinity':
      return looksElsewhere(spec);
    case 'PriorityClass':
      return isMet(scope, spec.priorityClassName || undefined);
    default:
      return false;
  }
}

const isTerminating = ({ activeDeadlineSeconds }: PodSpec) =>
  activeDeadlineSeconds !== undefined && activeDeadlineSeconds >= 0;

/** Whether where it may run depends on pods of other namespaces. */
function looksElsewhere({ affinity }: PodSpec): boolean {
  return [affinity?.podAffinity, affinity?.podAntiAffinity].some((rules) =>
    [
      ...(rules?.requiredDuringSchedulingIgnoredDuringExecution ?? []),
      ...(rules?.preferredDuringSchedulingIgnoredDuringExecution ?? []).map(
        ({ podAffinityTerm }) => podAffinityTerm,
      ),
    ].some(
      ({ namespaces, namespaceSelector }) => (namespaces?.length ?? 0) > 0 || namespaceSelector !== undefined,
    ),
  );
}

/** Messages for containers that do not specify a limited resource. */
function unsaid(names: readonly string[], spec: PodSpec): string[] {
  if (Object.keys({ ...spec.resources?.requests, ...spec.resources?.limits }).length > 0) return [];
  const containers = [...(spec.containers ?? []), ...(spec.initContainers ?? [])];
  return names
    .filter((name) => mustBeSaid.has(name))
    .sort()
    .flatMap((name) => {
      const silent = containers.filter((container) => !says(container, name)).map((each) => each.name);
      return silent.length > 0 ? [`${name} for: ${silent.sort().join(',')}`] : [];
    });
}

function says({ resources }: Container, name: string): boolean {
  const [part, asked] = name.startsWith('limits.')
    ? (['limits', name.slice('limits.'.length)] as const)
    : (['requests', name.replace(/^requests\./, '')] as const);
  return resources?.[part]?.[asked] !== undefined;
}
