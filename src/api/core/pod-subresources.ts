import type { Subresource } from '../../resource/definition.ts';
import type { KindContext } from '../context.ts';
import { podConnections } from './connections.ts';
import type { Pod } from './pod.ts';
import { validatePodStatus } from './pod-status-validation.ts';

export function podSubresources(context: KindContext): Record<string, Subresource<Pod>> {
  return { ...podConnections, status: podStatus(context) };
}

function podStatus(context: KindContext): Subresource<Pod> {
  return {
    verbs: ['get', 'patch', 'update'],
    rules: {
      prepareForUpdate(pod, old) {
        pod.spec = old.spec;
        if (old.metadata.ownerReferences) pod.metadata.ownerReferences = old.metadata.ownerReferences;
        else delete pod.metadata.ownerReferences;
        keepWhatNodesForget(pod, old);
      },
      validateUpdate: (pod, old) => validatePodStatus(pod, old, context),
    },
  };
}

/** Old nodes send a status without what they do not know of. */
function keepWhatNodesForget({ status }: Pod, old: Pod): void {
  const before = old.status;
  if (!status.qosClass && before.qosClass) status.qosClass = before.qosClass;
  if (!status.observedGeneration && before.observedGeneration) {
    status.observedGeneration = before.observedGeneration;
  }
  for (const condition of status.conditions ?? []) {
    const same = before.conditions?.find(({ type }) => type === condition.type);
    if (!condition.observedGeneration && same?.observedGeneration) {
      condition.observedGeneration = same.observedGeneration;
    }
  }
}
