// LimitRanger admission: the messages about violated minimum, maximum and ratio constraints of a LimitRange.
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
    ...sortedByName(min).flatMap(([name, minimum]) => {
      const rule = `minimum ${name} usage per ${type} is ${minimum.text}`;
      return minimumViolation(rule, minimum, requests.get(name), limits.get(name)) ?? [];
    }),
    ...sortedByName(max).flatMap(([name, maximum]) => {
      const rule = `maximum ${name} usage per ${type} is ${maximum.text}`;
      return maximumViolation(rule, maximum, requests.get(name), limits.get(name)) ?? [];
    }),
    ...sortedByName(maxLimitRequestRatio).flatMap(([name, maximum]) => {
      const rule = `${name} max limit to request ratio per ${type} is ${maximum.text}`;
      return ratioViolation(rule, maximum, requests.get(name), limits.get(name)) ?? [];
    }),
  ];
}

// The functions below return the message for a violated rule; undefined if the rule is met.

function minimumViolation(
  rule: string,
  minimum: Quantity,
  request: Quantity | undefined,
  limit: Quantity | undefined,
): string | undefined {
  if (!request) return `${rule}.  No request is specified`;
  if (isLess(request, minimum)) return `${rule}, but request is ${request.text}`;
  if (limit && isLess(limit, minimum)) return `${rule}, but limit is ${limit.text}`;
  return undefined;
}

function maximumViolation(
  rule: string,
  maximum: Quantity,
  request: Quantity | undefined,
  limit: Quantity | undefined,
): string | undefined {
  if (!limit) return `${rule}.  No limit is specified`;
  if (isLess(maximum, limit)) return `${rule}, but limit is ${limit.text}`;
  if (request && isLess(maximum, request)) return `${rule}, but request is ${request.text}`;
  return undefined;
}

function ratioViolation(
  rule: string,
  maximum: Quantity,
  request: Quantity | undefined,
  limit: Quantity | undefined,
): string | undefined {
  if (!request?.amount) return `${rule}, but no request is specified or request is 0`;
  if (!limit?.amount) return `${rule}, but no limit is specified or limit is 0`;
  const ratio = quantityToNumber(limit) / quantityToNumber(request);
  if (ratio > quantityToNumber(maximum)) return `${rule}, but provided ratio is ${ratio.toFixed(6)}`;
  return undefined;
}

/** The violations of the limits of type PersistentVolumeClaim. */
export function violationsOfClaim(
  { spec }: PersistentVolumeClaim,
  items: readonly LimitRangeItem[],
): string[] {
  const requests = parseResourceList(spec.resources.requests);
  const violation = (rule: string, name: string, isViolatedBy: (request: Quantity) => boolean) => {
    const request = requests.get(name);
    if (!request) return [`${rule}.  No request is specified`];
    return isViolatedBy(request) ? [`${rule}, but request is ${request.text}`] : [];
  };
  return items
    .filter(({ type }) => type === 'PersistentVolumeClaim')
    .flatMap(({ min, max }) => [
      ...sortedByName(min).flatMap(([name, minimum]) => {
        const rule = `minimum ${name} usage per PersistentVolumeClaim is ${minimum.text}`;
        return violation(rule, name, (request) => isLess(request, minimum));
      }),
      ...sortedByName(max).flatMap(([name, maximum]) => {
        const rule = `maximum ${name} usage per PersistentVolumeClaim is ${maximum.text}`;
        return violation(rule, name, (request) => isLess(maximum, request));
      }),
    ]);
}

const isLess = (a: Quantity, b: Quantity) => compareQuantities(a, b) < 0;

const sortedByName = (list: ResourceList = {}) =>
  [...parseResourceList(list)].sort(([a], [b]) => (a < b ? -1 : 1));
