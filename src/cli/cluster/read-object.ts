// Reads one object by type and name, as `kubectl get` does.
import type { JsonObject } from '../../codec/json/json-value.ts';
import { CommandError } from '../command.ts';
import type { Connection } from './connection.ts';
import { type ClusterResource, findResource } from './find-resource.ts';
import { refusal } from './refusal.ts';

/** The namespace is ignored for cluster-scoped kinds. */
export async function readObject(
  connection: Connection,
  kind: string,
  name: string,
  namespace: string,
): Promise<JsonObject> {
  const resource = await findResource(connection, kind);
  const path = pathOf(resource, name, namespace);
  const answer = await connection.get(path);
  if (answer.code === 200 && answer.body) return answer.body;
  if (answer.code === 404 && answer.body?.kind === 'Status') {
    const where = resource.namespaced ? ` in namespace ${namespace} (choose another with -n)` : '';
    throw new CommandError(`${resource.kind} ${JSON.stringify(name)} not found${where}`);
  }
  throw refusal(path, answer);
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
