import { badRequest, forbidden, notFound } from '../../errors/catalogue.ts';
import { quote } from '../../errors/quote.ts';
import { ApiError } from '../../errors/status.ts';
import type { ApiObject } from '../../kind/api-object.ts';
import type { GuardContext, WriteGuard } from '../../kind/hooks.ts';
import { isOnlyMutatingGCFields } from '../../kind/meta/gc-fields.ts';
import { mastersGroup } from '../../request/authenticator.ts';
import type { User } from '../../request/user.ts';
import { nameIsPathSegment } from '../../schema/names.ts';
import { requestOf } from '../authorization/review-attributes.ts';
import type { ClusterRole } from './clusterrole.ts';
import { compactRules, TooManyPermissions, uncoveredRules } from './policy-comparator.ts';
import type { RoleBinding } from './rolebinding.ts';
import type { ReadonlyPolicyRule } from './rule-evaluation.ts';

/** What all of everything is. */
const everything: readonly ReadonlyPolicyRule[] = [
  { verbs: ['*'], apiGroups: ['*'], resources: ['*'] },
  { verbs: ['*'], nonResourceURLs: ['*'] },
];

type AnyRole = Pick<ClusterRole, 'rules' | 'aggregationRule'> & ApiObject;
type AnyBinding = Pick<RoleBinding, 'roleRef'> & ApiObject;

/** Nobody gives away by a role what they do not have, unless they may `escalate`. */
export const roleGuard: WriteGuard<AnyRole> = {
  async before(context, role, old) {
    const { group, plural, name, schema } = context.target;
    const written = { group, resource: plural, name };
    if (isMaster(context.user) || (await may(context, 'escalate', written))) return;
    if (old && isOnlyMutatingGCFields(schema, role, old)) return;
    await refuseMore(context, role, role.rules ?? []);
    // It could gather anything later.
    if ((gathers(role) || (old && gathers(old))) && (await isLacking(context, everything))) {
      refuse(context, role, 'must have cluster-admin privileges to use the aggregationRule');
    }
  },
};

/** Nobody gives a role away who does not have all that it allows, unless they may `bind` it. */
export const bindingGuard: WriteGuard<AnyBinding> = {
  async before(context, binding, old) {
    if (isMaster(context.user)) return;
    if (old && isOnlyMutatingGCFields(context.target.schema, binding, old)) return;
    const { apiGroup: group, kind, name } = binding.roleRef;
    const resource = rolesCalled(kind);
    if (resource && (await may(context, 'bind', { group, resource, name }))) return;
    await refuseMore(context, binding, rulesOf(context, kind, name));
  },
};

const isMaster = ({ groups }: User) => groups.includes(mastersGroup);
const gathers = ({ aggregationRule }: AnyRole) => !!aggregationRule?.clusterRoleSelectors?.length;
const rolesCalled = (kind: string) =>
  kind === 'Role' ? 'roles' : kind === 'ClusterRole' ? 'clusterroles' : undefined;

interface NamedRole {
  readonly group: string;
  readonly resource: string;
  readonly name: string;
}

async function may({ authorizer, user, target }: GuardContext, verb: string, role: NamedRole) {
  const resourceAttributes = { ...role, verb, namespace: target.namespace };
  return (await authorizer.authorize(user, requestOf({ resourceAttributes }))).allowed;
}

/** The rules of the role that is bound. */
function rulesOf(
  { objects, target }: GuardContext,
  kind: string,
  name: string,
): readonly ReadonlyPolicyRule[] {
  const plural = rolesCalled(kind);
  if (!plural) throw new ApiError(500, '', `unsupported role reference kind: ${quote(kind)}`);
  if (plural === 'roles' && target.namespace === '') {
    throw badRequest('Namespace parameter required.');
  }
  if (name === '') throw badRequest('Name parameter required.');
  const [problem] = nameIsPathSegment(name, false);
  if (problem !== undefined) throw badRequest(`Name parameter invalid: ${quote(name)}: ${problem}`);
  const { group, namespace, subject } = target;
  const role = objects.get({ group, version: 'v1', plural, namespace, name }) as AnyRole | undefined;
  // The reference speaks of the resource that is asked for, whatever is not found.
  if (!role) throw notFound(subject, name);
  return role.rules ?? [];
}

async function heldBy({ authorizer, user, target }: GuardContext) {
  const {
    resourceRules,
    nonResourceRules,
    missingRoles = [],
  } = await authorizer.rulesFor(user, target.namespace);
  return { held: [...resourceRules, ...nonResourceRules] as ReadonlyPolicyRule[], missingRoles };
}

async function isLacking(context: GuardContext, wanted: readonly ReadonlyPolicyRule[]): Promise<boolean> {
  return missingFrom((await heldBy(context)).held, wanted)?.length !== 0;
}

/** Undefined where there is too much to compare. */
function missingFrom(
  held: readonly ReadonlyPolicyRule[],
  wanted: readonly ReadonlyPolicyRule[],
): ReadonlyPolicyRule[] | undefined {
  try {
    return uncoveredRules(held, wanted);
  } catch (error) {
    if (error instanceof TooManyPermissions) return undefined;
    throw error;
  }
}

async function refuseMore(
  context: GuardContext,
  object: ApiObject,
  wanted: readonly ReadonlyPolicyRule[],
): Promise<void> {
  const { held, missingRoles } = await heldBy(context);
  const missing = missingFrom(held, wanted);
  if (missing === undefined) {
    return refuse(context, object, 'its rules name more permissions than can be compared with yours');
  }
  if (missing.length === 0) return;
  const { name, groups } = context.user;
  const texts = [...new Set(compactRules(missing).map(shown))].sort();
  const said = `user ${quote(name)} (groups=${list(groups)}) is attempting to grant RBAC permissions not currently held:\n${texts.join('\n')}`;
  const subject = context.target.subject;
  const unknown = [...new Set(missingRoles.map((role) => notFound(subject, role.name).message))];
  const problems = unknown.length > 1 ? `[${unknown.join(', ')}]` : unknown[0];
  refuse(context, object, problems === undefined ? said : `${said}; resolution errors: [${problems}]`);
}

function refuse({ target }: GuardContext, { metadata }: ApiObject, why: string): void {
  throw forbidden(target.subject, metadata.name ?? '', why);
}

function shown({ apiGroups, resources, nonResourceURLs, resourceNames, verbs }: ReadonlyPolicyRule): string {
  const parts = { APIGroups: apiGroups, Resources: resources, NonResourceURLs: nonResourceURLs };
  const said = Object.entries({ ...parts, ResourceNames: resourceNames, Verbs: verbs })
    .filter(([, values]) => values?.length)
    .map(([name, values]) => `${name}:${list(values ?? [])}`);
  return `{${said.join(', ')}}`;
}

const list = (values: readonly string[]) => `[${values.map(quote).join(' ')}]`;
