// Finds a resource in discovery by plural, singular, short name, kind, or with version and group.
import { nearest } from '../../base/nearest.ts';
import { isObject, type JsonObject } from '../../codec/json/json-value.ts';
import { CommandError } from '../command.ts';
import type { Answer, Connection } from './connection.ts';
import { itemsOf, textOf } from './loosely.ts';
import { refusal } from './refusal.ts';

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
export class NoSuchKind extends CommandError {}

/**
 * Accepts `deploy`, `deployment`, `Deployments`, `deployments.apps` and `deployments.v1.apps`. If several groups have
 * the name, the first in discovery order wins.
 */
export async function findResource(connection: Connection, word: string): Promise<ClusterResource> {
  const wanted = word.toLowerCase();
  const core = await resourcesOf(connection, '/api/v1', '', 'v1');
  const inCore = core.find((resource) => isCalled(resource, wanted));
  if (inCore) return inCore;
  const others = await otherResources(connection);
  const found = others.find((resource) => isCalled(resource, wanted));
  if (found) return found;
  throw new NoSuchKind(noSuchKind(word, [...core, ...others]));
}

function isCalled(resource: ClusterResource, wanted: string): boolean {
  const { group, version } = resource;
  return namesOf(resource).some(
    (name) =>
      wanted === name ||
      (group !== '' && (wanted === `${name}.${group}` || wanted === `${name}.${version}.${group}`)),
  );
}

function namesOf({ plural, singular, shortNames, kind }: ClusterResource): readonly string[] {
  return [plural, singular, kind.toLowerCase(), ...shortNames];
}

function noSuchKind(word: string, resources: readonly ClusterResource[]): string {
  const [name = '', ...group] = word.toLowerCase().split('.');
  const inGroup = resources.filter((resource) => resource.group === group.join('.'));
  let candidates = group.length > 0 && inGroup.length > 0 ? inGroup : resources;
  const meant: string[] = [];
  while (meant.length < 3) {
    const next = nearest(name, candidates.flatMap(namesOf));
    if (next === undefined) break;
    meant.push(next);
    candidates = candidates.filter((resource) => !namesOf(resource).includes(next));
  }
  const hint = meant.length > 0 ? `did you mean ${meant.join(' or ')}?` : 'kubectl api-resources lists them';
  return `the server has no resource type ${JSON.stringify(word)} (${hint})`;
}

/** All groups but the core group in discovery order, the preferred version of each first. */
async function otherResources(connection: Connection): Promise<readonly ClusterResource[]> {
  const { body } = await answered(connection, '/apis');
  const versions = itemsOf(body?.groups)
    .filter(isObject)
    .flatMap(({ name, preferredVersion, versions }) => {
      const group = textOf(name);
      const all = itemsOf(versions)
        .filter(isObject)
        .map(({ version }) => textOf(version));
      const preferred = isObject(preferredVersion) ? textOf(preferredVersion.version) : '';
      return [...new Set([preferred, ...all])].filter(Boolean).map((version) => ({ group, version }));
    });
  const found = await Promise.all(
    versions.map(({ group, version }) =>
      resourcesOf(
        connection,
        `/apis/${encodeURIComponent(group)}/${encodeURIComponent(version)}`,
        group,
        version,
      ),
    ),
  );
  return found.flat();
}

/** A group whose API server is unavailable is skipped. */
async function resourcesOf(
  connection: Connection,
  path: string,
  group: string,
  version: string,
): Promise<readonly ClusterResource[]> {
  const { body } = group === '' ? await answered(connection, path) : await connection.get(path);
  return itemsOf(body?.resources)
    .filter(isObject)
    .filter(({ name }) => !textOf(name).includes('/'))
    .map((resource) => described(resource, group, version));
}

function described(resource: JsonObject, group: string, version: string): ClusterResource {
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

async function answered(connection: Connection, path: string): Promise<Answer> {
  const answer = await connection.get(path);
  if (answer.code !== 200 || !answer.body) throw refusal(path, answer);
  return answer;
}
