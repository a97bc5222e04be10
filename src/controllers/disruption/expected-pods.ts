// disruption-controller: the expected and desired number of pods of a PodDisruptionBudget.
import type { PodDisruptionBudget } from '../../apis/policy/poddisruptionbudget.ts';
import type { ApiObject, ObjectMeta, OwnerReference } from '../../kind/api-object.ts';
import { intOrPercentValue } from '../../kind/meta/int-or-percent.ts';
import type { ServedResource } from '../../kind/registry.ts';
import { tryGlanceAt } from '../../kind/storage/codec.ts';
import type { Api } from '../../registry/api.ts';

/** The number cannot be computed; the message is shown in the condition of the budget. */
export class UncountablePods extends Error {}

export interface Expected {
  /** status.expectedPods. */
  readonly pods: number;
  /** status.desiredHealthy. */
  readonly healthy: number;
  /** Whether some pods have no controller with a scale. */
  readonly areSomeUnmanaged: boolean;
}

/** Throws Uncountable. */
export function expectedOf(
  api: Api,
  { metadata, spec }: PodDisruptionBudget,
  pods: readonly ObjectMeta[],
): Expected {
  const { maxUnavailable, minAvailable } = spec;
  if (maxUnavailable === undefined && typeof minAvailable !== 'string') {
    return { pods: pods.length, healthy: minAvailable ?? 0, areSomeUnmanaged: false };
  }
  const { count, areSomeUnmanaged } = wantedBy(api, metadata.namespace ?? '', pods);
  const part = (value: number | string) =>
    typeof value === 'number' ? value : Math.ceil((intOrPercentValue(value) * count) / 100);
  const healthy =
    maxUnavailable === undefined ? part(minAvailable ?? 0) : Math.max(0, count - part(maxUnavailable));
  return { pods: count, healthy, areSomeUnmanaged };
}

/** Sum of the replicas of the controllers of the pods. */
function wantedBy(api: Api, namespace: string, pods: readonly ObjectMeta[]) {
  const wanted = new Map<string, number>();
  let areSomeUnmanaged = false;
  for (const pod of pods) {
    const manager = controllerOf(pod);
    if (!manager) areSomeUnmanaged = true;
    else if (!wanted.has(manager.uid)) {
      const { uid, replicas } = scaleOf(api, namespace, manager, pod.name ?? '');
      wanted.set(manager.uid, 0);
      wanted.set(uid, replicas);
    }
  }
  const count = [...wanted.values()].reduce((sum, replicas) => sum + replicas, 0);
  return { count, areSomeUnmanaged };
}

/** Follows controllers to the top: a ReplicaSet of a Deployment has the replicas of the Deployment. */
function scaleOf(api: Api, namespace: string, manager: OwnerReference, pod: string) {
  const found = find(api, namespace, manager);
  if (!found) throw new UncountablePods(`found no controllers for pod ${JSON.stringify(pod)}`);
  const above = controllerOf(found.object.metadata);
  const isOfDeployment = found.resource.prefix === 'replicasets' && above?.kind === 'Deployment';
  const top = (isOfDeployment && find(api, namespace, above)) || found;
  const view = top.resource.subresource('scale')?.view;
  if (!view) {
    const { group, resource } = top.resource.subject;
    const name = group === '' ? resource : `${resource}.${group}`;
    throw new UncountablePods(`${name} does not implement the scale subresource`);
  }
  const { spec } = view.show(top.object) as ApiObject & { spec: { replicas?: number } };
  return { uid: top.object.metadata.uid ?? '', replicas: spec.replicas ?? 0 };
}

function find(
  api: Api,
  namespace: string,
  { apiVersion, kind, name, uid }: OwnerReference,
): { readonly resource: ServedResource; readonly object: ApiObject } | undefined {
  const resource = api.registry.ofVersion(apiVersion).find((each) => each.kind === kind)?.stored;
  const stored = resource && api.store.get(resource.key(namespace, name));
  const object = stored && tryGlanceAt(resource, stored);
  return object?.metadata.uid === uid && object && resource ? { resource, object } : undefined;
}

const controllerOf = ({ ownerReferences = [] }: ObjectMeta) =>
  ownerReferences.find(({ controller }) => controller);
