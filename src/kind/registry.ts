// Registry of kinds: the built-in kinds and custom resources that this server serves, by group, version and resource. Their
// names depend on the dialect of the server: Kubernetes' own group names (`events.k8s.io`) or those of Orch.

import type { Dialect } from '../dialect/dialect.ts';
import type { ErrorSubject } from '../errors/catalogue.ts';
import type { ApiObject } from './api-object.ts';
import type { KindDefinition, ResourceDefinition, Subresource, Verb } from './definition.ts';
import type { UpdateStrategy } from './strategy.ts';

/** A kind in one version, with its group name in the dialect. It may be served only as a subresource. */
export class ServedKind {
  readonly definition: KindDefinition;
  /** The group's name, '' for core. */
  readonly group: string;
  readonly version: string;
  readonly apiVersion: string;
  readonly kind: string;
  /** Names the kind in errors. */
  readonly kindSubject: { readonly group: string; readonly kind: string };
  /** The storage version; itself for most kinds. */
  stored: ServedKind = this;

  #blank: ApiObject | undefined;

  constructor(definition: KindDefinition, dialect: Dialect) {
    this.definition = definition;
    this.group = definition.isCustom ? definition.group : dialect.groupName(definition.group);
    this.version = definition.version;
    this.apiVersion = this.group === '' ? this.version : `${this.group}/${this.version}`;
    this.kind = definition.kind;
    this.kindSubject = { group: this.group, kind: definition.kind };
  }

  /** An empty object of this kind. Callers must not change it. */
  get blank(): ApiObject {
    this.#blank ??= this.definition.schema.zero();
    return this.#blank;
  }
}

const emptyStrategy: UpdateStrategy = {};

/** The start of a list item. Shared, because a slice of a larger buffer would keep all of that buffer alive. */
export const openBrace = Buffer.from('{');

/** A resource in one version: its definition with its names in the dialect, and its storage keys. */
export class ServedResource extends ServedKind {
  declare readonly definition: ResourceDefinition;
  /** The storage version; itself for most kinds. */
  declare stored: ServedResource;
  /** Names the resource in errors. */
  readonly subject: ErrorSubject;
  /** The JSON of an object starts with kind and apiVersion (`itemStart`), which list items leave out. */
  readonly itemStart: Buffer;
  /** The length of `itemStart`. */
  readonly listItemOffset: number;
  /** The Warning header of every response; '' if the version is not deprecated. */
  readonly deprecationWarning: string;
  /** All versions of a custom resource, served or not. */
  versions: readonly ServedResource[] = [this];
  readonly #subresourceKinds: ReadonlyMap<string, ServedKind>;

  constructor(definition: ResourceDefinition, dialect: Dialect) {
    super(definition, dialect);
    this.subject = { group: this.group, resource: definition.plural };
    this.#subresourceKinds = new Map(
      Object.entries(definition.subresources).flatMap(([name, { view, action, connect }]) => {
        const kind = view ?? action ?? connect?.options;
        return kind ? [[name, new ServedKind(kind, dialect)]] : [];
      }),
    );
    // Items of lists of custom resources carry kind and apiVersion.
    this.itemStart = definition.isCustom
      ? openBrace
      : Buffer.from(`{"kind":"${this.kind}","apiVersion":"${this.apiVersion}",`);
    this.listItemOffset = this.itemStart.length;
    this.deprecationWarning = deprecationWarning(this, dialect);
  }

  /** The key prefix in the store. All versions of a kind share it, so it identifies the kind. */
  get prefix(): string {
    return this.definition.storagePrefix;
  }

  key(namespace: string, name: string): string {
    return this.definition.namespaced ? `${this.prefix}/${namespace}/${name}` : `${this.prefix}/${name}`;
  }

  /** The namespace and name in a storage key. */
  namespaceAndName(key: string): { readonly namespace: string; readonly name: string } {
    const relativeKey = key.slice(this.prefix.length + 1);
    const slash = relativeKey.indexOf('/');
    return { namespace: slash < 0 ? '' : relativeKey.slice(0, slash), name: relativeKey.slice(slash + 1) };
  }

  /** The key prefix of a namespace, or with '' of all namespaces. */
  range(namespace: string): string {
    return namespace === '' ? `${this.prefix}/` : `${this.prefix}/${namespace}/`;
  }

  subresource(name: string): Subresource | undefined {
    return Object.hasOwn(this.definition.subresources, name) ? this.definition.subresources[name] : undefined;
  }

  /** The update strategy of the resource ('') or of a subresource. */
  updateStrategy(subresource: string): UpdateStrategy {
    if (subresource === '') return this.definition.strategy;
    return this.subresource(subresource)?.rules ?? emptyStrategy;
  }

  /** The kind that a subresource reads and writes. */
  kindOf(subresource: string): ServedKind {
    return this.#subresourceKinds.get(subresource) ?? this;
  }

  /** Field selectors beside metadata.name; undefined if the kind declares none. */
  get selectableFields(): readonly string[] | undefined {
    const { selectableFieldNames, namespaced } = this.definition;
    return (
      selectableFieldNames &&
      (namespaced ? ['metadata.namespace', ...selectableFieldNames] : selectableFieldNames)
    );
  }

  verbsOf(subresource: string): readonly Verb[] {
    return subresource === '' ? this.definition.verbs : (this.subresource(subresource)?.verbs ?? []);
  }

  /** Converts an object from the storage version. */
  fromStored(stored: ApiObject): ApiObject {
    const { conversion } = this.definition;
    if (!conversion) return stored;
    return { ...conversion.fromStored(stored), apiVersion: this.apiVersion, kind: this.kind };
  }

  toStored(object: ApiObject): ApiObject {
    const { conversion } = this.definition;
    if (!conversion) return object;
    return { ...conversion.toStored(object), apiVersion: this.stored.apiVersion, kind: this.stored.kind };
  }
}

/** Decides which kinds and subresources are served. */
export interface ApiFilter {
  serves(definition: ResourceDefinition): boolean;
  servesSubresource(definition: ResourceDefinition, subresource: string): boolean;
}

const allApis: ApiFilter = { serves: () => true, servesSubresource: () => true };

function withServedSubresources(definition: ResourceDefinition, apis: ApiFilter): ResourceDefinition {
  const subresources = Object.entries(definition.subresources).filter(([name]) =>
    apis.servesSubresource(definition, name),
  );
  return { ...definition, subresources: Object.fromEntries(subresources) };
}

function deprecationWarning({ definition, apiVersion, kind }: ServedResource, dialect: Dialect): string {
  const { deprecation, deprecationWarning: customWarning } = definition;
  if (customWarning !== undefined) return customWarning;
  if (!deprecation) return '';
  const { since, removedIn, replacement } = deprecation;
  let warning = `${apiVersion} ${kind} is deprecated in v${since}+`;
  if (removedIn) warning += `, unavailable in v${removedIn}+`;
  if (replacement) {
    warning += `; use ${dialect.apiVersion(replacement.group, replacement.version)} ${replacement.kind}`;
  }
  return warning;
}

const pathOf = ({ apiVersion, definition }: ServedResource) => `${apiVersion}/${definition.plural}`;

/** The storage versions of these resources, each once. */
function storedOf(resources: readonly ServedResource[]): ServedResource[] {
  return [...new Set(resources.map((resource) => resource.stored))];
}

export class Registry {
  /** All built-in resources, served or not. */
  readonly #builtInKinds: readonly ServedResource[];
  /** The built-in resources that are served. */
  readonly builtIn: readonly ServedResource[];
  /** The served resources, by `group/version/plural`. */
  readonly #byPath = new Map<string, ServedResource>();
  readonly #byVersion = new Map<string, readonly ServedResource[]>();
  /** Storage versions of the served kinds, by key prefix. */
  readonly #byPrefix = new Map<string, ServedResource>();
  /** Custom resources, by the name of their CustomResourceDefinition. */
  readonly #custom = new Map<string, readonly ServedResource[]>();
  readonly #listeners = new Set<(resources: readonly ServedResource[]) => void>();
  /** Undefined after a change, until the next read. */
  #resources: readonly ServedResource[] | undefined;
  #stored: readonly ServedResource[] | undefined;

  constructor(definitions: readonly ResourceDefinition[], dialect: Dialect, apis: ApiFilter = allApis) {
    this.#builtInKinds = definitions.map(
      (definition) => new ServedResource(withServedSubresources(definition, apis), dialect),
    );
    this.builtIn = this.#builtInKinds.filter(({ definition }) => apis.serves(definition));
    for (const resource of this.#builtInKinds) {
      const storageVersion = resource.definition.conversion?.storedVersion;
      if (!storageVersion) continue;
      const stored = this.#builtInKinds.find(
        ({ definition }) =>
          definition.group === storageVersion.group &&
          definition.version === storageVersion.version &&
          definition.storagePrefix === resource.definition.storagePrefix,
      );
      if (!stored) throw new Error(`${resource.apiVersion} ${resource.kind} has an unknown storage version`);
      resource.stored = stored;
    }
    for (const resource of this.builtIn) this.#addPath(resource);
  }

  /** All served resources. The array is replaced whenever one changes. */
  get resources(): readonly ServedResource[] {
    this.#resources ??= [...this.builtIn, ...this.#servedCustom()];
    return this.#resources;
  }

  /** The storage versions of all served resources, each once. They need not be served themselves. */
  get stored(): readonly ServedResource[] {
    this.#stored ??= storedOf(this.resources);
    return this.#stored;
  }

  *#servedCustom(): Generator<ServedResource> {
    for (const versions of this.#custom.values()) {
      for (const resource of versions) if (this.#byPath.get(pathOf(resource)) === resource) yield resource;
    }
  }

  /** Serves a resource. */
  #addPath(resource: ServedResource): void {
    const { apiVersion } = resource;
    this.#byPath.set(pathOf(resource), resource);
    this.#byPrefix.set(resource.prefix, resource.stored);
    this.#byVersion.set(apiVersion, [...this.ofVersion(apiVersion), resource]);
  }

  #removePath(resource: ServedResource): void {
    const { apiVersion } = resource;
    if (this.#byPath.get(pathOf(resource)) !== resource) return;
    this.#byPath.delete(pathOf(resource));
    this.#byPrefix.delete(resource.prefix);
    const remaining = this.ofVersion(apiVersion).filter((each) => each !== resource);
    if (remaining.length > 0) this.#byVersion.set(apiVersion, remaining);
    else this.#byVersion.delete(apiVersion);
  }

  /** Sets the versions of a custom resource; an empty list removes it. */
  setCustom(name: string, definitions: readonly ResourceDefinition[], dialect: Dialect): void {
    const oldVersions = this.#custom.get(name) ?? [];
    for (const resource of oldVersions) this.#removePath(resource);
    const versions = definitions.map((definition) => new ServedResource(definition, dialect));
    const stored = versions.find(({ definition }) => definition.isStored);
    for (const resource of versions) {
      resource.versions = versions;
      if (stored) resource.stored = stored;
      // Built-in kinds take precedence.
      if (resource.definition.isServed && !this.#byPath.has(pathOf(resource))) {
        this.#addPath(resource);
      }
    }
    if (versions.length > 0) this.#custom.set(name, versions);
    else if (!this.#custom.delete(name)) return;
    this.#resources = undefined;
    this.#stored = undefined;
    for (const listener of this.#listeners) listener([...oldVersions, ...versions]);
  }

  /**
   * Calls the listener after each change of a custom resource, with its versions before and after the change. Returns
   * the unsubscribe function.
   */
  onCustom(listener: (resources: readonly ServedResource[]) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** The storage version of the resource that a key belongs to; undefined if it is not served. */
  storedAt(key: string): ServedResource | undefined {
    const [first = '', second = ''] = key.split('/', 2);
    return this.#byPrefix.get(first) ?? this.#byPrefix.get(`${first}/${second}`);
  }

  /** A version of a custom resource, served or not. */
  ofPrefix(prefix: string, version: string): ServedResource | undefined {
    for (const versions of this.#custom.values()) {
      const found = versions.find((each) => each.prefix === prefix && each.version === version);
      if (found) return found;
    }
    return undefined;
  }

  /** A built-in resource, served or not, for the server's own use. Throws if there is none. */
  kind(group: string, version: string, plural: string): ServedResource {
    const found = this.#builtInKinds.find(
      (resource) =>
        resource.group === group && resource.version === version && resource.definition.plural === plural,
    );
    if (!found) throw new Error(`unknown resource ${plural} in ${group}/${version}`);
    return found;
  }

  /** A served resource, as in a URL path. */
  find(group: string, version: string, plural: string): ServedResource | undefined {
    return this.#byPath.get(group === '' ? `${version}/${plural}` : `${group}/${version}/${plural}`);
  }

  /** Whether a built-in kind stores its objects under this prefix. */
  ownsPrefix(prefix: string): boolean {
    return this.#builtInKinds.some((resource) => resource.prefix === prefix);
  }

  /** Whether a built-in kind is served in this group. */
  hasGroup(group: string): boolean {
    return this.builtIn.some((resource) => resource.group === group);
  }

  /** The resources of a group version; empty if it is not served. */
  ofVersion(apiVersion: string): readonly ServedResource[] {
    return this.#byVersion.get(apiVersion) ?? [];
  }
}
