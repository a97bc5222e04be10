// RBAC: decides whether a policy rule allows a request (upstream: rbac.RuleAllows).
import type { RequestInfo } from '../../request/request-info.ts';

/** A PolicyRule of a Role or ClusterRole. An absent list is empty. */
export interface ReadonlyPolicyRule {
  readonly verbs?: readonly string[];
  readonly apiGroups?: readonly string[];
  readonly resources?: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly nonResourceURLs?: readonly string[];
}

/** The request attributes that rules match. */
export type RequestAttributes = Pick<
  RequestInfo,
  'verb' | 'isResource' | 'group' | 'resource' | 'subresource' | 'name' | 'path'
>;

/** Whether one rule allows the request. */
export function ruleAllows(rule: ReadonlyPolicyRule, attributes: RequestAttributes): boolean {
  if (!includesOrWildcard(rule.verbs, attributes.verb)) return false;
  if (!attributes.isResource)
    return (rule.nonResourceURLs ?? []).some((url) => nonResourceURLMatches(url, attributes.path));
  return (
    includesOrWildcard(rule.apiGroups, attributes.group) &&
    resourceMatches(rule.resources ?? [], attributes.resource, attributes.subresource) &&
    (!rule.resourceNames?.length || rule.resourceNames.includes(attributes.name))
  );
}

/** The resource as rules name it: `pods`, or with its subresource `pods/log`. */
export function combinedResource(resource: string, subresource: string): string {
  return subresource === '' ? resource : `${resource}/${subresource}`;
}

/** A trailing `*` matches every path with this prefix. */
export function nonResourceURLMatches(pattern: string, path: string): boolean {
  if (pattern === path || pattern === '*') return true;
  return pattern.endsWith('*') && path.startsWith(trimWildcards(pattern));
}

function trimWildcards(pattern: string): string {
  let end = pattern.length;
  while (pattern[end - 1] === '*') end--;
  return pattern.slice(0, end);
}

export function includesOrWildcard(values: readonly string[] = [], expected: string): boolean {
  return values.includes('*') || values.includes(expected);
}

// `*` matches every resource and subresource, `*/scale` the subresource scale of every resource. `pods/*` matches
// nothing.
function resourceMatches(resources: readonly string[], resource: string, subresource: string): boolean {
  return (
    includesOrWildcard(resources, combinedResource(resource, subresource)) ||
    (subresource !== '' && resources.includes(`*/${subresource}`))
  );
}
