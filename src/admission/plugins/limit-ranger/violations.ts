// LimitRanger admission: the minimum, maximum and ratio constraints of a LimitRange.
import type { LimitRangeItem } from '../../../apis/core/limitrange.ts';
import type { PersistentVolumeClaim } from '../../../apis/core/persistentvolumeclaim.ts';
import { aggregatePodResources, parseResourceList } from '../../../apis/core/pod-resources.ts';
import type { PodSpec } from '../../../apis/core/pod-spec.ts';
import type { ResourceList } from '../../../apis/core/resource-list.ts';
import { compareQuantities, type Quantity, quantityToNumber } from '../../../schema/quantity.ts';

type Amounts = ReadonlyMap<string, Quantity>;

/** Requests and limits of a pod, a container or a claim. */
interface Usage {
  readonly requests: Amounts;
  readonly limits: Amounts;
}

/** The violations of the limits of type Pod and Container. */
export function violationsOfPod(spec: PodSpec, items: readonly LimitRangeItem[]): string[] {
  return items.flatMap((item) => {
    if (item.type === 'Pod') {
      return violations(item, {
        requests: aggregatePodResources(spec, 'requests'),
        limits: aggregatePodResources(spec, 'limits'),
      });
    }
    if (item.type !== 'Container') return [];
    return [...(spec.containers ?? []), ...(spec.initContainers ?? [])].flatMap(({ resources }) =>
      violations(item, {
        requests: parseResourceList(resources.requests),
        limits: parseResourceList(resources.limits),
      }),
    );
  });
}

function violations(item: LimitRangeItem, { requests, limits }: Usage): string[] {
  const { type, min, max, maxLimitRequestRatio } = item;
  return [
    ...sorted(min).flatMap(([name, minimum]) => {
      const bound = `minimum ${name} usage per ${type} is ${minimum.text}`;
      const request = requests.get(name);
      const limit = limits.get(name);
      if (!request) return [`${bound}.  No request is specified`];
      if (isLess(request, minimum)) return [`${bound}, but request is ${request.text}`];
      return limit && isLess(limit, minimum) ? [`${bound}, but limit is ${limit.text}`] : [];
    }),
    ...sorted(max).flatMap(([name, maximum]) => {
      const bound = `maximum ${name} usage per ${type} is ${maximum.text}`;
      const request = requests.get(name);
      const limit = limits.get(name);
      if (!limit) return [`${bound}.  No limit is specified`];
      if (isLess(maximum, limit)) return [`${bound}, but limit is ${limit.text}`];
      return request && isLess(maximum, request) ? [`${bound}, but request is ${request.text}`] : [];
    }),
    ...sorted(maxLimitRequestRatio).flatMap(([name, maximum]) => {
      const bound = `${name} max limit to request ratio per ${type} is ${maximum.text}`;
      const request = requests.get(name);
      const limit = limits.get(name);
      if (!request?.amount) return [`${bound}, but no request is specified or request is 0`];
      if (!limit?.amount) return [`${bound}, but no limit is specified or limit is 0`];
      const ratio = quantityToNumber(limit) / quantityToNumber(request);
      return ratio > quantityToNumber(maximum) ? [`${bound}, but provided ratio is ${ratio.toFixed(6)}`] : [];
    }),
  ];
}

/** The violations of the limits of type PersistentVolumeClaim. */
export function violationsOfClaim(
  { spec }: PersistentVolumeClaim,
  items: readonly LimitRangeItem[],
): string[] {
  const requests = parseResourceList(spec.resources.requests);
  const check = (
    bound: string,
    [name, amount]: [string, Quantity],
    breaks: (request: Quantity) => boolean,
  ) => {
    const request = requests.get(name);
    const rule = `${bound} ${name} usage per PersistentVolumeClaim is ${amount.text}`;
    if (!request) return [`${rule}.  No request is specified`];
    return breaks(request) ? [`${rule}, but request is ${request.text}`] : [];
  };
  return items
    .filter(({ type }) => type === 'PersistentVolumeClaim')
    .flatMap(({ min, max }) => [
      ...sorted(min).flatMap((minimum) =>
        check('minimum', minimum, (request) => isLess(request, minimum[1])),
      ),
      ...sorted(max).flatMap((maximum) =>
        check('maximum', maximum, (request) => isLess(maximum[1], request)),
      ),
    ]);
}

const isLess = (a: Quantity, b: Quantity) => compareQuantities(a, b) < 0;

const sorted = (list: ResourceList = {}) => [...parseResourceList(list)].sort(([a], [b]) => (a < b ? -1 : 1));
