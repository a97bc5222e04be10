// The kinds that the server serves, from aggregated discovery.
import type { Session } from './session.ts';

/** A resource in the preferred version of its group. */
export interface Kind {
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly kind: string;
  readonly isNamespaced: boolean;
  readonly shortNames: readonly string[];
  readonly verbs: readonly string[];
  readonly subresources: readonly string[];
}

interface DiscoveryList {
  readonly items: readonly {
    readonly metadata: { readonly name?: string };
    readonly versions: readonly {
      readonly version: string;
      readonly resources?: readonly DiscoveredResource[];
    }[];
  }[];
}

interface DiscoveredResource {
  readonly resource: string;
  readonly responseKind?: { readonly kind?: string };
  readonly scope: string;
  readonly shortNames?: readonly string[];
  readonly verbs: readonly string[];
  readonly subresources?: readonly { readonly subresource: string }[];
}

/** Every kind that can be listed and watched, in its group's preferred version; the first version that has it. */
export async function discoverKinds(session: Session): Promise<readonly Kind[]> {
  const { discoveryGroup } = session.info.names;
  const accept = `application/json;g=${discoveryGroup};v=v2;as=APIGroupDiscoveryList`;
  const documents = await Promise.all(
    ['/api', '/apis'].map((path) => session.json<DiscoveryList>(path, { accept })),
  );
  const kinds = new Map<string, Kind>();
  for (const { metadata, versions } of documents.flatMap(({ items }) => items)) {
    const group = metadata.name ?? '';
    for (const { version, resources = [] } of versions) {
      for (const resource of resources) {
        const kind = toKind(group, version, resource);
        if (kind.verbs.includes('list') && !kinds.has(kindKey(kind))) kinds.set(kindKey(kind), kind);
      }
    }
  }
  return [...kinds.values()];
}

function toKind(group: string, version: string, discovered: DiscoveredResource): Kind {
  const { resource, responseKind, scope, shortNames = [], verbs, subresources = [] } = discovered;
  return {
    ...{ group, version, resource, shortNames, verbs },
    kind: responseKind?.kind ?? resource,
    isNamespaced: scope === 'Namespaced',
    subresources: subresources.map(({ subresource }) => subresource),
  };
}

/** Identifies a kind whatever its version: `deployments.apps`, `pods`. */
export const kindKey = ({ group, resource }: Pick<Kind, 'group' | 'resource'>) =>
  group === '' ? resource : `${resource}.${group}`;

export const apiVersionOf = ({ group, version }: Pick<Kind, 'group' | 'version'>) =>
  group === '' ? version : `${group}/${version}`;

/** The path of a kind's collection, in one namespace or in all. */
export function collectionPath({ group, version, resource, isNamespaced }: Kind, namespace = ''): string {
  const root = group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
  const scope = isNamespaced && namespace !== '' ? `/namespaces/${encodeURIComponent(namespace)}` : '';
  return `${root}${scope}/${resource}`;
}

export const objectPath = (kind: Kind, namespace: string, name: string) =>
  `${collectionPath(kind, namespace)}/${encodeURIComponent(name)}`;

/** Finds a kind by plural, short name, kind or `resource.group`; the core group and built-in groups come first. */
export function findKind(kinds: readonly Kind[], text: string): Kind | undefined {
  const name = text.toLowerCase();
  return (
    kinds.find((kind) => kindKey(kind) === name) ??
    kinds.find(({ resource }) => resource === name) ??
    kinds.find(({ shortNames }) => shortNames.includes(name)) ??
    kinds.find(({ kind }) => kind.toLowerCase() === name)
  );
}

/** Ranks the kinds for what the user has typed: exact names first, then beginnings, then parts. */
export function rankKinds(kinds: readonly Kind[], text: string): readonly Kind[] {
  const name = text.trim().toLowerCase();
  const rank = (kind: Kind) => {
    const names = [kindKey(kind), kind.resource, kind.kind.toLowerCase(), ...kind.shortNames];
    if (names.includes(name)) return 0;
    if (names.some((each) => each.startsWith(name))) return 1;
    return names.some((each) => each.includes(name)) ? 2 : 3;
  };
  return kinds
    .map((kind) => ({ kind, rank: rank(kind) }))
    .filter((each) => each.rank < 3)
    .sort((a, b) => a.rank - b.rank)
    .map(({ kind }) => kind);
}
