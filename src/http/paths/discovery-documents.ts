import { createHash } from 'node:crypto';
import type { ServedKind, ServedResource } from '../../resource/registry.ts';
import { compareGroups, compareText, compareVersions } from './discovery-order.ts';

/** A group as it is announced: its versions, the preferred one first. */
export interface DiscoveredGroup {
  /** The group's name, '' for core. */
  readonly name: string;
  readonly versions: readonly DiscoveredVersion[];
}

export interface DiscoveredVersion {
  readonly name: string;
  /** By plural name. */
  readonly resources: readonly ServedResource[];
}

/** Which version of a group comes first, of these in the order of their names. */
export type Preference = (groupId: string, versions: readonly string[]) => string;

/** Sorts what is served into groups and versions. Core comes first. */
export function groupResources(
  resources: readonly ServedResource[],
  prefer: Preference = (_, versions) => versions[0]!,
): DiscoveredGroup[] {
  const groups = groupBy(resources, (resource) => resource.definition.group);
  return [...groups]
    .sort(([a], [b]) => compareGroups(a, b))
    .map(([groupId, members]) => ({
      name: members[0]!.group,
      versions: preferredFirst(
        groupId,
        groupBy(members, (member) => member.version),
        prefer,
      ).map(([name, inVersion]) => ({
        name,
        resources: inVersion.sort((a, b) => compareText(a.definition.plural, b.definition.plural)),
      })),
    }));
}

function preferredFirst<T>(
  groupId: string,
  versions: ReadonlyMap<string, T>,
  prefer: Preference,
): [string, T][] {
  const sorted = [...versions].sort(([a], [b]) => compareVersions(a, b));
  const first = prefer(
    groupId,
    sorted.map(([name]) => name),
  );
  return sorted.sort(([a], [b]) => Number(b === first) - Number(a === first));
}

export function groupBy<T>(items: readonly T[], keyOf: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return groups;
}

export function groupDocument({ name, versions }: DiscoveredGroup) {
  const named = versions.map((version) => ({
    groupVersion: `${name}/${version.name}`,
    version: version.name,
  }));
  return { name, versions: named, preferredVersion: named[0]! };
}

/** The document at `/api/v1` or `/apis/G/V`. */
export function resourceListDocument(group: string, version: DiscoveredVersion) {
  return {
    kind: 'APIResourceList',
    ...(group !== '' && { apiVersion: 'v1' }),
    groupVersion: group === '' ? version.name : `${group}/${version.name}`,
    resources: version.resources.flatMap(resourceEntries),
  };
}

function resourceEntries(resource: ServedResource): object[] {
  const { definition } = resource;
  const { plural, singular, namespaced, kind, shortNames, categories } = definition;
  const entries: object[] = [
    {
      name: plural,
      singularName: singular,
      namespaced,
      kind,
      verbs: definition.isCustom ? definition.verbs : [...definition.verbs].sort(),
      ...(shortNames.length > 0 && { shortNames }),
      ...(categories.length > 0 && { categories }),
      ...(!definition.virtual &&
        !definition.perform && { storageVersionHash: storageVersionHash(resource.stored) }),
    },
  ];
  for (const [name, { verbs, connect }] of subresourcesOf(resource)) {
    const own = ownKind(resource, name);
    entries.push({
      name: `${plural}/${name}`,
      singularName: '',
      namespaced,
      ...(own && { group: own.group, version: own.version }),
      kind: own?.kind ?? connect?.kind ?? resource.kindOf(name).kind,
      verbs: [...verbs].sort(),
    });
  }
  return entries;
}

/** The items of the aggregated document. */
export function aggregatedGroups(groups: readonly DiscoveredGroup[]): object[] {
  return groups.map(({ name, versions }) => ({
    metadata: { ...(name !== '' && { name }), creationTimestamp: null },
    versions: versions.map((version) => ({
      version: version.name,
      resources: version.resources.map(aggregatedResource),
      freshness: 'Current',
    })),
  }));
}

function aggregatedResource(resource: ServedResource): object {
  const { plural, singular, namespaced, kind, verbs, shortNames, categories } = resource.definition;
  // An empty group and version stand for those of the entry itself.
  const responseKind = { group: '', version: '', kind };
  const subresources = subresourcesOf(resource).map(([name, { verbs, connect }]) => {
    const own = ownKind(resource, name);
    const shown = own?.kind ?? connect?.kind ?? resource.kindOf(name).kind;
    return {
      subresource: name,
      responseKind: { group: own?.group ?? '', version: own?.version ?? '', kind: shown },
      verbs: [...verbs].sort(),
    };
  });
  return {
    resource: plural,
    responseKind,
    scope: namespaced ? 'Namespaced' : 'Cluster',
    singularResource: singular,
    verbs: [...verbs].sort(),
    ...(shortNames.length > 0 && { shortNames }),
    ...(categories.length > 0 && { categories }),
    ...(subresources.length > 0 && { subresources }),
  };
}

function subresourcesOf({ definition }: ServedResource) {
  const entries = Object.entries(definition.subresources);
  return definition.isCustom ? entries : entries.sort(([a], [b]) => compareText(a, b));
}

/** The kind of a subresource where it is of another group or version than its parent. */
function ownKind(resource: ServedResource, subresource: string): ServedKind | undefined {
  const kind = resource.kindOf(subresource);
  return kind.apiVersion === resource.apiVersion ? undefined : kind;
}

/** Tells clients whether two resources are stored as the same thing, without saying as what. */
function storageVersionHash({ group, version, kind, definition }: ServedResource): string {
  return createHash('sha256')
    .update(`${group}/${definition.announcedStorageVersion ?? version}/${kind}`)
    .digest()
    .subarray(0, 8)
    .toString('base64');
}
