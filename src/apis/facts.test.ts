import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { kubernetes } from '../dialect/index.ts';
import { everyFeature } from '../kind/features/everything.fixture.ts';
import { DeleteOptions } from '../kind/meta/delete-options.ts';
import { ListMeta } from '../kind/meta/list-meta.ts';
import { CreateOptions, GetOptions, ListOptions, PatchOptions, UpdateOptions } from '../kind/meta/options.ts';
import { Status } from '../kind/meta/status.ts';
import { type ListMerge, ListType, MapType } from '../schema/collections.ts';
import { type Field, Struct } from '../schema/struct.ts';
import type { Type } from '../schema/type.ts';
import { UnionType } from '../schema/union.ts';
import { TokenRequest } from './authentication/tokenrequest.ts';
import { Scale } from './autoscaling/scale.ts';
import { builtinKinds } from './index.ts';
import { Eviction } from './policy/eviction.ts';

interface FactField {
  type: string;
  n?: number;
  ptr?: boolean;
  omitempty?: boolean;
  required?: boolean;
  default?: unknown;
  list?: string;
  keys?: string[];
  patch?: string;
  patchKey?: string;
  inline?: boolean;
}
interface FactType {
  kind?: boolean;
  alias?: string;
  values?: string[];
  map?: string;
  fields?: Record<string, FactField>;
}
interface FactResource {
  kind: string;
  scope: string;
  singular: string;
  short?: string[];
  categories?: string[];
  verbs: string[];
  subresources?: Record<string, { kind: string; verbs: string[] }>;
  selectors?: string[];
}

const read = (name: string) =>
  JSON.parse(readFileSync(new URL(`./testdata/${name}`, import.meta.url), 'utf8'));
const types: Record<string, FactType> = read('facts-types.json');
const resources: Record<string, FactResource> = read('facts-resources.json');

/** Subresources and selectors of the facts that a real server does not have. */
const unserved: Record<string, string[]> = read('unlike-reference.json');

const definitions = builtinKinds({ dialect: kubernetes, features: everyFeature });
const roots = [
  DeleteOptions,
  Scale,
  Eviction,
  TokenRequest,
  ListMeta,
  Status,
  CreateOptions,
  UpdateOptions,
  PatchOptions,
  GetOptions,
  ListOptions,
];
const structs = new Map<string, Struct<unknown>>();
const unions = new Map<string, UnionType>();
for (const root of [...definitions.map(({ schema }) => schema), ...roots]) collect(root);

function collect(type: Type): void {
  if (type instanceof ListType || type instanceof MapType) collect(type.element);
  if (type instanceof UnionType && !unions.has(type.fullName)) {
    unions.set(type.fullName, type);
    for (const alternative of Object.values(type.alternatives)) collect(alternative.type);
  }
  if (!(type instanceof Struct) || structs.has(type.fullName)) return;
  structs.set(type.fullName, type);
  for (const field of Object.values(type.fields) as Field[]) {
    collect(field.type);
    if (field.inlined) collect(field.inlined.struct);
  }
}

test('the schemas describe the types the facts know, and no others', () => {
  const known = Object.entries(types)
    .filter(([name, fact]) => fact.fields && !unions.has(name))
    .map(([name]) => name);
  assert.deepEqual([...structs.keys()].sort(), known.sort());
});

for (const [name, schema] of structs) {
  test(`${name} agrees with the facts: fields, order, types, numbers, list types, presence`, () => {
    const fact = types[name]!;
    assert.equal(schema.atomic, fact.map === 'atomic');
    const facts = fieldsOf(name);
    const fields: [string, Field][] = Object.entries(schema.fields).filter(
      ([field]) => facts.some(([known]) => known === field) || (field !== 'kind' && field !== 'apiVersion'),
    );
    assert.deepEqual(
      fields.map(([field]) => field),
      facts.map(([field]) => field),
    );
    for (const [[field, has], [, should, owner]] of fields.map((own, i) => [own, facts[i]!] as const)) {
      assert.deepEqual(describe(has), expected(should, owner), `${name}.${field}`);
    }
  });
}

test('types that JSON writes in several forms have those that the facts know', () => {
  for (const [name, { alternatives }] of unions) {
    assert.deepEqual(
      Object.values(alternatives).map(({ number, type }) => [number, type.name]),
      Object.values(types[name]!.fields!).map(({ n, type }) => [n, nameOf(type, name)]),
    );
  }
  assert.equal(unions.size, 3);
});

/** The fields of a type, and those that lie in it though another type has them, each with the type that does. */
function fieldsOf(name: string): [string, FactField, string][] {
  return Object.entries(types[name]?.fields ?? {}).flatMap(([field, fact]): [string, FactField, string][] =>
    fact.inline ? fieldsOf(qualify(fact.type, name)) : [[field, fact, name]],
  );
}

function describe(field: Field) {
  const merge: ListMerge =
    field.type instanceof ListType ? field.type.merge : field.patch ? { patch: field.patch } : {};
  return {
    type: field.type.name,
    number: field.number,
    optional: field.optional,
    required: field.required,
    // Structs without presence are written in any case, whatever the facts say.
    omitEmpty: field.type.ignoresOmitEmpty && !field.optional ? undefined : field.omitEmpty,
    list: merge.type,
    keys: merge.keys,
    patch: merge.patch,
    patchKey: merge.patchKey,
  };
}

function expected(fact: FactField, owner: string) {
  const alwaysWritten =
    /^(meta\/v1\.)?(Micro)?Time$|RawExtension$|^api\/resource\.Quantity$|IntOrString$/.test(fact.type) ||
    isStruct(fact.type, owner);
  // The fact is on the field itself; a struct cannot be a list.
  const isList = (types[qualify(fact.type, owner)]?.alias ?? fact.type).startsWith('[]');
  return {
    type: nameOf(fact.type, owner),
    number: fact.n,
    optional: fact.ptr ?? false,
    required: fact.required ?? false,
    omitEmpty: alwaysWritten && !fact.ptr ? undefined : (fact.omitempty ?? false),
    list: isList ? fact.list : undefined,
    keys: fact.keys,
    patch: fact.patch,
    patchKey: fact.patchKey,
  };
}

/** With its package; the type that another is only a second name of. */
function qualify(type: string, owner: string): string {
  const name = /^[A-Z]/.test(type) ? `${owner.slice(0, owner.indexOf('.'))}.${type}` : type;
  const { alias } = types[name] ?? {};
  return alias && /^[a-z]+\/v\w+\.\w+$/.test(alias) ? alias : name;
}

function isStruct(type: string, owner: string): boolean {
  return types[qualify(type, owner)]?.fields !== undefined;
}

/** The facts' name of a type as messages have it. */
function nameOf(type: string, owner: string): string {
  if (type.startsWith('[]')) return `[]${nameOf(type.slice(2), owner)}`;
  const map = /^map\[(\w+)\](.+)$/.exec(type);
  if (map) return `map[${nameOf(map[1]!, owner)}]${nameOf(map[2]!, owner)}`;
  if (type === 'bytes') return '[]uint8';
  return qualify(type, owner).replace(/^.*\//, '');
}

test('open enums list the values that the facts list', () => {
  for (const schema of structs.values()) {
    for (const { type } of Object.values(schema.fields) as Field[]) {
      if (!type.values) continue;
      const fact = Object.entries(types).find(
        ([name, { values }]) => values && name.endsWith(`/${type.name}`),
      );
      assert.deepEqual(type.values, fact?.[1].values, type.name);
    }
  }
});

for (const definition of definitions) {
  const name = `${kubernetes.apiVersion(definition.group, definition.version)} ${definition.plural}`;
  test(`${name} is what the facts say: scope, names, verbs, subresources, selectors`, () => {
    const fact = resources[name]!;
    assert.deepEqual(
      {
        kind: definition.kind,
        scope: definition.namespaced ? 'Namespaced' : 'Cluster',
        singular: definition.singular,
        short: definition.shortNames,
        categories: definition.categories,
        verbs: definition.verbs,
      },
      {
        kind: fact.kind,
        scope: fact.scope,
        singular: fact.singular,
        short: fact.short ?? [],
        categories: fact.categories ?? [],
        verbs: fact.verbs,
      },
    );
    const absent = unserved[name] ?? [];
    const facts = Object.entries(fact.subresources ?? {}).filter(
      ([subresource]) => !absent.includes(subresource),
    );
    assert.deepEqual(
      Object.fromEntries(
        Object.entries(definition.subresources).map(([subresource, { verbs }]) => [subresource, verbs]),
      ),
      Object.fromEntries(facts.map(([subresource, { verbs }]) => [subresource, verbs])),
    );
    assert.deepEqual(
      [...(definition.selectableFieldNames ?? [])].sort(),
      [...(fact.selectors ?? [])].filter((selector) => !absent.includes(selector)).sort(),
    );
  });
}

test('every resource of the facts is there', () => {
  assert.deepEqual(
    definitions
      .map(({ group, version, plural }) => `${kubernetes.apiVersion(group, version)} ${plural}`)
      .sort(),
    Object.keys(resources).sort(),
  );
});
