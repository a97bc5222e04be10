// API aggregation: parses the discovery documents of other servers. Malformed parts are skipped.
/** A resource in the format of aggregated discovery. */
export interface RemoteResource {
  readonly resource: string;
  readonly responseKind: KindName;
  readonly scope: 'Namespaced' | 'Cluster';
  readonly singularResource: string;
  readonly verbs: readonly string[];
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  readonly subresources?: readonly RemoteSubresource[];
}

interface RemoteSubresource {
  readonly subresource: string;
  readonly responseKind: KindName;
  readonly verbs: readonly string[];
}

interface KindName {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

/** Limit for resources and subresources of a version. */
const maxResources = 2_000;

/** The resources of a version in an APIGroupDiscoveryList; undefined if it lacks the version. */
export function aggregatedResources(
  document: unknown,
  group: string,
  version: string,
): readonly RemoteResource[] | undefined {
  const groups = objects(member(document, 'items'));
  const found = groups.find((one) => text(member(member(one, 'metadata'), 'name')) === group);
  const versions = objects(member(found, 'versions'));
  const wanted = versions.find((one) => member(one, 'version') === version);
  return wanted && objects(member(wanted, 'resources')).map(readResource);
}

function readResource(said: unknown): RemoteResource {
  const subresources = objects(member(said, 'subresources')).map((one) => ({
    subresource: text(member(one, 'subresource')),
    responseKind: kindIn(member(one, 'responseKind')),
    verbs: texts(member(one, 'verbs')),
  }));
  return {
    resource: text(member(said, 'resource')),
    responseKind: kindIn(member(said, 'responseKind')),
    scope: member(said, 'scope') === 'Namespaced' ? 'Namespaced' : 'Cluster',
    singularResource: text(member(said, 'singularResource')),
    verbs: texts(member(said, 'verbs')),
    ...namesIn(said),
    ...(subresources.length > 0 && { subresources }),
  };
}

/** The resources of an APIResourceList, with their subresources. */
export function resourcesInList(document: unknown): readonly RemoteResource[] {
  const entries = objects(member(document, 'resources')).map((one) => ({
    name: text(member(one, 'name')),
    one,
  }));
  const parts = new Map<string, RemoteSubresource[]>();
  for (const { name, one } of entries) {
    const slash = name.indexOf('/');
    if (slash < 0) continue;
    const of = name.slice(0, slash);
    const part = {
      subresource: name.slice(slash + 1),
      responseKind: kindIn(one),
      verbs: texts(member(one, 'verbs')),
    };
    parts.set(of, [...(parts.get(of) ?? []), part]);
  }
  return entries
    .filter(({ name }) => !name.includes('/'))
    .map(({ name, one }): RemoteResource => {
      const subresources = parts.get(name);
      return {
        resource: name,
        responseKind: kindIn(one),
        scope: member(one, 'namespaced') === true ? 'Namespaced' : 'Cluster',
        singularResource: text(member(one, 'singularName')),
        verbs: texts(member(one, 'verbs')),
        ...namesIn(one),
        ...(subresources && { subresources }),
      };
    });
}

function namesIn(said: unknown): Pick<RemoteResource, 'shortNames' | 'categories'> {
  const shortNames = texts(member(said, 'shortNames'));
  const categories = texts(member(said, 'categories'));
  return { ...(shortNames.length > 0 && { shortNames }), ...(categories.length > 0 && { categories }) };
}

const kindIn = (said: unknown): KindName => ({
  group: text(member(said, 'group')),
  version: text(member(said, 'version')),
  kind: text(member(said, 'kind')),
});

function member(said: unknown, name: string): unknown {
  return typeof said === 'object' && said !== null && Object.hasOwn(said, name)
    ? (said as Record<string, unknown>)[name]
    : undefined;
}

const text = (said: unknown) => (typeof said === 'string' ? said : '');
const list = (said: unknown) => (Array.isArray(said) ? (said as unknown[]).slice(0, maxResources) : []);
const texts = (said: unknown) => list(said).filter((one): one is string => typeof one === 'string');
const objects = (said: unknown) => list(said).filter((one) => typeof one === 'object' && one !== null);
