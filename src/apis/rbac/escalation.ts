// RBAC: privilege escalation check for writes of roles and bindings (upstream: policybased storage). Both guards run
// after mutating admission and before the object is prepared and validated.

import { badRequest, forbidden, notFound } from '../../errors/catalogue.ts';
import { quote } from '../../errors/quote.ts';
import { ApiError } from '../../errors/status.ts';
import type { ApiObject } from '../../kind/api-object.ts';
import type { GuardContext, WriteGuard } from '../../kind/hooks.ts';
import { isOnlyMutatingGCFields } from '../../kind/meta/gc-fields.ts';
import { mastersGroup } from '../../request/authenticator.ts';
import type { User } from '../../request/user.ts';
import { nameIsPathSegment } from '../../schema/names.ts';
import { toRequestInfo } from '../authorization/review-attributes.ts';
import type { ClusterRole } from './clusterrole.ts';
import { compactRules, TooManyPermissions, uncoveredRules } from './policy-comparator.ts';
import type { RoleBinding } from './rolebinding.ts';
import type { ReadonlyPolicyRule } from './rule-evaluation.ts';

/** The rules of cluster-admin. */
const clusterAdminRules: readonly ReadonlyPolicyRule[] = [
  { verbs: ['*'], apiGroups: ['*'], resources: ['*'] },
  { verbs: ['*'], nonResourceURLs: ['*'] },
];

type AnyRole = Pick<ClusterRole, 'rules' | 'aggregationRule'> & ApiObject;
type AnyBinding = Pick<RoleBinding, 'roleRef'> & ApiObject;

/** A role may only contain permissions that the caller holds, unless the caller is authorized to `escalate` it. */
export const roleEscalationGuard: WriteGuard<AnyRole> = {
  async beforePrepare(context, role, old) {
    const { group, plural, name, schema } = context.target;
    const writtenRole = { group, resource: plural, name };
    if (isSystemMaster(context.user) || (await isAuthorized(context, 'escalate', writtenRole))) return;
    if (old && isOnlyMutatingGCFields(schema, role, old)) return;
    await confirmNoEscalation(context, role, role.rules ?? []);
    // Aggregation can add any rule later.
    const isAggregated = hasAggregationRule(role) || (old && hasAggregationRule(old));
    if (isAggregated && (await lacksAnyRule(context, clusterAdminRules))) {
      rejectWrite(context, role, 'must have cluster-admin privileges to use the aggregationRule');
    }
  },
};

/**
 * A binding may only refer to a role whose permissions the caller holds, unless the caller is authorized to `bind`
 * it.
 */
export const bindingEscalationGuard: WriteGuard<AnyBinding> = {
  async beforePrepare(context, binding, old) {
    if (isSystemMaster(context.user)) return;
    if (old && isOnlyMutatingGCFields(context.target.schema, binding, old)) return;
    const { apiGroup: group, kind, name } = binding.roleRef;
    const resource = roleResource(kind);
    if (resource && (await isAuthorized(context, 'bind', { group, resource, name }))) return;
    await confirmNoEscalation(context, binding, getRoleReferenceRules(context, kind, name));
  },
};

const isSystemMaster = ({ groups }: User) => groups.includes(mastersGroup);
const hasAggregationRule = ({ aggregationRule }: AnyRole) => !!aggregationRule?.clusterRoleSelectors?.length;

/** The resource of the kind in a roleRef; undefined for an unknown kind. */
function roleResource(kind: string): 'roles' | 'clusterroles' | undefined {
  if (kind === 'Role') return 'roles';
  return kind === 'ClusterRole' ? 'clusterroles' : undefined;
}

interface NamedRole {
  readonly group: string;
  readonly resource: string;
  readonly name: string;
}

async function isAuthorized({ authorizer, user, target }: GuardContext, verb: string, role: NamedRole) {
  const resourceAttributes = { ...role, verb, namespace: target.namespace };
  return (await authorizer.authorize(user, toRequestInfo({ resourceAttributes }))).allowed;
}

/** Returns the rules of the role that roleRef names. */
function getRoleReferenceRules(
  { objects, target }: GuardContext,
  kind: string,
  name: string,
): readonly ReadonlyPolicyRule[] {
  const plural = roleResource(kind);
  if (!plural) throw new ApiError(500, '', `unsupported role reference kind: ${quote(kind)}`);
  if (plural === 'roles' && target.namespace === '') {
    throw badRequest('Namespace parameter required.');
  }
  if (name === '') throw badRequest('Name parameter required.');
  const [problem] = nameIsPathSegment(name);
  if (problem !== undefined) throw badRequest(`Name parameter invalid: ${quote(name)}: ${problem}`);
  const { group, namespace, subject } = target;
  const role = objects.get({ group, version: 'v1', plural, namespace, name }) as AnyRole | undefined;
  // As in kube-apiserver, the error names the resource of the request rather than that of the role.
  if (!role) throw notFound(subject, name);
  return role.rules ?? [];
}

/** The caller's rules in the target namespace, and roles that bindings of the caller name but that do not exist. */
async function getHeldRules({ authorizer, user, target }: GuardContext) {
  const {
    resourceRules,
    nonResourceRules,
    missingRoles = [],
  } = await authorizer.rulesFor(user, target.namespace);
  return { heldRules: [...resourceRules, ...nonResourceRules] as ReadonlyPolicyRule[], missingRoles };
}

/** Whether the caller lacks a rule. True also if there are too many permissions to compare. */
async function lacksAnyRule(
  context: GuardContext,
  requested: readonly ReadonlyPolicyRule[],
): Promise<boolean> {
  const { heldRules } = await getHeldRules(context);
  return tryFindUncoveredRules(heldRules, requested)?.length !== 0;
}

/** Returns the requested rules that `held` does not cover; undefined if there are too many permissions to compare. */
function tryFindUncoveredRules(
  held: readonly ReadonlyPolicyRule[],
  requested: readonly ReadonlyPolicyRule[],
): ReadonlyPolicyRule[] | undefined {
  try {
    return uncoveredRules(held, requested);
  } catch (error) {
    if (error instanceof TooManyPermissions) return undefined;
    throw error;
  }
}

/** Throws Forbidden if the caller does not hold all requested rules. */
async function confirmNoEscalation(
  context: GuardContext,
  object: ApiObject,
  requested: readonly ReadonlyPolicyRule[],
): Promise<void> {
  const { heldRules, missingRoles } = await getHeldRules(context);
  const uncovered = tryFindUncoveredRules(heldRules, requested);
  if (uncovered === undefined) {
    rejectWrite(context, object, 'its rules name more permissions than can be compared with yours');
  }
  if (uncovered.length === 0) return;
  const { name, groups } = context.user;
  const ruleTexts = [...new Set(compactRules(uncovered).map(formatRule))].sort();
  const message = `user ${quote(name)} (groups=${formatList(groups)}) is attempting to grant RBAC permissions not currently held:\n${ruleTexts.join('\n')}`;
  const subject = context.target.subject;
  const resolutionErrors = [...new Set(missingRoles.map((role) => notFound(subject, role.name).message))];
  // One error is printed as it is, several as a list.
  const errorText = resolutionErrors.length > 1 ? `[${resolutionErrors.join(', ')}]` : resolutionErrors[0];
  rejectWrite(
    context,
    object,
    errorText === undefined ? message : `${message}; resolution errors: [${errorText}]`,
  );
}

function rejectWrite({ target }: GuardContext, { metadata }: ApiObject, detail: string): never {
  throw forbidden(target.subject, metadata.name ?? '', detail);
}

/** `{APIGroups:[""], Resources:["pods"], Verbs:["get" "list"]}`, as upstream's CompactString. */
function formatRule({
  apiGroups,
  resources,
  nonResourceURLs,
  resourceNames,
  verbs,
}: ReadonlyPolicyRule): string {
  const targetFields = { APIGroups: apiGroups, Resources: resources, NonResourceURLs: nonResourceURLs };
  const fields = Object.entries({ ...targetFields, ResourceNames: resourceNames, Verbs: verbs })
    .filter(([, values]) => values?.length)
    .map(([name, values]) => `${name}:${formatList(values ?? [])}`);
  return `{${fields.join(', ')}}`;
}

const formatList = (values: readonly string[]) => `[${values.map(quote).join(' ')}]`;
