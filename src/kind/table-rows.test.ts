import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { builtinKinds } from '../apis/index.ts';
import { parseJson } from '../codec/json/parse.ts';
import { stringifyJson } from '../codec/json/stringify.ts';
import { kubernetes } from '../dialect/index.ts';
import { jsonOf } from '../schema/random-json.fixture.ts';
import type { ApiObject } from './api-object.ts';
import { everyFeature } from './features/everything.fixture.ts';
import { ageFormatterAt, renderAgeTemplate } from './table/age-formatter.ts';
import type { TableLayout } from './table.ts';
import { columnDefinitions, defaultLayout, rowOf } from './table-rows.ts';

const now = ageFormatterAt(Date.parse('2026-01-01T00:00:00Z'));

test('rowOf of a kind without columns has the name and the creation time', () => {
  const object: ApiObject = {
    apiVersion: 'v1',
    kind: 'X',
    metadata: { name: 'a', creationTimestamp: '2025-12-31T00:00:00Z' },
  };
  assert.deepEqual(rowOf(defaultLayout, object, now), { cells: ['a', '2025-12-31T00:00:00Z'] });
  assert.deepEqual(
    columnDefinitions(defaultLayout).map(({ name, type, format, priority }) => [
      name,
      type,
      format,
      priority,
    ]),
    [
      ['Name', 'string', 'name', 0],
      ['Created At', 'date', '', 0],
    ],
  );
});

test('rowOf omits empty conditions', () => {
  const layout: TableLayout = {
    ...defaultLayout,
    conditions: ({ metadata }) => (metadata.name === 'done' ? [{ type: 'Completed', status: 'True' }] : []),
  };
  const row = (name: string) => rowOf(layout, { apiVersion: '', kind: '', metadata: { name } }, now);
  assert.equal(row('a').conditions, undefined);
  assert.deepEqual(row('done').conditions, [{ type: 'Completed', status: 'True' }]);
});

for (const definition of builtinKinds({ dialect: kubernetes, features: everyFeature })) {
  const { group, version, kind, schema, table } = definition;
  if (!table || definition.conversion) continue;
  test(`any object has a row, even an empty one: ${group || 'core'}/${version} ${kind}`, () => {
    const check = (object: ApiObject) => {
      const row = rowOf(table, object, now);
      assert.equal((row.cells as unknown[]).length, table.columns.length);
      const kept = renderAgeTemplate((then) => stringifyJson(rowOf(table, object, then)));
      const said = kept.moments.map((moment, i) => kept.texts[i] + now.ago(moment));
      assert.equal([...said, kept.texts.at(-1)].join(''), stringifyJson(row));
    };
    check(schema.zero());
    fc.assert(
      fc.property(jsonOf(schema), (json) =>
        check(schema.decode(parseJson(JSON.stringify(json)).value).object),
      ),
      { numRuns: 20 },
    );
  });
}
