// LimitRanger admission: sets the default requests and limits of a LimitRange on containers.
import type { Container } from '../../../apis/core/container.ts';
import type { LimitRangeItem } from '../../../apis/core/limitrange.ts';
import type { PodSpec } from '../../../apis/core/pod-spec.ts';
import type { ResourceList } from '../../../apis/core/resource-list.ts';
import { nullPrototypeObject } from '../../../codec/json/json-value.ts';

/** Sets the missing requests and limits. Returns a description of each change for the annotation of the pod. */
export function setDefaults(spec: PodSpec, items: readonly LimitRangeItem[]): string[] {
  const containerItems = items.filter(({ type }) => type === 'Container');
  const limits = mergeResourceLists(containerItems.map((item) => item.default));
  const requests = mergeResourceLists(containerItems.map((item) => item.defaultRequest));
  const setAll = (containers: readonly Container[] = [], description: string) =>
    containers.flatMap((container) => [
      ...setMissing(container, 'requests', requests, `request for ${description} ${container.name}`),
      ...setMissing(container, 'limits', limits, `limit for ${description} ${container.name}`),
    ]);
  return [...setAll(spec.containers, 'container'), ...setAll(spec.initContainers, 'init container')];
}

/** Returns a description of the resources that were set; empty if none was missing. */
function setMissing(
  { resources }: Container,
  field: 'requests' | 'limits',
  defaults: ReadonlyMap<string, string>,
  description: string,
): string[] {
  const amounts = Object.assign(nullPrototypeObject<string>(), resources[field]);
  const missing = [...defaults.keys()].filter((name) => amounts[name] === undefined).sort();
  if (missing.length === 0) return [];
  for (const name of missing) amounts[name] = defaults.get(name)!;
  resources[field] = amounts;
  return [`${missing.join(', ')} ${description}`];
}

/** Of several defaults for a resource the last one counts. */
const mergeResourceLists = (lists: readonly (ResourceList | undefined)[]): ReadonlyMap<string, string> =>
  new Map(lists.flatMap((list) => Object.entries(list ?? {})));
