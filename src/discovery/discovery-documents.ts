// Discovery documents: APIGroupList, APIResourceList and aggregated discovery.
import { createHash } from 'node:crypto';
import type { AnnouncedVersion, RemoteVersion } from '../aggregation/announcements.ts';
import {
  type ApiServicePriority,
  apiServiceName,
  localVersions,
  type Preference,
} from '../aggregation/priorities.ts';
import type { ServedKind, ServedResource } from '../kind/registry.ts';
import { compareText, compareVersions } from '../kind/version-priority.ts';

/** A group in discovery: its versions, the preferred one first. */
export interface DiscoveredGroup {
  /** The group name, '' for core. */
  readonly name: string;
  readonly priority: number;
  readonly versions: readonly DiscoveredVersion[];
}

export interface DiscoveredVersion {
  readonly name: string;
  /** Sorted by plural name. */
  readonly resources: readonly ServedResource[];
  /** The resources of an aggregated API server. */
  readonly remote: RemoteVersion | undefined;
}

/** A version and its APIService. */
interface Entry extends DiscoveredVersion {
  readonly group: string;
  /** The name of the APIService. */
  readonly object: string;
  readonly priority: ApiServicePriority;
}

/**
 * Sorts local and aggregated resources into groups and versions, by the priorities of their APIServices; equal groups by
 * the names of these objects.
 */
export function discoveredGroups(
  resources: readonly ServedResource[],
  announced: readonly AnnouncedVersion[],
  prefer?: Preference,
): DiscoveredGroup[] {
  const entries = entriesOf(resources, announced, prefer).sort(
    (a, b) => b.priority.group - a.priority.group || compareText(a.object, b.object),
  );
  return [...groupBy(entries, ({ group }) => group)].map(([name, members]) => ({
    name,
    priority: members[0]!.priority.group,
    versions: members.sort(
      (a, b) => b.priority.version - a.priority.version || compareVersions(a.name, b.name),
    ),
  }));
}

function entriesOf(
  resources: readonly ServedResource[],
  announced: readonly AnnouncedVersion[],
  prefer: Preference | undefined,
): Entry[] {
  const ofVersion = groupBy(resources, apiServiceName);
  const entries = new Map<string, Entry>();
  for (const [object, { group, version, priority }] of localVersions(resources, prefer)) {
    const served = ofVersion.get(object)!;
    served.sort((a, b) => compareText(a.definition.plural, b.definition.plural));
    entries.set(object, { group, name: version, object, priority, resources: served, remote: undefined });
  }
  for (const { name: object, group, version, priority, remote } of announced) {
    const served = (!remote && entries.get(object)?.resources) || [];
    entries.set(object, { group, name: version, object, priority, resources: served, remote });
  }
  return [...entries.values()];
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

/** The APIResourceList at `/api/v1` or `/apis/G/V`. */
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

/** The items of aggregated discovery. Equal groups are sorted by name. */
export function aggregatedGroups(groups: readonly DiscoveredGroup[]): object[] {
  return [...groups]
    .sort((a, b) => b.priority - a.priority || compareText(a.name, b.name))
    .map(({ name, versions }) => ({
      metadata: { ...(name !== '' && { name }), creationTimestamp: null },
      versions: versions.filter(isServed).map(aggregatedVersion),
    }))
    .filter(({ versions }) => versions.length > 0);
}

/** An APIService may announce a version that no server serves. */
const isServed = ({ resources, remote }: DiscoveredVersion) => remote !== undefined || resources.length > 0;

function aggregatedVersion({ name, resources, remote }: DiscoveredVersion) {
  const shown: readonly object[] = remote?.resources ?? resources.map(aggregatedResource);
  return {
    version: name,
    ...(shown.length > 0 && { resources: shown }),
    freshness: remote?.isStale ? 'Stale' : 'Current',
  };
}

function aggregatedResource(resource: ServedResource): object {
  const { plural, singular, namespaced, kind, verbs, shortNames, categories, isCustom } = resource.definition;
  // An empty group and version mean those of the entry itself.
  const { group, version } = isCustom ? resource : { group: '', version: '' };
  const responseKind = { group, version, kind };
  const subresources = subresourcesOf(resource).map(([name, { verbs, connect }]) => {
    const own = ownKind(resource, name);
    const shown = own?.kind ?? connect?.kind ?? resource.kindOf(name).kind;
    return {
      subresource: name,
      responseKind: { group: own?.group ?? group, version: own?.version ?? version, kind: shown },
      verbs: [...verbs].sort(),
    };
  });
  return {
    resource: plural,
    responseKind,
    scope: namespaced ? 'Namespaced' : 'Cluster',
    singularResource: singular,
    verbs: isCustom ? verbs : [...verbs].sort(),
    ...(shortNames.length > 0 && { shortNames }),
    ...(categories.length > 0 && { categories }),
    ...(subresources.length > 0 && { subresources }),
  };
}

function subresourcesOf({ definition }: ServedResource) {
  const entries = Object.entries(definition.subresources);
  return definition.isCustom ? entries : entries.sort(([a], [b]) => compareText(a, b));
}

/** The kind of a subresource whose group or version differs from its parent's. */
function ownKind(resource: ServedResource, subresource: string): ServedKind | undefined {
  const kind = resource.kindOf(subresource);
  return kind.apiVersion === resource.apiVersion ? undefined : kind;
}

/** storageVersionHash: clients compare it to see whether two resources share their storage. */
function storageVersionHash({ group, version, kind, definition }: ServedResource): string {
  return createHash('sha256')
    .update(`${group}/${definition.announcedStorageVersion ?? version}/${kind}`)
    .digest()
    .subarray(0, 8)
    .toString('base64');
}
