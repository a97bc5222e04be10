import type { PodDisruptionBudget } from '../../apis/policy/poddisruptionbudget.ts';
import type { ApiObject, ObjectMeta, OwnerReference } from '../../kind/api-object.ts';
import { numberOf } from '../../kind/meta/int-or-percent.ts';
import type { ServedResource } from '../../kind/registry.ts';
import { tryGlanceAt } from '../../kind/storage/codec.ts';
import type { Api } from '../../registry/api.ts';

/** A budget cannot be counted, for a reason that its users are to read. */
export class Uncountable extends Error {}

export interface Expected {
  /** How many pods there should be in all. */
  readonly pods: number;
  /** How many of them must be healthy. */
  readonly healthy: number;
  /** Whether some of them have nobody who says how many there should be. */
  readonly areSomeUnmanaged: boolean;
}

/** What a budget asks of the pods that it covers. Throws Uncountable. */
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
    typeof value === 'number' ? value : Math.ceil((numberOf(value) * count) / 100);
  const healthy =
    maxUnavailable === undefined ? part(minAvailable ?? 0) : Math.max(0, count - part(maxUnavailable));
  return { pods: count, healthy, areSomeUnmanaged };
}

/** How many pods those who manage some want in all. */
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

/** What is managed in turn, as a ReplicaSet by a Deployment, is as large as its manager says. */
function scaleOf(api: Api, namespace: string, manager: OwnerReference, pod: string) {
  const found = find(api, namespace, manager);
  if (!found) throw new Uncountable(`found no controllers for pod ${JSON.stringify(pod)}`);
  const above = controllerOf(found.object.metadata);
  const isOfDeployment = found.resource.prefix === 'replicasets' && above?.kind === 'Deployment';
  const top = (isOfDeployment && find(api, namespace, above)) || found;
  const view = top.resource.subresource('scale')?.view;
  if (!view) {
    const { group, resource } = top.resource.subject;
    const name = group === '' ? resource : `${resource}.${group}`;
    throw new Uncountable(`${name} does not implement the scale subresource`);
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
