import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { kubernetes } from '../dialect/index.ts';
import { everyFeature } from '../kind/features/everything.fixture.ts';
import { ageFormatterAt } from '../kind/table/age-formatter.ts';
import { builtinKinds } from './index.ts';

interface FactColumn {
  name: string;
  type: string;
  format?: string;
  priority?: number;
}
const facts: Record<string, FactColumn[]> = JSON.parse(
  readFileSync(new URL('./testdata/facts-tables.json', import.meta.url), 'utf8'),
);

for (const { group, version, plural, table, schema, conversion } of builtinKinds({
  dialect: kubernetes,
  features: everyFeature,
})) {
  test(`${kubernetes.apiVersion(group, version)} ${plural} has the columns of the facts`, () => {
    const columns = table?.columns.map(({ description, ...column }) => {
      assert.notEqual(description, '');
      return column;
    });
    assert.deepEqual(columns, facts[`${group} ${plural}`]);
  });
  test(`${kubernetes.apiVersion(group, version)} ${plural}: even an empty object has a cell for each column`, () => {
    // A Table shows the version that objects are stored in.
    if (!table || conversion) return;
    const cells = table.cells(schema.zero(), ageFormatterAt(0));
    assert.equal(cells.length, table.columns.length);
  });
}
