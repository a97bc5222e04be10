// `orch auth`: parses the verb and the resource or path to check.
import type { RequestAttributes } from '../../apis/rbac/rule-evaluation.ts';
import type { Connection } from '../cluster/connection.ts';
import { findResource, ResourceNotFound } from '../cluster/find-resource.ts';
import type { AuthArgs } from './settings.ts';

/** The resource attributes or non-resource attributes of an access review. */
export interface AccessCheck extends RequestAttributes {
  /** Empty for cluster-scoped resources. */
  readonly namespace: string;
  /** The server has no such resource; RBAC rules may name it nevertheless. */
  readonly isUnknown: boolean;
}

/** Resolves names of resources with the discovery of the server. */
export async function resolveAccessCheck(
  connection: Connection,
  { settings, verb, target }: AuthArgs,
  contextNamespace: string,
): Promise<AccessCheck> {
  if (target.startsWith('/')) {
    const noResource = { group: '', resource: '', subresource: '', name: '', namespace: '' };
    return { ...noResource, verb, isResource: false, path: target, isUnknown: false };
  }
  const slash = target.indexOf('/');
  const resourceName = slash < 0 ? target : target.slice(0, slash);
  const resourceAttributes = {
    verb,
    isResource: true,
    path: '',
    subresource: settings.subresource ?? '',
    name: slash < 0 ? '' : target.slice(slash + 1),
  };
  const clusterResource = await findResource(connection, resourceName).catch((error) => {
    if (error instanceof ResourceNotFound) return undefined;
    throw error;
  });
  if (!clusterResource) {
    // RBAC rules also name resources that no server serves: `signers`, `users`, `*`.
    const [resource = '', ...group] = resourceName.split('.');
    const namespace = settings.namespace ?? '';
    return {
      ...resourceAttributes,
      resource,
      group: group.join('.'),
      namespace,
      isUnknown: resource !== '*',
    };
  }
  const { group, plural, namespaced } = clusterResource;
  const namespace = namespaced ? (settings.namespace ?? contextNamespace) : '';
  return { ...resourceAttributes, group, resource: plural, namespace, isUnknown: false };
}

/** As in the server's Forbidden errors: `get pods/log "web" in the namespace "shop"`. */
export function describeAccessCheck({
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
  const resourcePath = subresource === '' ? resource : `${resource}/${subresource}`;
  const qualified = group === '' ? resourcePath : `${resourcePath} of ${group}`;
  const scope = namespace === '' ? 'at the cluster scope' : `in the namespace ${JSON.stringify(namespace)}`;
  return `${verb} ${qualified}${name === '' ? '' : ` ${JSON.stringify(name)}`} ${scope}`;
}
