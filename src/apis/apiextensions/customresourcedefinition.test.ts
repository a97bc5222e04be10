import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  create,
  custom,
  field,
  firstProblem,
  problems,
  update,
  version,
  withVersion,
} from './definitions.fixture.ts';

test('the name must be the plural name and the group', async () => {
  assert.deepEqual(await problems(custom()), []);
  assert.deepEqual(await problems(custom({}, 'other.example.com')), [
    'metadata.name: Invalid value: "other.example.com": must be spec.names.plural+"."+spec.group',
  ]);
});

test('the group is required, a domain with a dot, and served under its name', async () => {
  assert.match(await firstProblem(custom({ group: '' }, 'foos.x')), /metadata\.name/);
  assert.ok((await problems(custom({ group: '' }, 'foos.'))).includes('spec.group: Required value'));
  assert.deepEqual(await problems(custom({ group: 'nodot' }, 'foos.nodot')), [
    'spec.group: Invalid value: "nodot": should be a domain with at least one dot',
  ]);
});

test('a kind in a group of the service itself says where that was agreed', async () => {
  const inOwnGroup = (annotations?: object) => ({
    ...custom({ group: 'x.orch.io' }),
    metadata: { name: 'foos.x.orch.io', ...(annotations && { annotations }) },
  });
  const key = 'api-approved.orch.io';
  assert.match(
    await firstProblem(inOwnGroup()),
    /^metadata\.annotations\[api-approved\.orch\.io\]: Required value/,
  );
  assert.match(await firstProblem(inOwnGroup({ [key]: 'bogus' })), /with either a URL or a reason/);
  assert.deepEqual(await problems(inOwnGroup({ [key]: 'https://example.com/agreed' })), []);
  assert.deepEqual(await problems(inOwnGroup({ [key]: 'unapproved, a try' })), []);
});

test('names: kind and plural are required, singular and listKind follow from the kind', async () => {
  const { spec } = await (await create(custom())).object;
  assert.deepEqual(spec.names, { plural: 'foos', kind: 'Foo', singular: 'foo', listKind: 'FooList' });
  assert.deepEqual((await problems(custom({ names: {} }))).slice(1), [
    'spec.names.plural: Required value',
    'spec.names.singular: Required value',
    'spec.names.kind: Required value',
    'spec.names.listKind: Required value',
  ]);
});

test('names: plural, singular, short names and categories are in lower case', async () => {
  const names = { plural: 'foos', kind: 'Foo', singular: 'Foo', shortNames: ['F'], categories: ['All'] };
  const fields = (await problems(custom({ names }))).map((problem) => problem.split(':')[0]);
  assert.deepEqual(fields, ['spec.names.singular', 'spec.names.shortNames[0]', 'spec.names.categories[0]']);
});

test('names: kind and listKind may not be the same', async () => {
  assert.deepEqual(await problems(custom({ names: { plural: 'foos', kind: 'Foo', listKind: 'Foo' } })), [
    'spec.names.listKind: Invalid value: "Foo": kind and listKind may not be the same',
  ]);
});

test('the scope is required, and Cluster or Namespaced', async () => {
  assert.deepEqual(await problems(custom({ scope: 'Cluster' })), []);
  assert.deepEqual(await problems(custom({ scope: '' })), ['spec.scope: Required value']);
  assert.deepEqual(await problems(custom({ scope: 'X' })), [
    'spec.scope: Unsupported value: "X": supported values: "Cluster", "Namespaced"',
  ]);
});

test('versions: exactly one is stored', async () => {
  assert.match(
    await firstProblem(withVersion({ storage: false })),
    /must have exactly one version marked as storage/,
  );
  assert.match(
    await firstProblem(custom({ versions: [version('v1'), version('v2', { storage: true })] })),
    /must have exactly one version marked as storage/,
  );
  assert.match(
    await firstProblem(custom({ versions: [] })),
    /must have exactly one version marked as storage/,
  );
});

test('versions: names are DNS labels, and there once', async () => {
  assert.match(await firstProblem(withVersion({ name: 'V_1' })), /^spec\.versions\[0\]\.name: Invalid value/);
  assert.match(
    await firstProblem(custom({ versions: [version('v1'), version('v1', { storage: false })] })),
    /must contain unique version names/,
  );
});

test('versions: a warning of deprecation only with deprecated, on one line, of 256 characters', async () => {
  assert.deepEqual(await problems(withVersion({ deprecated: true, deprecationWarning: 'move on' })), []);
  assert.match(
    await firstProblem(withVersion({ deprecationWarning: 'x' })),
    /can only be set for deprecated versions/,
  );
  const warned = (deprecationWarning: string) =>
    firstProblem(withVersion({ deprecated: true, deprecationWarning }));
  assert.match(await warned(''), /must not be an empty string/);
  assert.match(await warned('x'.repeat(257)), /must be <= 256 characters long/);
  assert.match(await warned('a\nb'), /non-printable character found at index 1/);
});

test('every version has a schema', async () => {
  assert.deepEqual(await problems(withVersion({ schema: null })), [
    'spec.versions[0].schema.openAPIV3Schema: Required value: schemas are required',
  ]);
});

test('preserveUnknownFields: true is not allowed', async () => {
  assert.deepEqual(await problems(custom({ preserveUnknownFields: true })), [
    'spec.preserveUnknownFields: Invalid value: true: cannot set to true, set x-orch-preserve-unknown-fields to true in spec.versions[*].schema instead',
  ]);
});

test('printer columns have a name, a type and a path', async () => {
  const column = (changes: object) =>
    problems(
      withVersion({ additionalPrinterColumns: [{ name: 'A', type: 'string', jsonPath: '.a', ...changes }] }),
    );
  assert.deepEqual(await column({ format: 'date-time', priority: 1 }), []);
  assert.deepEqual(await column({ format: 'name' }), []);
  assert.deepEqual(await column({ name: '' }), ['spec.additionalPrinterColumns[0].name: Required value']);
  assert.match((await column({ type: 'x' }))[0]!, /must be one of boolean,date,integer,number,string/);
  assert.match((await column({ jsonPath: 'a' }))[0]!, /must be a simple json path starting with \./);
});

test('scale: the wished number lies under .spec, the present one under .status, the selector under either', async () => {
  const scale = (changes: object) =>
    problems(
      withVersion({
        subresources: { scale: { specReplicasPath: '.spec.r', statusReplicasPath: '.status.r', ...changes } },
      }),
    );
  assert.deepEqual(await scale({}), []);
  assert.deepEqual(await scale({ labelSelectorPath: '.spec.s' }), []);
  assert.deepEqual(await scale({ labelSelectorPath: '.status.s' }), []);
  assert.match((await scale({ specReplicasPath: '.status.r' }))[0]!, /should be a json path under \.spec/);
  assert.match((await scale({ statusReplicasPath: '.spec.r' }))[0]!, /should be a json path under \.status/);
  assert.match((await scale({ labelSelectorPath: '.metadata.s' }))[0]!, /under either \.spec or \.status/);
  assert.match((await scale({ specReplicasPath: '' }))[0]!, /specReplicasPath: Required value/);
});

const selecting = (...paths: string[]) =>
  problems(
    withVersion({
      selectableFields: paths.map((jsonPath) => ({ jsonPath })),
      schema: {
        openAPIV3Schema: {
          type: 'object',
          properties: {
            spec: {
              type: 'object',
              properties: {
                ...Object.fromEntries([...'abcdefghi'].map((name) => [name, { type: 'string' }])),
                flag: { type: 'boolean' },
                count: { type: 'integer' },
                ratio: { type: 'number' },
                list: { type: 'array', items: { type: 'string' } },
              },
            },
          },
        },
      },
    }),
  );

test('selectable fields go by the schema of their version, also where versions share one', async () => {
  const schemaWith = (...names: string[]) => {
    const texts = Object.fromEntries(names.map((name) => [name, { type: 'string' }]));
    return {
      openAPIV3Schema: { type: 'object', properties: { spec: { type: 'object', properties: texts } } },
    };
  };
  const two = (one: string, other: string, schema = schemaWith('a', 'b'), otherSchema = schema) =>
    problems(
      custom({
        versions: [
          version('v1', { schema, selectableFields: [{ jsonPath: one }] }),
          version('v2', { schema: otherSchema, storage: false, selectableFields: [{ jsonPath: other }] }),
        ],
      }),
    );
  assert.deepEqual(await two('.spec.a', '.spec.b'), []);
  assert.deepEqual(await two('.spec.a', '.spec.a', schemaWith('a'), schemaWith('a', 'b')), []);
  assert.match(
    (await two('.spec.a', '.spec.c'))[0]!,
    /^spec\.versions\[1\]\.selectableFields\[0\]\.jsonPath/,
  );
  assert.match(
    (await two('.spec.a', '.spec.a', schemaWith('a'), schemaWith('b')))[0]!,
    /^spec\.versions\[1\]\.selectableFields\[0\]\.jsonPath/,
  );
});

test('selectable fields: at most 8', async () => {
  assert.deepEqual(await selecting(...[...'abcdefgh'].map((name) => `.spec.${name}`)), []);
  assert.deepEqual(await selecting(...[...'abcdefghi'].map((name) => `.spec.${name}`)), [
    'spec.selectableFields: Too many: 9: must have at most 8 items',
  ]);
});

test('selectable fields: strings, booleans and integers, no list notation, not metadata', async () => {
  assert.deepEqual(await selecting('.spec.a', '.spec.flag', '.spec.count'), []);
  assert.match(
    (await selecting('.spec.ratio'))[0]!,
    /must point to a field of type string, boolean or integer/,
  );
  assert.match((await selecting('.spec.list[0]'))[0]!, /array notation is not allowed/);
  assert.match((await selecting('.metadata.name'))[0]!, /does not refer to a valid field/);
  assert.match((await selecting(''))[0]!, /Required value/);
});

test('what all versions have in common is spoken of once', async () => {
  const broken = { schema: { openAPIV3Schema: { type: 'object', properties: { a: {} } } } };
  const both = custom({ versions: [version('v1', broken), version('v2', broken)] });
  assert.match(await firstProblem(both), /^spec\.validation\.openAPIV3Schema\.properties\[a\]\.type/);
  const one = custom({ versions: [version('v1'), version('v2', broken)] });
  assert.match(
    await firstProblem(one),
    /^spec\.versions\[1\]\.schema\.openAPIV3Schema\.properties\[a\]\.type/,
  );
});

test('a new kind has the storage version among the stored ones, and no conditions yet', async () => {
  const { object } = await create({
    ...custom(),
    status: { storedVersions: ['v9'], conditions: [{ type: 'A' }] },
  });
  assert.deepEqual(object.status, { acceptedNames: { plural: '', kind: '' }, storedVersions: ['v1'] });
  assert.equal(object.metadata.generation, 1);
});

test('a change of the spec is a new generation, and a new storage version is remembered', async () => {
  const versions = [version('v1', { storage: false }), version('v2', { storage: true })];
  const { object, problems: found } = await update(custom(), custom({ versions }));
  assert.deepEqual(found, []);
  assert.deepEqual(object.status.storedVersions, ['v1', 'v2']);
  assert.equal(object.metadata.generation, 2);
  assert.equal((await update(custom(), custom())).object.metadata.generation, 1);
});

test('a version stays as long as objects may be stored in it', async () => {
  const { problems: found } = await update(
    custom(),
    custom({ versions: [version('v2', { storage: true })] }),
  );
  assert.match(found[0]!, /^status\.storedVersions\[0\]: Invalid value: "v1": missing from spec\.versions/);
});

test('group and plural name stay', async () => {
  const { problems: found } = await update(custom(), custom({ names: { plural: 'bars', kind: 'Foo' } }));
  assert.deepEqual(found, ['spec.names.plural: Invalid value: "bars": field is immutable']);
});

test('the status is written beside the spec, and its names are checked', async () => {
  const changed = {
    ...custom({ scope: 'Cluster' }),
    status: { acceptedNames: { plural: 'Q.', kind: 'Foo' } },
  };
  const { object, problems: found } = await update(custom(), changed, 'status');
  assert.equal(object.spec.scope, 'Namespaced');
  assert.match(found[0]!, /^status\.acceptedNames\.plural: Invalid value: "Q\."/);
});

test('schema extensions go by the dialect', async () => {
  assert.deepEqual(await problems(field({ 'x-orch-int-or-string': true })), []);
  assert.match(await firstProblem(field({ 'x-kubernetes-int-or-string': true })), /type: Required value/);
});
