// API aggregation: parses the discovery documents of aggregated API servers: APIGroupDiscoveryList and APIResourceList.
// They are untrusted: malformed fields count as absent.

/** A resource in the format of aggregated discovery. */
export interface RemoteResource {
  readonly resource: string;
  readonly responseKind: ResponseKind;
  readonly scope: 'Namespaced' | 'Cluster';
  readonly singularResource: string;
  readonly verbs: readonly string[];
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  readonly subresources?: readonly RemoteSubresource[];
}

interface RemoteSubresource {
  readonly subresource: string;
  readonly responseKind: ResponseKind;
  readonly verbs: readonly string[];
}

interface ResponseKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

/** Further items of a list are ignored. */
const maxListItems = 2_000;

/** The resources of a version in an APIGroupDiscoveryList; undefined if it lacks the version. */
export function aggregatedResources(
  document: unknown,
  group: string,
  version: string,
): readonly RemoteResource[] | undefined {
  const groups = objects(member(document, 'items'));
  // The core group has no name.
  const discoveredGroup = groups.find((item) => text(member(member(item, 'metadata'), 'name')) === group);
  const versions = objects(member(discoveredGroup, 'versions'));
  const discoveredVersion = versions.find((item) => member(item, 'version') === version);
  return discoveredVersion && objects(member(discoveredVersion, 'resources')).map(readResource);
}

function readResource(value: unknown): RemoteResource {
  const subresources = objects(member(value, 'subresources')).map((item) => ({
    subresource: text(member(item, 'subresource')),
    responseKind: kindIn(member(item, 'responseKind')),
    verbs: texts(member(item, 'verbs')),
  }));
  return {
    resource: text(member(value, 'resource')),
    responseKind: kindIn(member(value, 'responseKind')),
    scope: member(value, 'scope') === 'Namespaced' ? 'Namespaced' : 'Cluster',
    singularResource: text(member(value, 'singularResource')),
    verbs: texts(member(value, 'verbs')),
    ...shortNamesAndCategories(value),
    ...(subresources.length > 0 && { subresources }),
  };
}

/** The resources of an APIResourceList, with their subresources. */
export function resourcesInList(document: unknown): readonly RemoteResource[] {
  const entries = objects(member(document, 'resources')).map((item) => ({
    name: text(member(item, 'name')),
    item,
  }));
  const subresourcesByParent = new Map<string, RemoteSubresource[]>();
  for (const { name, item } of entries) {
    const slash = name.indexOf('/');
    if (slash < 0) continue;
    const parent = name.slice(0, slash);
    const subresource = {
      subresource: name.slice(slash + 1),
      responseKind: kindIn(item),
      verbs: texts(member(item, 'verbs')),
    };
    subresourcesByParent.set(parent, [...(subresourcesByParent.get(parent) ?? []), subresource]);
  }
  return entries
    .filter(({ name }) => !name.includes('/'))
    .map(({ name, item }): RemoteResource => {
      const subresources = subresourcesByParent.get(name);
      return {
        resource: name,
        responseKind: kindIn(item),
        scope: member(item, 'namespaced') === true ? 'Namespaced' : 'Cluster',
        singularResource: text(member(item, 'singularName')),
        verbs: texts(member(item, 'verbs')),
        ...shortNamesAndCategories(item),
        ...(subresources && { subresources }),
      };
    });
}

function shortNamesAndCategories(value: unknown): Pick<RemoteResource, 'shortNames' | 'categories'> {
  const shortNames = texts(member(value, 'shortNames'));
  const categories = texts(member(value, 'categories'));
  return { ...(shortNames.length > 0 && { shortNames }), ...(categories.length > 0 && { categories }) };
}

const kindIn = (value: unknown): ResponseKind => ({
  group: text(member(value, 'group')),
  version: text(member(value, 'version')),
  kind: text(member(value, 'kind')),
});

function member(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined;
}

const text = (value: unknown) => (typeof value === 'string' ? value : '');
const list = (value: unknown) => (Array.isArray(value) ? (value as unknown[]).slice(0, maxListItems) : []);
const texts = (value: unknown) => list(value).filter((item): item is string => typeof item === 'string');
const objects = (value: unknown) => list(value).filter((item) => typeof item === 'object' && item !== null);
