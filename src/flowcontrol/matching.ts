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
  if (!rule.subjects?.some((subject) => isSubject(subject, user))) return false;
  return attributes.isResource
    ? (rule.resourceRules?.some((candidate) => isResourceOf(candidate, attributes)) ?? false)
    : (rule.nonResourceRules?.some((candidate) => isPathOf(candidate, attributes)) ?? false);
}

function isSubject({ kind, user, group, serviceAccount }: Subject, { name, groups }: User): boolean {
  if (kind === 'User') return user !== undefined && (user.name === '*' || user.name === name);
  if (kind === 'Group') return group !== undefined && (group.name === '*' || groups.includes(group.name));
  if (serviceAccount === undefined) return false;
  const inNamespace = `system:serviceaccount:${serviceAccount.namespace}:`;
  return serviceAccount.name === '*'
    ? name.startsWith(inNamespace)
    : name === inNamespace + serviceAccount.name;
}

function isResourceOf(rule: ResourcePolicyRule, attributes: MatchAttributes): boolean {
  const { resource, subresource, namespace } = attributes;
  const wanted = subresource === '' ? resource : `${resource}/${subresource}`;
  return (
    holds(rule.verbs, attributes.verb) &&
    holds(rule.apiGroups, attributes.group) &&
    holds(rule.resources, wanted) &&
    (namespace === '' ? (rule.clusterScope ?? false) : holds(rule.namespaces, namespace))
  );
}

function isPathOf(
  { verbs, nonResourceURLs }: NonResourcePolicyRule,
  { verb, path }: MatchAttributes,
): boolean {
  return holds(verbs, verb) && (nonResourceURLs?.some((url) => coversPath(url, path)) ?? false);
}

/** A path covers itself and everything below it; with a trailing `*` only the latter. */
function coversPath(url: string, path: string): boolean {
  if (url === '*' || url === path) return true;
  const above = url.endsWith('*') ? url.slice(0, -1) : url;
  return path.startsWith(above.endsWith('/') ? above : `${above}/`);
}

function holds(values: readonly string[] | undefined, value: string): boolean {
  return values !== undefined && (values.includes('*') || values.includes(value));
}
