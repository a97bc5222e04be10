// LimitRanger admission: sets the default requests and limits of a LimitRange on containers.
import type { Container } from '../../../apis/core/container.ts';
import type { LimitRangeItem } from '../../../apis/core/limitrange.ts';
import type { PodSpec } from '../../../apis/core/pod-spec.ts';
import type { ResourceList } from '../../../apis/core/resource-list.ts';
import { nullPrototypeObject } from '../../../codec/json/json-value.ts';

/** Returns a description of each value that was set. */
export function setDefaults(spec: PodSpec, items: readonly LimitRangeItem[]): string[] {
  const ofContainers = items.filter(({ type }) => type === 'Container');
  const limits = merged(ofContainers.map((item) => item.default));
  const requests = merged(ofContainers.map((item) => item.defaultRequest));
  const each = (containers: readonly Container[] = [], what: string) =>
    containers.flatMap((container) => [
      ...given(container, 'requests', requests, `request for ${what} ${container.name}`),
      ...given(container, 'limits', limits, `limit for ${what} ${container.name}`),
    ]);
  return [...each(spec.containers, 'container'), ...each(spec.initContainers, 'init container')];
}

function given(
  { resources }: Container,
  part: 'requests' | 'limits',
  defaults: ReadonlyMap<string, string>,
  what: string,
): string[] {
  const amounts = Object.assign(nullPrototypeObject<string>(), resources[part]);
  const missing = [...defaults.keys()].filter((name) => amounts[name] === undefined).sort();
  if (missing.length === 0) return [];
  for (const name of missing) amounts[name] = defaults.get(name)!;
  resources[part] = amounts;
  return [`${missing.join(', ')} ${what}`];
}

const merged = (lists: readonly (ResourceList | undefined)[]): ReadonlyMap<string, string> =>
  new Map(lists.flatMap((list) => Object.entries(list ?? {})));
