// `orch auth`: parses the verb and the resource or path to check.
import type { RequestAttributes } from '../../apis/rbac/rule-evaluation.ts';
import type { Connection } from '../cluster/connection.ts';
import { findResource, NoSuchKind } from '../cluster/find-resource.ts';
import type { AuthArgs } from './settings.ts';

/** The resource attributes or non-resource attributes of an access review. */
export interface AccessCheck extends RequestAttributes {
  /** Empty for cluster-scoped resources. */
  readonly namespace: string;
  /** The server has no such resource; RBAC rules may name it nevertheless. */
  readonly isUnknown: boolean;
}

/** Resolves names of resources with the discovery of the server. */
export async function readQuestion(
  connection: Connection,
  { settings, verb, what }: AuthArgs,
  namespaceOfContext: string,
): Promise<AccessCheck> {
  if (what.startsWith('/')) {
    const none = { group: '', resource: '', subresource: '', name: '', namespace: '' };
    return { ...none, verb, isResource: false, path: what, isUnknown: false };
  }
  const slash = what.indexOf('/');
  const word = slash < 0 ? what : what.slice(0, slash);
  const asked = {
    verb,
    isResource: true,
    path: '',
    subresource: settings.subresource ?? '',
    name: slash < 0 ? '' : what.slice(slash + 1),
  };
  const found = await findResource(connection, word).catch((error) => {
    if (error instanceof NoSuchKind) return undefined;
    throw error;
  });
  if (!found) {
    // RBAC rules also name resources that no server serves: `signers`, `users`, `*`.
    const [resource = '', ...group] = word.split('.');
    const namespace = settings.namespace ?? '';
    return { ...asked, resource, group: group.join('.'), namespace, isUnknown: resource !== '*' };
  }
  const { group, plural, namespaced } = found;
  const namespace = namespaced ? (settings.namespace ?? namespaceOfContext) : '';
  return { ...asked, group, resource: plural, namespace, isUnknown: false };
}

/** As in the server's Forbidden errors: `get pods/log "web" in the namespace "shop"`. */
export function spoken({
  verb,
  isResource,
  path,
  resource,
  subresource,
  group,
  name,
  namespace,
}: AccessCheck) {
  if (!isResource) return `${verb} ${path}`;
  const whole = subresource === '' ? resource : `${resource}/${subresource}`;
  const full = group === '' ? whole : `${whole} of ${group}`;
  const where = namespace === '' ? 'at the cluster scope' : `in the namespace ${JSON.stringify(namespace)}`;
  return `${verb} ${full}${name === '' ? '' : ` ${JSON.stringify(name)}`} ${where}`;
}
