// ResourceQuota evaluator of pods: counts, and the requests and limits of compute resources.
import type { Container } from '../../../apis/core/container.ts';
import type { Pod } from '../../../apis/core/pod.ts';
import { effectivePodResources } from '../../../apis/core/pod-effective-resources.ts';
import { computeQosClass } from '../../../apis/core/pod-qos.ts';
import type { PodSpec } from '../../../apis/core/pod-spec.ts';
import { isHugePages, isNativeResource } from '../../../apis/core/resource-list.ts';
import type { ScopedResourceSelectorRequirement } from '../../../apis/core/resourcequota.ts';
import type { Dialect } from '../../../dialect/dialect.ts';
import type { QuotaEvaluator } from './evaluator.ts';
import { scopeMatchesValue } from './scope-values.ts';
import { countQuantity } from './usage.ts';

const computeResources = new Set(['cpu', 'memory', 'ephemeral-storage']);
/** The resources that every container must specify once a quota limits them. */
const mandatoryResources = new Set(
  ['cpu', 'memory'].flatMap((name) => [name, `requests.${name}`, `limits.${name}`]),
);

const isExtended = (name: string, dialect: Dialect) => name.includes('/') && !isNativeResource(name, dialect);

export function podEvaluator(countName: string, dialect: Dialect): QuotaEvaluator<Pod> {
  return {
    counts(name) {
      if (name === countName || name === 'pods' || computeResources.has(name) || isHugePages(name))
        return true;
      if (name.startsWith('limits.')) return computeResources.has(name.slice('limits.'.length));
      if (!name.startsWith('requests.')) return false;
      const requested = name.slice('requests.'.length);
      return computeResources.has(requested) || isHugePages(requested) || isExtended(requested, dialect);
    },
    usage(pod, now) {
      const usage = new Map([[countName, countQuantity(1)]]);
      if (isTerminated(pod, now)) return usage;
      usage.set('pods', countQuantity(1));
      for (const [name, amount] of effectivePodResources(pod, 'requests')) {
        const isComputeResource = computeResources.has(name) || isHugePages(name);
        if (isComputeResource) usage.set(name, amount);
        if (isComputeResource || isExtended(name, dialect)) usage.set(`requests.${name}`, amount);
      }
      for (const [name, amount] of effectivePodResources(pod, 'limits')) {
        if (computeResources.has(name)) usage.set(`limits.${name}`, amount);
      }
      return usage;
    },
    matchesScope: (scope, { spec }) => matchesScope(scope, spec),
    missingConstraints: (names, { spec }) => missingConstraints(names, spec),
    chargedSubresources: ['resize'],
  };
}

/** A pod that has ended, or whose deletion grace period is over, uses only its object count. */
function isTerminated({ metadata, status }: Pod, now: number): boolean {
  if (status?.phase === 'Succeeded' || status?.phase === 'Failed') return true;
  const { deletionTimestamp, deletionGracePeriodSeconds } = metadata;
  if (deletionTimestamp === undefined || deletionGracePeriodSeconds === undefined) return false;
  return now > Date.parse(deletionTimestamp) + deletionGracePeriodSeconds * 1000;
}

function matchesScope(scope: ScopedResourceSelectorRequirement, spec: PodSpec): boolean {
  switch (scope.scopeName) {
    case 'Terminating':
      return isTerminating(spec);
    case 'NotTerminating':
      return !isTerminating(spec);
    case 'BestEffort':
      return computeQosClass(spec) === 'BestEffort';
    case 'NotBestEffort':
      return computeQosClass(spec) !== 'BestEffort';
    case 'CrossNamespacePodAffinity':
      return usesOtherNamespaces(spec);
    case 'PriorityClass':
      return scopeMatchesValue(scope, spec.priorityClassName || undefined);
    default:
      return false;
  }
}

/** Scope Terminating: the pod has a deadline (it is not about deletion). */
const isTerminating = ({ activeDeadlineSeconds }: PodSpec) =>
  activeDeadlineSeconds !== undefined && activeDeadlineSeconds >= 0;

/** Whether an affinity term selects pods of other namespaces (scope CrossNamespacePodAffinity). */
function usesOtherNamespaces({ affinity }: PodSpec): boolean {
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

/** Messages for containers that do not specify a limited resource. Pod-level resources make them unnecessary. */
function missingConstraints(names: readonly string[], spec: PodSpec): string[] {
  if (Object.keys({ ...spec.resources?.requests, ...spec.resources?.limits }).length > 0) return [];
  const containers = [...(spec.containers ?? []), ...(spec.initContainers ?? [])];
  return names
    .filter((name) => mandatoryResources.has(name))
    .sort()
    .flatMap((name) => {
      const missing = containers.filter((container) => !specifies(container, name)).map((each) => each.name);
      return missing.length > 0 ? [`${name} for: ${missing.sort().join(',')}`] : [];
    });
}

function specifies({ resources }: Container, name: string): boolean {
  const [field, requested] = name.startsWith('limits.')
    ? (['limits', name.slice('limits.'.length)] as const)
    : (['requests', name.replace(/^requests\./, '')] as const);
  return resources?.[field]?.[requested] !== undefined;
}
