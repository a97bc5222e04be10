// API Priority and Fairness: matching of requests against FlowSchema rules.
import type {
  FlowSchemaSpec,
  NonResourcePolicyRule,
  PolicyRulesWithSubjects,
  ResourcePolicyRule,
  Subject,
} from '../apis/flowcontrol/flowschema.ts';
import type { RequestInfo } from '../request/request-info.ts';
import type { User } from '../request/user.ts';

/** The request attributes that rules refer to. */
export type MatchAttributes = Pick<
  RequestInfo,
  'isResource' | 'verb' | 'group' | 'resource' | 'subresource' | 'namespace' | 'path'
>;

/** Whether a rule has the user as a subject and covers the request. */
export function matches(
  { rules }: Pick<FlowSchemaSpec, 'rules'>,
  user: User,
  attributes: MatchAttributes,
): boolean {
  return rules?.some((rule) => ruleMatches(rule, user, attributes)) ?? false;
}

function ruleMatches(rule: PolicyRulesWithSubjects, user: User, attributes: MatchAttributes): boolean {
  if (!rule.subjects?.some((subject) => subjectMatches(subject, user))) return false;
  return attributes.isResource
    ? (rule.resourceRules?.some((candidate) => resourceRuleMatches(candidate, attributes)) ?? false)
    : (rule.nonResourceRules?.some((candidate) => pathRuleMatches(candidate, attributes)) ?? false);
}

function subjectMatches({ kind, user, group, serviceAccount }: Subject, { name, groups }: User): boolean {
  if (kind === 'User') return user !== undefined && (user.name === '*' || user.name === name);
  if (kind === 'Group') return group !== undefined && (group.name === '*' || groups.includes(group.name));
  if (serviceAccount === undefined) return false;
  const accountPrefix = `system:serviceaccount:${serviceAccount.namespace}:`;
  return serviceAccount.name === '*'
    ? name.startsWith(accountPrefix)
    : name === accountPrefix + serviceAccount.name;
}

function resourceRuleMatches(rule: ResourcePolicyRule, attributes: MatchAttributes): boolean {
  const { resource, subresource, namespace } = attributes;
  const resourceName = subresource === '' ? resource : `${resource}/${subresource}`;
  return (
    listMatches(rule.verbs, attributes.verb) &&
    listMatches(rule.apiGroups, attributes.group) &&
    listMatches(rule.resources, resourceName) &&
    (namespace === '' ? (rule.clusterScope ?? false) : listMatches(rule.namespaces, namespace))
  );
}

function pathRuleMatches(
  { verbs, nonResourceURLs }: NonResourcePolicyRule,
  { verb, path }: MatchAttributes,
): boolean {
  return listMatches(verbs, verb) && (nonResourceURLs?.some((url) => pathMatches(url, path)) ?? false);
}

/** A path matches itself and its subpaths; with a trailing `*` only the subpaths. */
function pathMatches(url: string, path: string): boolean {
  if (url === '*' || url === path) return true;
  const prefix = url.endsWith('*') ? url.slice(0, -1) : url;
  return path.startsWith(prefix.endsWith('/') ? prefix : `${prefix}/`);
}

function listMatches(values: readonly string[] | undefined, value: string): boolean {
  return values !== undefined && (values.includes('*') || values.includes(value));
}
