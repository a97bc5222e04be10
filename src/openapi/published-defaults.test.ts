// Defaults in the OpenAPI schemas.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { kubernetes } from '../dialect/index.ts';
import { everyDocument } from './all-documents.fixture.ts';

interface FactType {
  readonly fields?: Readonly<
    Record<string, { readonly default?: string | number; readonly inline?: boolean }>
  >;
}

const facts: Readonly<Record<string, FactType>> = JSON.parse(
  readFileSync(new URL('../apis/testdata/facts-types.json', import.meta.url), 'utf8'),
);

/** What the facts say a field stands for when it is left out, as text. */
const known = new Map(
  Object.entries(facts).flatMap(([type, { fields = {} }]) =>
    Object.entries(fields).flatMap(([name, { default: value }]) =>
      value === undefined ? [] : [[`${kubernetes.schemaName(type)}.${name}`, `${value}`] as const],
    ),
  ),
);
const schemas = new Map(
  [...everyDocument(kubernetes).values()].flatMap(({ components }) =>
    Object.entries(components.schemas ?? {}),
  ),
);

test('the schemas have the defaults of the upstream types', () => {
  const told = [...known].map(([field]) => {
    const at = field.lastIndexOf('.');
    const property = schemas.get(field.slice(0, at))?.properties?.[field.slice(at + 1)];
    return [field, `${property?.default}`] as const;
  });
  assert.deepEqual(new Map(told), known);
});

test('all other defaults in the schemas are zero values', () => {
  const others = [...schemas].flatMap(([name, { properties = {} }]) =>
    Object.entries(properties)
      .map(([property, schema]) => [`${name}.${property}`, schema.default] as const)
      .filter(([field, value]) => value !== undefined && !known.has(field))
      .filter(([, value]) => !['""', '0', 'false', '{}'].includes(JSON.stringify(value))),
  );
  assert.deepEqual(others, []);
});
