// Pod: the strategy that runs on creates, updates and graceful deletes.

import type { KindContext } from '../../kind/context.ts';
import type { Strategy } from '../../kind/strategy.ts';
import { dnsLabel, nameIsSubdomain } from '../../schema/names.ts';
import type { PodAffinityTerm } from './affinity.ts';
import type { Pod } from './pod.ts';
import { syncAppArmor } from './pod-app-armor.ts';
import { dropDisabledPodFields } from './pod-gates.ts';
import { computeQosClass } from './pod-qos.ts';
import { PodSpec } from './pod-spec.ts';
import { validatePodUpdate } from './pod-update-validation.ts';
import { validateNewPod } from './pod-validation.ts';
import { podWarnings } from './pod-warnings.ts';

export function podStrategy(context: KindContext): Strategy<Pod> {
  /** Deprecation warnings that prepareForCreate found, kept for warningsOnCreate. */
  const appArmorWarnings = new WeakMap<Pod, string[]>();
  return {
    validateName: nameIsSubdomain,
    allowUnconditionalUpdate: true,
    deleteReturnsObject: true,
    validatesMetadata: true,
    prepareForCreate(pod, now) {
      pod.metadata.generation = 1;
      dropDisabledPodFields(pod.spec, undefined, context.features);
      pod.status = { phase: 'Pending', qosClass: computeQosClass(pod.spec) };
      if ((pod.spec.schedulingGates ?? []).length > 0) pod.status.conditions = [gatedCondition(now)];
      applyMatchLabelKeys(pod);
      appArmorWarnings.set(pod, syncAppArmor(pod, context.dialect));
    },
    validate: (pod) => validateNewPod(pod, context),
    warningsOnCreate: (pod) => [
      ...(appArmorWarnings.get(pod) ?? []),
      ...nameWarnings(pod),
      ...podWarnings(pod, '', context),
    ],
    resetFields: ['status'],
    prepareForUpdate(pod, old) {
      pod.status = old.status;
      dropDisabledPodFields(pod.spec, old.spec, context.features);
      updatePodGeneration(pod, old);
    },
    validateUpdate: (pod, old) => validatePodUpdate(pod, old, context),
    gracefulDelete: ({ spec, status }, requested) => {
      // Without a node, or once it has terminated, no kubelet has anything to stop.
      const isTerminal = status.phase === 'Failed' || status.phase === 'Succeeded';
      if (!spec.nodeName || isTerminal) return 0;
      const period = requested ?? spec.terminationGracePeriodSeconds ?? 0;
      return period < 0 ? 1 : period;
    },
  };
}

/** Increments metadata.generation if the spec changed. */
export function updatePodGeneration(pod: Pod, old: Pod): void {
  if (PodSpec.write(pod.spec) === PodSpec.write(old.spec)) return;
  pod.metadata.generation = (old.metadata.generation ?? 0) + 1;
}

function gatedCondition(now: string) {
  return {
    type: 'PodScheduled',
    status: 'False',
    lastTransitionTime: now,
    reason: 'SchedulingGated',
    message: 'Scheduling is blocked due to non-empty scheduling gates',
  };
}

/** The pod's name is its default hostname, so a name that is no DNS label gets a warning. */
function nameWarnings({ metadata: { name = '' } }: Pod): string[] {
  const problems = dnsLabel(name);
  if (problems.length === 0) return [];
  return [
    `metadata.name: this is used in the Pod's hostname, which can result in surprising behavior; a DNS label is recommended: [${problems.join(' ')}]`,
  ];
}

/** Adds the pod's own label values to affinity selectors, for matchLabelKeys (In) and mismatchLabelKeys (NotIn). */
function applyMatchLabelKeys({ metadata: { labels = {} }, spec }: Pod): void {
  for (const affinity of [spec.affinity?.podAffinity, spec.affinity?.podAntiAffinity]) {
    const mandatory = affinity?.requiredDuringSchedulingIgnoredDuringExecution ?? [];
    const preferred = affinity?.preferredDuringSchedulingIgnoredDuringExecution ?? [];
    for (const term of [...mandatory, ...preferred.map(({ podAffinityTerm }) => podAffinityTerm)])
      addLabelRequirements(term, labels);
  }
}

function addLabelRequirements(term: PodAffinityTerm, labels: Readonly<Record<string, string>>): void {
  const { labelSelector, matchLabelKeys = [], mismatchLabelKeys = [] } = term;
  if (!labelSelector) return;
  const add = (keys: readonly string[], operator: string) => {
    for (const key of keys) {
      if (!Object.hasOwn(labels, key)) continue;
      labelSelector.matchExpressions = [
        ...(labelSelector.matchExpressions ?? []),
        { key, operator, values: [labels[key]!] },
      ];
    }
  };
  add(matchLabelKeys, 'In');
  add(mismatchLabelKeys, 'NotIn');
}
