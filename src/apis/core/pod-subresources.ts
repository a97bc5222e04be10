// Pod: its subresources. status, ephemeralcontainers and resize update a part of the pod, binding and eviction are
// actions, and log, exec and the like connect to the kubelet.
import type { KindContext } from '../../kind/context.ts';
import type { Subresource } from '../../kind/definition.ts';
import { evictionAction } from '../policy/eviction.ts';
import { bindingAction } from './binding.ts';
import { podConnections } from './connections.ts';
import type { Pod } from './pod.ts';
import { validateEphemeralContainersUpdate } from './pod-ephemeral-validation.ts';
import { dropDisabledPodStatus } from './pod-gates.ts';
import { keepOnlyResourceChanges, validateResize } from './pod-resize.ts';
import { podStatusWarnings, validatePodStatus } from './pod-status-validation.ts';
import { updatePodGeneration } from './pod-strategy.ts';

const readWriteVerbs = ['get', 'patch', 'update'] as const;

export function podSubresources(context: KindContext): Record<string, Subresource<Pod>> {
  return {
    ...podConnections,
    binding: { verbs: ['create'], action: bindingAction(context) },
    ephemeralcontainers: {
      verbs: readWriteVerbs,
      rules: {
        prepareForUpdate(pod, old) {
          const { ephemeralContainers } = pod.spec;
          keepOnlySpecChanges(pod, old);
          pod.spec = { ...old.spec };
          if (ephemeralContainers) pod.spec.ephemeralContainers = ephemeralContainers;
          else delete pod.spec.ephemeralContainers;
          updatePodGeneration(pod, old);
        },
        validateUpdate: (pod, old) => validateEphemeralContainersUpdate(pod, old, context),
      },
    },
    eviction: { verbs: ['create'], action: evictionAction },
    resize: {
      verbs: readWriteVerbs,
      gate: 'InPlacePodVerticalScaling',
      rules: {
        prepareForUpdate(pod, old) {
          const requestedSpec = pod.spec;
          keepOnlySpecChanges(pod, old);
          pod.spec = keepOnlyResourceChanges(requestedSpec, old.spec);
          updatePodGeneration(pod, old);
        },
        validateUpdate: (pod, old) => validateResize(pod, old, context),
      },
    },
    status: {
      verbs: readWriteVerbs,
      rules: {
        resetFields: ['spec', 'metadata.deletionTimestamp', 'metadata.ownerReferences'],
        prepareForUpdate(pod, old) {
          pod.spec = old.spec;
          if (old.metadata.ownerReferences) pod.metadata.ownerReferences = old.metadata.ownerReferences;
          else delete pod.metadata.ownerReferences;
          restoreOmittedStatus(pod, old);
          dropDisabledPodStatus(pod.status, old.status, context.features);
        },
        validateUpdate: (pod, old) => validatePodStatus(pod, old, context),
        warningsOnUpdate: ({ status }) => podStatusWarnings(status, context),
      },
    },
  };
}

/**
 * Reverts metadata (except resourceVersion and managedFields) and status to the old object, keeping only spec
 * changes.
 */
function keepOnlySpecChanges(pod: Pod, old: Pod): void {
  const { resourceVersion, managedFields } = pod.metadata;
  const { resourceVersion: _resourceVersion, managedFields: _managedFields, ...keptMetadata } = old.metadata;
  pod.metadata = {
    ...keptMetadata,
    ...(resourceVersion !== undefined && { resourceVersion }),
    ...(managedFields && { managedFields }),
  };
  pod.status = old.status;
}

/** Restores status fields that older kubelets omit because they do not know them. */
function restoreOmittedStatus({ status }: Pod, old: Pod): void {
  const oldStatus = old.status;
  if (!status.qosClass && oldStatus.qosClass) status.qosClass = oldStatus.qosClass;
  if (!status.observedGeneration && oldStatus.observedGeneration) {
    status.observedGeneration = oldStatus.observedGeneration;
  }
  const oldGenerations = new Map(
    (oldStatus.conditions ?? []).map(({ type, observedGeneration }) => [type, observedGeneration]),
  );
  for (const condition of status.conditions ?? []) {
    const generation = oldGenerations.get(condition.type);
    if (!condition.observedGeneration && generation) condition.observedGeneration = generation;
  }
}
