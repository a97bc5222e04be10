// Reads one object by type and name, as `kubectl get` does.
import type { JsonObject } from '../../codec/json/json-value.ts';
import { CommandError } from '../command.ts';
import type { Connection } from './connection.ts';
import { type ClusterResource, findResource } from './find-resource.ts';
import { responseError } from './response-error.ts';

/** The namespace is ignored for cluster-scoped kinds. */
export async function readObject(
  connection: Connection,
  kind: string,
  name: string,
  namespace: string,
): Promise<JsonObject> {
  const resource = await findResource(connection, kind);
  const path = pathOf(resource, name, namespace);
  const response = await connection.get(path);
  if (response.code === 200 && response.body) return response.body;
  if (response.code === 404 && response.body?.kind === 'Status') {
    const hint = resource.namespaced ? ` in namespace ${namespace} (choose another with -n)` : '';
    throw new CommandError(`${resource.kind} ${JSON.stringify(name)} not found${hint}`);
  }
  throw responseError(path, response);
}

function pathOf(resource: ClusterResource, name: string, namespace: string): string {
  const { group, version, plural, namespaced } = resource;
  const parts = [
    ...(group === '' ? ['api'] : ['apis', group]),
    version,
    ...(namespaced ? ['namespaces', namespace] : []),
    plural,
    name,
  ];
  return `/${parts.map(encodeURIComponent).join('/')}`;
}
