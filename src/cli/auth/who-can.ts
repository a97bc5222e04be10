// `orch auth who-can`: lists the subjects that RBAC allows an action.
import { type ReadonlyPolicyRule, ruleAllows } from '../../apis/rbac/rule-evaluation.ts';
import { isObject, type JsonObject, type JsonValue } from '../../codec/json/json-value.ts';
import type { Connection } from '../cluster/connection.ts';
import { findResource } from '../cluster/find-resource.ts';
import { itemsOf, textOf } from '../cluster/json-fields.ts';
import { listObjects } from '../cluster/list-objects.ts';
import type { AccessCheck } from './access-check.ts';

/** A subject that a binding grants the permission. */
export interface Grantee {
  /** `User alice`, `Group system:masters`, `ServiceAccount shop/web`. */
  readonly subject: string;
  readonly binding: string;
  readonly role: string;
}

/** Reads roles and bindings, and evaluates them as the RBAC authorizer does. */
export async function whoCan(connection: Connection, check: AccessCheck): Promise<Grantee[]> {
  const { group, version } = await findResource(connection, 'clusterrolebindings');
  const groupPath = `/apis/${group}/${version}`;
  const namespacePath = `${groupPath}/namespaces/${encodeURIComponent(check.namespace)}`;
  // Only ClusterRoleBindings and the RoleBindings of the namespace apply.
  const [clusterRoles, clusterBindings, roles, bindings] = await Promise.all([
    listObjects(connection, `${groupPath}/clusterroles`),
    listObjects(connection, `${groupPath}/clusterrolebindings`),
    check.namespace === '' ? [] : listObjects(connection, `${namespacePath}/roles`),
    check.namespace === '' ? [] : listObjects(connection, `${namespacePath}/rolebindings`),
  ]);
  const allowingRolesByKind = {
    ClusterRole: namesOfAllowingRoles(clusterRoles, check),
    Role: namesOfAllowingRoles(roles, check),
  };
  const grantees: Grantee[] = [];
  for (const binding of [...clusterBindings, ...bindings]) {
    const { kind, name } = roleRefOf(binding);
    if (!allowingRolesByKind[kind].has(name)) continue;
    const { namespace, name: bindingName } = metadataOf(binding);
    const bindingKind = namespace === '' ? 'ClusterRoleBinding' : 'RoleBinding';
    for (const subject of itemsOf(binding.subjects).filter(isObject)) {
      grantees.push({
        subject: formatSubject(subject),
        binding: `${bindingKind} ${bindingName}`,
        role: `${kind} ${name}`,
      });
    }
  }
  return grantees.sort((a, b) => compareText(a.subject, b.subject) || compareText(a.binding, b.binding));
}

/** The names of the roles that allow the request. */
function namesOfAllowingRoles(roles: readonly JsonObject[], check: AccessCheck): ReadonlySet<string> {
  return new Set(
    roles
      .filter(({ rules }) =>
        itemsOf(rules).some((rule) => isObject(rule) && ruleAllows(toPolicyRule(rule), check)),
      )
      .map((role) => metadataOf(role).name),
  );
}

function toPolicyRule({
  verbs,
  apiGroups,
  resources,
  resourceNames,
  nonResourceURLs,
}: JsonObject): ReadonlyPolicyRule {
  return {
    verbs: textsOf(verbs),
    apiGroups: textsOf(apiGroups),
    resources: textsOf(resources),
    resourceNames: textsOf(resourceNames),
    nonResourceURLs: textsOf(nonResourceURLs),
  };
}

function roleRefOf({ roleRef }: JsonObject): { kind: 'ClusterRole' | 'Role'; name: string } {
  const reference = isObject(roleRef) ? roleRef : {};
  return {
    kind: reference.kind === 'Role' ? 'Role' : 'ClusterRole',
    name: textOf(reference.name),
  };
}

function metadataOf({ metadata }: JsonObject): { name: string; namespace: string } {
  const meta = isObject(metadata) ? metadata : {};
  return { name: textOf(meta.name), namespace: textOf(meta.namespace) };
}

function formatSubject({ kind, name, namespace }: JsonObject): string {
  const prefix = kind === 'ServiceAccount' ? `${textOf(namespace)}/` : '';
  return `${textOf(kind)} ${prefix}${textOf(name)}`;
}

const textsOf = (list: JsonValue | undefined) => itemsOf(list).map(textOf);
function compareText(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
