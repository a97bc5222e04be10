/** The resources in the discovery of a server, and a valid object of each. */
import assert from 'node:assert/strict';
import type { TestClient } from './client.ts';
import { type MinimalObject, minimalObjects } from './minimal-objects.ts';

export interface ServedResource {
  readonly apiVersion: string;
  readonly name: string;
  readonly kind: string;
  readonly namespaced: boolean;
  readonly verbs: readonly string[];
}

const domain = 'orch.io';

/** Every resource of every group version, without subresources. */
export async function servedResources(client: TestClient): Promise<ServedResource[]> {
  const { body: groups } = await client.get('/apis');
  const versions = (groups.groups as { versions: { groupVersion: string }[] }[]).flatMap((group) =>
    group.versions.map(({ groupVersion }) => groupVersion),
  );
  const lists = await Promise.all(
    ['v1', ...versions].map(async (apiVersion) => {
      const { body } = await client.get(root(apiVersion));
      return (body.resources as ServedResource[]).map((resource) => ({ ...resource, apiVersion }));
    }),
  );
  return lists.flat().filter(({ name }) => !name.includes('/'));
}

function root(apiVersion: string): string {
  return apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
}

/** The path of its objects, in the namespace `default` if it is namespaced. */
export function collectionOf({ apiVersion, name, namespaced }: ServedResource): string {
  return `${root(apiVersion)}${namespaced ? '/namespaces/default' : ''}/${name}`;
}

/** The id of the group, without the domain. */
export function groupIdOf({ apiVersion }: Pick<ServedResource, 'apiVersion'>): string {
  const group = apiVersion.includes('/') ? apiVersion.split('/')[0]! : '';
  return group.replace(`.${domain}`, '');
}

/** The minimal valid object. */
export function minimalOf(resource: ServedResource): MinimalObject {
  const key = `${groupIdOf(resource)} ${resource.name}`;
  const found = minimalObjects[key];
  assert.ok(found, `no smallest object for ${key}`);
  return JSON.parse(JSON.stringify(found).replaceAll('DOMAIN', domain)) as MinimalObject;
}

/** The minimal valid objects of kinds that are not stored. */
export const operations: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  bindings: { metadata: { name: 'nobody' }, target: { kind: 'Node', name: 'n' } },
  tokenreviews: { spec: { token: 'x' } },
  selfsubjectreviews: {},
  subjectaccessreviews: { spec: { user: 'u', nonResourceAttributes: { path: '/', verb: 'get' } } },
  selfsubjectaccessreviews: { spec: { nonResourceAttributes: { path: '/', verb: 'get' } } },
  localsubjectaccessreviews: {
    metadata: { namespace: 'default' },
    spec: { user: 'u', resourceAttributes: { namespace: 'default', verb: 'get', resource: 'pods' } },
  },
  selfsubjectrulesreviews: { spec: { namespace: 'default' } },
};
