// The content of discovery documents: APIGroup, APIResourceList and aggregated discovery, from the served resources and the
// group versions that APIServices register.
import { createHash } from 'node:crypto';
import {
  type ApiServicePriority,
  apiServiceName,
  localVersions,
  type Preference,
} from '../aggregation/priorities.ts';
import type { RegisteredVersion, RemoteVersion } from '../aggregation/registered-versions.ts';
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
  /** The resources of an aggregated API server; undefined if this server serves the version. */
  readonly remote: RemoteVersion | undefined;
}

/** A group version with the name and priority of its APIService. */
interface VersionEntry extends DiscoveredVersion {
  readonly group: string;
  readonly serviceName: string;
  readonly priority: ApiServicePriority;
}

/** Groups and versions are sorted by the priorities of their APIServices; equal priorities by the name of the APIService. */
export function discoveredGroups(
  resources: readonly ServedResource[],
  registered: readonly RegisteredVersion[],
  prefer?: Preference,
): DiscoveredGroup[] {
  const entries = versionEntries(resources, registered, prefer).sort(
    (a, b) => b.priority.group - a.priority.group || compareText(a.serviceName, b.serviceName),
  );
  return [...groupBy(entries, ({ group }) => group)].map(([name, members]) => ({
    name,
    priority: members[0]!.priority.group,
    versions: members.sort(
      (a, b) => b.priority.version - a.priority.version || compareVersions(a.name, b.name),
    ),
  }));
}

function versionEntries(
  resources: readonly ServedResource[],
  registered: readonly RegisteredVersion[],
  prefer: Preference | undefined,
): VersionEntry[] {
  const resourcesByService = groupBy(resources, apiServiceName);
  const entries = new Map<string, VersionEntry>();
  for (const [serviceName, { group, version, priority }] of localVersions(resources, prefer)) {
    const versionResources = resourcesByService.get(serviceName)!;
    versionResources.sort((a, b) => compareText(a.definition.plural, b.definition.plural));
    entries.set(serviceName, {
      group,
      name: version,
      serviceName,
      priority,
      resources: versionResources,
      remote: undefined,
    });
  }
  for (const { name: serviceName, group, version, priority, remote } of registered) {
    const versionResources = (!remote && entries.get(serviceName)?.resources) || [];
    entries.set(serviceName, {
      group,
      name: version,
      serviceName,
      priority,
      resources: versionResources,
      remote,
    });
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

/** The entry of a group in an APIGroupList, and the content of its APIGroup. */
export function groupDocument({ name, versions }: DiscoveredGroup) {
  const groupVersions = versions.map((version) => ({
    groupVersion: `${name}/${version.name}`,
    version: version.name,
  }));
  return { name, versions: groupVersions, preferredVersion: groupVersions[0]! };
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

/** The entries of a resource and its subresources in an APIResourceList. */
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
      // Only stored kinds have a storage version.
      ...(!definition.virtual &&
        !definition.perform && { storageVersionHash: storageVersionHash(resource.stored) }),
    },
  ];
  for (const [name, { verbs, connect }] of subresourcesOf(resource)) {
    const foreignKind = foreignKindOf(resource, name);
    entries.push({
      name: `${plural}/${name}`,
      singularName: '',
      namespaced,
      ...(foreignKind && { group: foreignKind.group, version: foreignKind.version }),
      kind: foreignKind?.kind ?? connect?.kind ?? resource.kindOf(name).kind,
      verbs: [...verbs].sort(),
    });
  }
  return entries;
}

/** The items of aggregated discovery. Groups of equal priority are sorted by name. */
export function aggregatedGroups(groups: readonly DiscoveredGroup[]): object[] {
  return [...groups]
    .sort((a, b) => b.priority - a.priority || compareText(a.name, b.name))
    .map(({ name, versions }) => ({
      metadata: { ...(name !== '' && { name }), creationTimestamp: null },
      versions: versions.filter(isServed).map(aggregatedVersion),
    }))
    .filter(({ versions }) => versions.length > 0);
}

/** An APIService may register a version that no server serves. */
const isServed = ({ resources, remote }: DiscoveredVersion) => remote !== undefined || resources.length > 0;

function aggregatedVersion({ name, resources, remote }: DiscoveredVersion) {
  const entries: readonly object[] = remote?.resources ?? resources.map(aggregatedResource);
  return {
    version: name,
    ...(entries.length > 0 && { resources: entries }),
    freshness: remote?.isStale ? 'Stale' : 'Current',
  };
}

function aggregatedResource(resource: ServedResource): object {
  const { plural, singular, namespaced, kind, verbs, shortNames, categories, isCustom } = resource.definition;
  // An empty group and version mean those of the entry itself.
  const { group, version } = isCustom ? resource : { group: '', version: '' };
  const responseKind = { group, version, kind };
  const subresources = subresourcesOf(resource).map(([name, { verbs, connect }]) => {
    const foreignKind = foreignKindOf(resource, name);
    const kind = foreignKind?.kind ?? connect?.kind ?? resource.kindOf(name).kind;
    return {
      subresource: name,
      responseKind: { group: foreignKind?.group ?? group, version: foreignKind?.version ?? version, kind },
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
function foreignKindOf(resource: ServedResource, subresource: string): ServedKind | undefined {
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
