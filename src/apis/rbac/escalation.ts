import { badRequest, forbidden, notFound } from '../../errors/catalogue.ts';
import { quote } from '../../errors/quote.ts';
import { ApiError } from '../../errors/status.ts';
import type { ApiObject } from '../../kind/definition.ts';
import { changesOwnersAlone } from '../../kind/meta/owners-alone.ts';
import { decodeLazily } from '../../kind/storage/codec.ts';
import type { Guard, Writer } from '../../registry/write/guard.ts';
import { mastersGroup } from '../../request/authenticator.ts';
import type { User } from '../../request/user.ts';
import { nameIsPathSegment } from '../../schema/names.ts';
import { requestOf } from '../authorization/access-review.ts';
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
export const roleGuard: Guard<AnyRole> = {
  async before(writer, role, old) {
    const { target } = writer;
    const { group, definition } = target.resource;
    const written = { group, resource: definition.plural, name: target.name };
    if (isMaster(writer.user) || (await may(writer, 'escalate', written))) return;
    if (old && changesOwnersAlone(definition.schema, role, old)) return;
    await refuseMore(writer, role, role.rules ?? []);
    // It could gather anything later.
    if ((gathers(role) || (old && gathers(old))) && (await isLacking(writer, everything))) {
      refuse(writer, role, 'must have cluster-admin privileges to use the aggregationRule');
    }
  },
};

/** Nobody gives a role away who does not have all that it allows, unless they may `bind` it. */
export const bindingGuard: Guard<AnyBinding> = {
  async before(writer, binding, old) {
    if (isMaster(writer.user)) return;
    if (old && changesOwnersAlone(writer.target.resource.definition.schema, binding, old)) return;
    const { apiGroup: group, kind, name } = binding.roleRef;
    const resource = rolesCalled(kind);
    if (resource && (await may(writer, 'bind', { group, resource, name }))) return;
    await refuseMore(writer, binding, rulesOf(writer, kind, name));
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

async function may({ api, user, target }: Writer, verb: string, role: NamedRole) {
  const resourceAttributes = { ...role, verb, namespace: target.namespace };
  return (await api.authorizer.authorize(user, requestOf({ resourceAttributes }))).allowed;
}

/** The rules of the role that is bound. */
function rulesOf({ api, target }: Writer, kind: string, name: string): readonly ReadonlyPolicyRule[] {
  const plural = rolesCalled(kind);
  if (!plural) throw new ApiError(500, '', `unsupported role reference kind: ${quote(kind)}`);
  const resource = api.registry.kind(target.resource.group, 'v1', plural);
  if (resource.definition.namespaced && target.namespace === '') {
    throw badRequest('Namespace parameter required.');
  }
  if (name === '') throw badRequest('Name parameter required.');
  const [problem] = nameIsPathSegment(name, false);
  if (problem !== undefined) throw badRequest(`Name parameter invalid: ${quote(name)}: ${problem}`);
  const stored = api.store.get(resource.key(target.namespace, name));
  // The reference speaks of the resource that is asked for, whatever is not found.
  if (!stored) throw notFound(target.resource.subject, name);
  return (decodeLazily(resource, stored) as AnyRole).rules ?? [];
}

async function heldBy({ api, user, target }: Writer) {
  const {
    resourceRules,
    nonResourceRules,
    missingRoles = [],
  } = await api.authorizer.rulesOf(user, target.namespace);
  return { held: [...resourceRules, ...nonResourceRules] as ReadonlyPolicyRule[], missingRoles };
}

async function isLacking(writer: Writer, wanted: readonly ReadonlyPolicyRule[]): Promise<boolean> {
  return missingFrom((await heldBy(writer)).held, wanted)?.length !== 0;
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
  writer: Writer,
  object: ApiObject,
  wanted: readonly ReadonlyPolicyRule[],
): Promise<void> {
  const { held, missingRoles } = await heldBy(writer);
  const missing = missingFrom(held, wanted);
  if (missing === undefined) {
    return refuse(writer, object, 'its rules name more permissions than can be compared with yours');
  }
  if (missing.length === 0) return;
  const { name, groups } = writer.user;
  const texts = [...new Set(compactRules(missing).map(shown))].sort();
  const said = `user ${quote(name)} (groups=${list(groups)}) is attempting to grant RBAC permissions not currently held:\n${texts.join('\n')}`;
  const subject = writer.target.resource.subject;
  const unknown = [...new Set(missingRoles.map((role) => notFound(subject, role.name).message))];
  const problems = unknown.length > 1 ? `[${unknown.join(', ')}]` : unknown[0];
  refuse(writer, object, problems === undefined ? said : `${said}; resolution errors: [${problems}]`);
}

function refuse({ target }: Writer, { metadata }: ApiObject, why: string): void {
  throw forbidden(target.resource.subject, metadata.name ?? '', why);
}

function shown({ apiGroups, resources, nonResourceURLs, resourceNames, verbs }: ReadonlyPolicyRule): string {
  const parts = { APIGroups: apiGroups, Resources: resources, NonResourceURLs: nonResourceURLs };
  const said = Object.entries({ ...parts, ResourceNames: resourceNames, Verbs: verbs })
    .filter(([, values]) => values?.length)
    .map(([name, values]) => `${name}:${list(values ?? [])}`);
  return `{${said.join(', ')}}`;
}

const list = (values: readonly string[]) => `[${values.map(quote).join(' ')}]`;
