// Server-side apply: compares two states of an object field by field (typed.Comparison upstream). The result decides
// which fields a writer comes to own, and which it takes from other managers.
import { isSemanticallyEqual } from '../../schema/semantic-equality.ts';
import { emptyFieldSet, FieldSet, leafFieldSet } from './field-set.ts';
import { areAligned, DuplicateElements, elementsByPath, pathElementOf } from './list-elements.ts';
import {
  type FieldMergeSchema,
  fieldValue,
  type ListMergeSchema,
  type MapMergeSchema,
  type MergeSchema,
  mergeSchemaFor,
  type StructMergeSchema,
  type ValueSource,
} from './merge-schema.ts';
import { strippedMetadataFields, strippedObjectFields } from './stripped-fields.ts';
import { isSameValue } from './values.ts';

/** The differences between two states of an object. */
export interface Changes {
  readonly added: FieldSet;
  readonly removed: FieldSet;
  readonly modified: FieldSet;
}

export function isUnchanged({ added, removed, modified }: Changes): boolean {
  return added.isEmpty && removed.isEmpty && modified.isEmpty;
}

export const noChanges: Changes = { added: emptyFieldSet, removed: emptyFieldSet, modified: emptyFieldSet };

/** Compares two values. Throws InvalidListElement if list elements cannot be identified. */
export function compare(schema: MergeSchema, before: unknown, after: unknown, source: ValueSource): Changes {
  return new Comparer(source).changes(schema, before, after) ?? noChanges;
}

/** Compares two states of a whole object, except for fields that no manager can own. */
export function compareObjects(
  schema: MergeSchema,
  before: unknown,
  after: unknown,
  source: ValueSource,
): Changes {
  return new Comparer(source).objectChanges(schema as StructMergeSchema, before, after);
}

/** Removes the changes at or below these fields. */
export function excludeFields(changes: Changes, fields: FieldSet): Changes {
  if (fields.isEmpty) return changes;
  return {
    added: changes.added.differenceBelow(fields),
    removed: changes.removed.differenceBelow(fields),
    modified: changes.modified.differenceBelow(fields),
  };
}

const modifiedLeaf: Changes = { ...noChanges, modified: leafFieldSet };
const addedLeaf: Changes = { ...noChanges, added: leafFieldSet };
const removedLeaf: Changes = { ...noChanges, removed: leafFieldSet };

class Comparer {
  readonly #source: ValueSource;

  constructor(source: ValueSource) {
    this.#source = source;
  }

  /** Compares two values; undefined means absent. Returns undefined if they are equal. */
  changes(declared: MergeSchema, before: unknown, after: unknown): Changes | undefined {
    if (before === after) return undefined;
    if (before === undefined) return { ...noChanges, added: this.#allFields(declared, after) };
    if (after === undefined) return { ...noChanges, removed: this.#allFields(declared, before) };
    const schema = mergeSchemaFor(mergeSchemaFor(declared, before), after);
    if (schema.form === 'scalar' || schema.atomic) return this.#compareAtomic(schema, before, after);
    if (before === null || after === null) return this.#changesFromNull(schema, before, after);
    const collector = new ChangeCollector();
    if (schema.form === 'struct') this.#members(schema.byName, before, after, collector, schema.undeclared);
    else if (schema.form === 'map') this.#entries(schema, before, after, collector);
    else this.#elements(schema, before, after, collector);
    return collector.changes();
  }

  /** Compares two whole objects without the fields that no manager can own, such as metadata.name. */
  objectChanges(schema: StructMergeSchema, before: unknown, after: unknown): Changes {
    const collector = new ChangeCollector();
    const { fields, metadata } = ownableFields(schema);
    this.#members(fields, before, after, collector, schema.undeclared);
    if (metadata) {
      const inMetadata = new ChangeCollector();
      this.#members(metadata, membersOf(before).metadata, membersOf(after).metadata, inMetadata);
      collector.add('f:metadata', inMetadata.changes());
    }
    return collector.changes() ?? noChanges;
  }

  /** A null value is present but has no fields: every field of the other side was added or removed. */
  #changesFromNull(schema: MergeSchema, before: unknown, after: unknown): Changes {
    const { below } = this.#allFields(schema, before ?? after);
    if (below.size === 0) return modifiedLeaf;
    const all = new FieldSet(false, below);
    return before === null ? { ...noChanges, added: all } : { ...noChanges, removed: all };
  }

  #compareAtomic({ type }: MergeSchema, before: unknown, after: unknown): Changes | undefined {
    const isUnchanged =
      this.#source === 'object' ? isSemanticallyEqual(type, before, after) : isSameValue(before, after);
    return isUnchanged ? undefined : modifiedLeaf;
  }

  /**
   * Compares the members of a struct. Most declared fields are absent from both states, so it visits only present
   * members. `undeclared` is the schema of members that `fields` lacks; without it they are ignored.
   */
  #members(
    fields: FieldsByName,
    before: unknown,
    after: unknown,
    collector: ChangeCollector,
    undeclared: MergeSchema | undefined = undefined,
  ): void {
    const old = membersOf(before);
    const current = membersOf(after);
    for (const name in old) {
      if (old[name] !== current[name])
        this.#member(fields.get(name), name, old, current, collector, undeclared);
    }
    for (const name in current) {
      if (old[name] === undefined && current[name] !== undefined) {
        this.#member(fields.get(name), name, old, current, collector, undeclared);
      }
    }
  }

  #member(
    field: FieldMergeSchema | undefined,
    name: string,
    old: Members,
    current: Members,
    collector: ChangeCollector,
    undeclared: MergeSchema | undefined,
  ): void {
    if (!field) {
      if (!undeclared || strippedObjectFields.has(name)) return;
      collector.add(`f:${name}`, this.changes(undeclared, old[name], current[name]));
      return;
    }
    const oldValue = fieldValue(old, field, this.#source);
    const value = fieldValue(current, field, this.#source);
    collector.add(field.element, this.changes(field.schema, oldValue, value));
  }

  #entries({ element }: MapMergeSchema, before: unknown, after: unknown, collector: ChangeCollector): void {
    const old = membersOf(before);
    const current = membersOf(after);
    for (const key in old) {
      if (old[key] === current[key]) continue;
      collector.add(`f:${key}`, this.changes(element, old[key], current[key]));
    }
    for (const key in current) {
      if (old[key] === undefined) collector.add(`f:${key}`, this.changes(element, undefined, current[key]));
    }
  }

  #elements(list: ListMergeSchema, before: unknown, after: unknown, collector: ChangeCollector): void {
    // Fast path: the path elements of unchanged list elements are not computed.
    if (Array.isArray(before) && Array.isArray(after) && areAligned(list, before, after)) {
      before.forEach((oldItem, index) => {
        const changes = this.changes(list.element, oldItem, after[index]);
        if (changes) collector.add(pathElementOf(list, oldItem, index, this.#source), changes);
      });
      return;
    }
    const old = elementsByPath(list, before, this.#source);
    const current = elementsByPath(list, after, this.#source);
    for (const [name, item] of old) {
      collector.add(name, this.#elementChanges(list, item, current.get(name)));
    }
    for (const [name, item] of current) {
      if (!old.has(name)) collector.add(name, this.#elementChanges(list, undefined, item));
    }
  }

  /** Changes between elements of one path element; undefined means absent. Duplicates are compared as a whole. */
  #elementChanges({ element }: ListMergeSchema, before: unknown, after: unknown): Changes | undefined {
    if (before instanceof DuplicateElements) {
      if (after instanceof DuplicateElements)
        return isSameValue(before.items, after.items) ? undefined : modifiedLeaf;
      return after === undefined ? removedLeaf : this.changes(element, undefined, after);
    }
    if (!(after instanceof DuplicateElements)) return this.changes(element, before, after);
    const removed = before === undefined ? emptyFieldSet : this.#allFields(element, before);
    return { ...addedLeaf, removed };
  }

  /** Every field of a value, for a value that only one state has. */
  #allFields(declared: MergeSchema, value: unknown): FieldSet {
    const schema = mergeSchemaFor(declared, value);
    if (schema.form === 'scalar' || schema.atomic || value === null) return leafFieldSet;
    const below = new Map<string, FieldSet>();
    if (schema.form === 'struct') {
      const members = membersOf(value);
      for (const field of schema.fields) {
        const member = fieldValue(members, field, this.#source);
        if (member !== undefined) below.set(field.element, this.#allFields(field.schema, member));
      }
      if (schema.undeclared) {
        for (const key in members) {
          if (!schema.byName.has(key))
            below.set(`f:${key}`, this.#allFields(schema.undeclared, members[key]));
        }
      }
    } else if (schema.form === 'map') {
      const members = membersOf(value);
      for (const key in members) below.set(`f:${key}`, this.#allFields(schema.element, members[key]));
    } else {
      for (const [name, item] of elementsByPath(schema, value, this.#source)) {
        below.set(
          name,
          item instanceof DuplicateElements ? leafFieldSet : this.#allFields(schema.element, item),
        );
      }
    }
    return below.size === 0 ? leafFieldSet : new FieldSet(true, below);
  }
}

/** The fields of an object and of its metadata that a manager can own. */
interface OwnableFields {
  readonly fields: FieldsByName;
  readonly metadata: FieldsByName | undefined;
}

type FieldsByName = ReadonlyMap<string, FieldMergeSchema>;
type Members = Readonly<Record<string, unknown>>;

const without = (fields: FieldsByName, names: ReadonlySet<string>): FieldsByName =>
  new Map([...fields].filter(([name]) => !names.has(name)));

const ownableFieldsCache = new WeakMap<StructMergeSchema, OwnableFields>();

function ownableFields(schema: StructMergeSchema): OwnableFields {
  let cached = ownableFieldsCache.get(schema);
  if (!cached) {
    const metadata = schema.byName.get('metadata')?.schema;
    cached = {
      fields: without(schema.byName, strippedObjectFields),
      metadata: metadata?.form === 'struct' ? without(metadata.byName, strippedMetadataFields) : undefined,
    };
    ownableFieldsCache.set(schema, cached);
  }
  return cached;
}

const noMembers: Members = Object.freeze(Object.create(null));

function membersOf(value: unknown): Members {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : noMembers;
}

/** Collects the changes of the members or elements of a value. */
class ChangeCollector {
  readonly #below: { -readonly [K in keyof Changes]?: Map<string, FieldSet> } = {};

  /** `element` is the path element of the member; undefined changes are ignored. */
  add(element: string, changes: Changes | undefined): void {
    if (!changes) return;
    for (const kind of changeKinds) {
      const set = changes[kind];
      if (set.isEmpty) continue;
      this.#below[kind] ??= new Map();
      this.#below[kind].set(element, set);
    }
  }

  /** Undefined without changes. */
  changes(): Changes | undefined {
    const { added, removed, modified } = this.#below;
    if (!added && !removed && !modified) return undefined;
    const setOf = (below: Map<string, FieldSet> | undefined) =>
      below ? new FieldSet(false, below) : emptyFieldSet;
    return { added: setOf(added), removed: setOf(removed), modified: setOf(modified) };
  }
}

const changeKinds = ['added', 'removed', 'modified'] as const;
