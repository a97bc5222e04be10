// Finds a resource in discovery by plural, singular, short name, kind, or with version and group.
import { nearest } from '../../base/nearest.ts';
import { isObject, type JsonObject } from '../../codec/json/json-value.ts';
import { CommandError } from '../command.ts';
import type { ApiResponse, Connection } from './connection.ts';
import { itemsOf, textOf } from './json-fields.ts';
import { responseError } from './response-error.ts';

export interface ClusterResource {
  /** Empty for the core group. */
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly plural: string;
  readonly singular: string;
  readonly shortNames: readonly string[];
  readonly namespaced: boolean;
}

/** The server has no resource of this name. */
export class ResourceNotFound extends CommandError {}

/**
 * Accepts `deploy`, `deployment`, `Deployments`, `deployments.apps` and `deployments.v1.apps`. If several groups have
 * the name, the first in discovery order wins.
 */
export async function findResource(connection: Connection, name: string): Promise<ClusterResource> {
  const requested = name.toLowerCase();
  const coreResources = await listResources(connection, '/api/v1', '', 'v1');
  const coreResource = coreResources.find((resource) => hasName(resource, requested));
  if (coreResource) return coreResource;
  const groupResources = await listGroupResources(connection);
  const resource = groupResources.find((candidate) => hasName(candidate, requested));
  if (resource) return resource;
  throw new ResourceNotFound(notFoundMessage(name, [...coreResources, ...groupResources]));
}

function hasName(resource: ClusterResource, requested: string): boolean {
  const { group, version } = resource;
  return namesOf(resource).some(
    (name) =>
      requested === name ||
      (group !== '' && (requested === `${name}.${group}` || requested === `${name}.${version}.${group}`)),
  );
}

function namesOf({ plural, singular, shortNames, kind }: ClusterResource): readonly string[] {
  return [plural, singular, kind.toLowerCase(), ...shortNames];
}

function notFoundMessage(requested: string, resources: readonly ClusterResource[]): string {
  const [name = '', ...group] = requested.toLowerCase().split('.');
  const inGroup = resources.filter((resource) => resource.group === group.join('.'));
  let candidates = group.length > 0 && inGroup.length > 0 ? inGroup : resources;
  const suggestions: string[] = [];
  while (suggestions.length < 3) {
    const suggestion = nearest(name, candidates.flatMap(namesOf));
    if (suggestion === undefined) break;
    suggestions.push(suggestion);
    candidates = candidates.filter((resource) => !namesOf(resource).includes(suggestion));
  }
  const hint =
    suggestions.length > 0 ? `did you mean ${suggestions.join(' or ')}?` : 'kubectl api-resources lists them';
  return `the server has no resource type ${JSON.stringify(requested)} (${hint})`;
}

/** All groups but the core group in discovery order, the preferred version of each first. */
async function listGroupResources(connection: Connection): Promise<readonly ClusterResource[]> {
  const { body } = await getOrFail(connection, '/apis');
  const versions = itemsOf(body?.groups)
    .filter(isObject)
    .flatMap(({ name, preferredVersion, versions }) => {
      const group = textOf(name);
      const versionNames = itemsOf(versions)
        .filter(isObject)
        .map(({ version }) => textOf(version));
      const preferred = isObject(preferredVersion) ? textOf(preferredVersion.version) : '';
      return [...new Set([preferred, ...versionNames])]
        .filter(Boolean)
        .map((version) => ({ group, version }));
    });
  const resourcesByVersion = await Promise.all(
    versions.map(({ group, version }) =>
      listResources(
        connection,
        `/apis/${encodeURIComponent(group)}/${encodeURIComponent(version)}`,
        group,
        version,
      ),
    ),
  );
  return resourcesByVersion.flat();
}

/** The resources of a group version. One whose API server is unavailable has none; the core group must respond. */
async function listResources(
  connection: Connection,
  path: string,
  group: string,
  version: string,
): Promise<readonly ClusterResource[]> {
  const { body } = group === '' ? await getOrFail(connection, path) : await connection.get(path);
  return itemsOf(body?.resources)
    .filter(isObject)
    .filter(({ name }) => !textOf(name).includes('/'))
    .map((resource) => toClusterResource(resource, group, version));
}

function toClusterResource(resource: JsonObject, group: string, version: string): ClusterResource {
  return {
    group,
    version,
    kind: textOf(resource.kind),
    plural: textOf(resource.name),
    singular: textOf(resource.singularName),
    shortNames: itemsOf(resource.shortNames).map(textOf),
    namespaced: resource.namespaced === true,
  };
}

async function getOrFail(connection: Connection, path: string): Promise<ApiResponse> {
  const response = await connection.get(path);
  if (response.code !== 200 || !response.body) throw responseError(path, response);
  return response;
}
