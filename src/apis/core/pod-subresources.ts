// Pod: subresources status, ephemeralcontainers, resize, binding, eviction, log and the connect subresources.
import type { KindContext } from '../../kind/context.ts';
import type { Subresource } from '../../kind/definition.ts';
import { evictionAction } from '../policy/eviction.ts';
import { bindingAction } from './binding.ts';
import { podConnections } from './connections.ts';
import type { Pod } from './pod.ts';
import { validateEphemeralChange } from './pod-ephemeral-validation.ts';
import { dropDisabledPodStatus } from './pod-gates.ts';
import { keepAllButResources, validateResize } from './pod-resize.ts';
import { podStatusWarnings, validatePodStatus } from './pod-status-validation.ts';
import { countChange } from './pod-strategy.ts';

const ofThePod = ['get', 'patch', 'update'] as const;

export function podSubresources(context: KindContext): Record<string, Subresource<Pod>> {
  return {
    ...podConnections,
    binding: { verbs: ['create'], action: bindingAction(context) },
    ephemeralcontainers: {
      verbs: ofThePod,
      rules: {
        prepareForUpdate(pod, old) {
          const { ephemeralContainers } = pod.spec;
          keepAll(pod, old);
          pod.spec = { ...old.spec };
          if (ephemeralContainers) pod.spec.ephemeralContainers = ephemeralContainers;
          else delete pod.spec.ephemeralContainers;
          countChange(pod, old);
        },
        validateUpdate: (pod, old) => validateEphemeralChange(pod, old, context),
      },
    },
    eviction: { verbs: ['create'], action: evictionAction },
    resize: {
      verbs: ofThePod,
      gate: 'InPlacePodVerticalScaling',
      rules: {
        prepareForUpdate(pod, old) {
          const sent = pod.spec;
          keepAll(pod, old);
          pod.spec = keepAllButResources(sent, old.spec);
          countChange(pod, old);
        },
        validateUpdate: (pod, old) => validateResize(pod, old, context),
      },
    },
    status: {
      verbs: ofThePod,
      rules: {
        untracked: ['spec', 'metadata.deletionTimestamp', 'metadata.ownerReferences'],
        prepareForUpdate(pod, old) {
          pod.spec = old.spec;
          if (old.metadata.ownerReferences) pod.metadata.ownerReferences = old.metadata.ownerReferences;
          else delete pod.metadata.ownerReferences;
          keepWhatNodesForget(pod, old);
          dropDisabledPodStatus(pod.status, old.status, context.features);
        },
        validateUpdate: (pod, old) => validatePodStatus(pod, old, context),
        warningsOnUpdate: ({ status }) => podStatusWarnings(status, context),
      },
    },
  };
}

/** Reverts metadata (except resourceVersion and managedFields) and status to the old object, keeping only spec changes. */
function keepAll(pod: Pod, old: Pod): void {
  const { resourceVersion, managedFields } = pod.metadata;
  const { resourceVersion: _revision, managedFields: _owners, ...kept } = old.metadata;
  pod.metadata = {
    ...kept,
    ...(resourceVersion !== undefined && { resourceVersion }),
    ...(managedFields && { managedFields }),
  };
  pod.status = old.status;
}

/** Restores status fields that older kubelets omit because they do not know them. */
function keepWhatNodesForget({ status }: Pod, old: Pod): void {
  const before = old.status;
  if (!status.qosClass && before.qosClass) status.qosClass = before.qosClass;
  if (!status.observedGeneration && before.observedGeneration) {
    status.observedGeneration = before.observedGeneration;
  }
  const observed = new Map((before.conditions ?? []).map((each) => [each.type, each.observedGeneration]));
  for (const condition of status.conditions ?? []) {
    const generation = observed.get(condition.type);
    if (!condition.observedGeneration && generation) condition.observedGeneration = generation;
  }
}
