import type { Dialect } from '../dialect/dialect.ts';
import type { ErrorSubject } from '../errors/catalogue.ts';
import type { ApiObject } from './api-object.ts';
import type { KindDefinition, ResourceDefinition, Subresource, Verb } from './definition.ts';

/** A kind with the names that the dialect gives. */
export class ServedKind {
  readonly definition: KindDefinition;
  /** The group's name, '' for core. */
  readonly group: string;
  readonly version: string;
  readonly apiVersion: string;
  readonly kind: string;
  /** For errors that speak of the kind. */
  readonly kindSubject: { readonly group: string; readonly kind: string };
  /** The version its objects are stored in; itself for most. */
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

  /** An object of this kind that says nothing; only to be looked at. */
  get blank(): ApiObject {
    this.#blank ??= this.definition.schema.zero();
    return this.#blank;
  }
}

/** One for all: a small buffer keeps alive all of the large one that it was cut from. */
export const openBrace = Buffer.from('{');

/** A kind as this server serves it: its definition with the names that the dialect gives. */
export class ServedResource extends ServedKind {
  declare readonly definition: ResourceDefinition;
  /** The version its objects are stored in; itself for most. */
  declare stored: ServedResource;
  /** For errors that speak of the resource. */
  readonly subject: ErrorSubject;
  /** What the JSON of every object of this kind begins with, and its length: a list's items go without. */
  readonly itemStart: Buffer;
  readonly itemAt: number;
  /** Said with every answer, '' for kinds that are to stay. */
  readonly deprecationWarning: string;
  /** Of a kind that was learnt: all its versions, whether they are served or not. */
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
    // Items of lists of custom kinds say what they are.
    this.itemStart = definition.isCustom
      ? openBrace
      : Buffer.from(`{"kind":"${this.kind}","apiVersion":"${this.apiVersion}",`);
    this.itemAt = this.itemStart.length;
    this.deprecationWarning = deprecationWarning(this, dialect);
  }

  get prefix(): string {
    return this.definition.storagePrefix;
  }

  key(namespace: string, name: string): string {
    return this.definition.namespaced ? `${this.prefix}/${namespace}/${name}` : `${this.prefix}/${name}`;
  }

  /** What a key of this kind names. */
  placeOf(key: string): { readonly namespace: string; readonly name: string } {
    const rest = key.slice(this.prefix.length + 1);
    const slash = rest.indexOf('/');
    return { namespace: slash < 0 ? '' : rest.slice(0, slash), name: rest.slice(slash + 1) };
  }

  /** What a list of this namespace (or, with '', of all) ranges over. */
  range(namespace: string): string {
    return namespace === '' ? `${this.prefix}/` : `${this.prefix}/${namespace}/`;
  }

  subresource(name: string): Subresource | undefined {
    return Object.hasOwn(this.definition.subresources, name) ? this.definition.subresources[name] : undefined;
  }

  /** The kind that a subresource reads and writes: its own, or this one. */
  kindOf(subresource: string): ServedKind {
    return this.#subresourceKinds.get(subresource) ?? this;
  }

  /** What selects beside the name, where the kind has fields of its own for that. */
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

  /** The object as this version shows it, from the stored version. */
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

/** Which kinds, and which of their subresources, there are paths to. */
export interface Served {
  serves(definition: ResourceDefinition): boolean;
  servesPart(definition: ResourceDefinition, subresource: string): boolean;
}

const everything: Served = { serves: () => true, servesPart: () => true };

function withServedParts(definition: ResourceDefinition, apis: Served): ResourceDefinition {
  const subresources = Object.entries(definition.subresources).filter(([name]) =>
    apis.servesPart(definition, name),
  );
  return { ...definition, subresources: Object.fromEntries(subresources) };
}

function deprecationWarning({ definition, apiVersion, kind }: ServedResource, dialect: Dialect): string {
  const { deprecation, deprecationWarning: own } = definition;
  if (own !== undefined) return own;
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

function storedOf(resources: readonly ServedResource[]): ServedResource[] {
  return [...new Set(resources.map((resource) => resource.stored))];
}

/** Every kind this server serves, by group, version and plural name. */
export class Registry {
  readonly #every: readonly ServedResource[];
  /** Those that the server has of its own. */
  readonly builtIn: readonly ServedResource[];
  readonly #byPath = new Map<string, ServedResource>();
  readonly #byVersion = new Map<string, readonly ServedResource[]>();
  /** What the objects of served kinds are stored as, by where. */
  readonly #byPrefix = new Map<string, ServedResource>();
  /** Kinds that were learnt, by the name of what describes them. */
  readonly #custom = new Map<string, readonly ServedResource[]>();
  readonly #listeners = new Set<(resources: readonly ServedResource[]) => void>();
  /** Undefined where they have changed since somebody asked. */
  #resources: readonly ServedResource[] | undefined;
  #stored: readonly ServedResource[] | undefined;

  constructor(definitions: readonly ResourceDefinition[], dialect: Dialect, apis: Served = everything) {
    this.#every = definitions.map(
      (definition) => new ServedResource(withServedParts(definition, apis), dialect),
    );
    this.builtIn = this.#every.filter(({ definition }) => apis.serves(definition));
    for (const resource of this.#every) {
      const storedIn = resource.definition.conversion?.storedVersion;
      if (!storedIn) continue;
      const stored = this.#every.find(
        ({ definition }) =>
          definition.group === storedIn.group &&
          definition.version === storedIn.version &&
          definition.storagePrefix === resource.definition.storagePrefix,
      );
      if (!stored) throw new Error(`${resource.apiVersion} ${resource.kind} has an unknown storage version`);
      resource.stored = stored;
    }
    for (const resource of this.builtIn) this.#addPath(resource);
  }

  /** All that have paths. It is another list whenever these have changed. */
  get resources(): readonly ServedResource[] {
    this.#resources ??= [...this.builtIn, ...this.#servedCustom()];
    return this.#resources;
  }

  /** What the objects of all served kinds are stored as, each once. Not all of these have to be served themselves. */
  get stored(): readonly ServedResource[] {
    this.#stored ??= storedOf(this.resources);
    return this.#stored;
  }

  *#servedCustom(): Generator<ServedResource> {
    for (const versions of this.#custom.values()) {
      for (const resource of versions) if (this.#byPath.get(pathOf(resource)) === resource) yield resource;
    }
  }

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
    const others = this.ofVersion(apiVersion).filter((each) => each !== resource);
    if (others.length > 0) this.#byVersion.set(apiVersion, others);
    else this.#byVersion.delete(apiVersion);
  }

  /** From now on these are the versions of a kind that was learnt; none of them: it is forgotten. */
  setCustom(name: string, definitions: readonly ResourceDefinition[], dialect: Dialect): void {
    const before = this.#custom.get(name) ?? [];
    for (const resource of before) this.#removePath(resource);
    const versions = definitions.map((definition) => new ServedResource(definition, dialect));
    const stored = versions.find(({ definition }) => definition.isStored);
    for (const resource of versions) {
      resource.versions = versions;
      if (stored) resource.stored = stored;
      // What the server itself has goes first.
      if (resource.definition.isServed && !this.#byPath.has(pathOf(resource))) {
        this.#addPath(resource);
      }
    }
    if (versions.length > 0) this.#custom.set(name, versions);
    else if (!this.#custom.delete(name)) return;
    this.#resources = undefined;
    this.#stored = undefined;
    for (const listener of this.#listeners) listener([...before, ...versions]);
  }

  /** Hears of kinds that were learnt, or are served in another way or no longer: as they were, and as they are. */
  onCustom(listener: (resources: readonly ServedResource[]) => void): void {
    this.#listeners.add(listener);
  }

  /** What the object at a key is stored as; undefined where its kind is not served. */
  storedAt(key: string): ServedResource | undefined {
    const [first = '', second = ''] = key.split('/', 2);
    return this.#byPrefix.get(first) ?? this.#byPrefix.get(`${first}/${second}`);
  }

  /** The version of a kind that was learnt, served or not. */
  ofPrefix(prefix: string, version: string): ServedResource | undefined {
    for (const versions of this.#custom.values()) {
      const found = versions.find((each) => each.prefix === prefix && each.version === version);
      if (found) return found;
    }
    return undefined;
  }

  /** A kind of ours, served or not: the server's own work goes on without a path to it. */
  kind(group: string, version: string, plural: string): ServedResource {
    const found = this.#every.find(
      (resource) =>
        resource.group === group && resource.version === version && resource.definition.plural === plural,
    );
    if (!found) throw new Error(`unknown resource ${plural} in ${group}/${version}`);
    return found;
  }

  find(group: string, version: string, plural: string): ServedResource | undefined {
    return this.#byPath.get(group === '' ? `${version}/${plural}` : `${group}/${version}/${plural}`);
  }

  /** Whether the server keeps objects of its own kinds there. */
  ownsPrefix(prefix: string): boolean {
    return this.#every.some((resource) => resource.prefix === prefix);
  }

  /** Whether the server has kinds of its own in this group. */
  hasGroup(group: string): boolean {
    return this.builtIn.some((resource) => resource.group === group);
  }

  /** The kinds of a group version, or none if it is not served. */
  ofVersion(apiVersion: string): readonly ServedResource[] {
    return this.#byVersion.get(apiVersion) ?? [];
  }
}
