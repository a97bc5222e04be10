import type { RequestInfo } from '../../request/request-info.ts';

/** Something that may be done, as roles say it. What is left out is empty. */
export interface Rule {
  readonly verbs?: readonly string[];
  readonly apiGroups?: readonly string[];
  readonly resources?: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly nonResourceURLs?: readonly string[];
}

/** What of a request a rule looks at. */
export type Asked = Pick<
  RequestInfo,
  'verb' | 'isResource' | 'group' | 'resource' | 'subresource' | 'name' | 'path'
>;

/** Whether one rule alone allows a request. */
export function allows(rule: Rule, asked: Asked): boolean {
  if (!hasOrAll(rule.verbs, asked.verb)) return false;
  if (!asked.isResource) return (rule.nonResourceURLs ?? []).some((url) => pathMatches(url, asked.path));
  return (
    hasOrAll(rule.apiGroups, asked.group) &&
    resourceMatches(rule.resources ?? [], asked.resource, asked.subresource) &&
    (!rule.resourceNames?.length || rule.resourceNames.includes(asked.name))
  );
}

/** How a rule names a resource, or a part of one: `pods`, `pods/log`. */
export function wholeName(resource: string, subresource: string): string {
  return subresource === '' ? resource : `${resource}/${subresource}`;
}

/** A `*` at the end of a path stands for everything that goes on like it. */
export function pathMatches(pattern: string, path: string): boolean {
  if (pattern === path || pattern === '*') return true;
  return pattern.endsWith('*') && path.startsWith(withoutStars(pattern));
}

function withoutStars(pattern: string): string {
  let end = pattern.length;
  while (pattern[end - 1] === '*') end--;
  return pattern.slice(0, end);
}

/** Whether these are all there are, or have this among them. */
export function hasOrAll(values: readonly string[] = [], wanted: string): boolean {
  return values.includes('*') || values.includes(wanted);
}

// `*` is everything with all its parts, `*/scale` that part of whatever has one; `pods/*` means nothing.
function resourceMatches(resources: readonly string[], resource: string, subresource: string): boolean {
  return (
    hasOrAll(resources, wholeName(resource, subresource)) ||
    (subresource !== '' && resources.includes(`*/${subresource}`))
  );
}
