// Tests that the FieldsV1 of a new object equals that of a comparison with an empty object.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inEverySchema } from '../../apis/apply-laws.fixture.ts';
import { int32, string } from '../../schema/scalars.ts';
import { field, optional, struct } from '../../schema/struct.ts';
import { compareObjects, excludeFields } from './compare.ts';
import { createdFieldsV1 } from './created-fields.ts';
import { emptyFieldSet, encodeFieldsV1, fieldSetOfDottedPaths } from './field-set.ts';
import { InvalidListElement } from './list-elements.ts';
import { mergeSchemaOf } from './merge-schema.ts';
import { testPairs } from './random-schema.fixture.ts';

function comparedFieldsV1(...[schema, empty, object, reset]: Parameters<typeof createdFieldsV1>): string {
  const { added, modified } = excludeFields(compareObjects(schema, empty, object, 'object'), reset);
  return encodeFieldsV1(added.union(modified)).text;
}

/**
 * The name of InvalidListElement stands for the fields of an object whose list elements cannot be identified. Which of
 * several such elements is reported depends on the order of the traversal, and callers do not read it.
 */
function textOrProblem(fields: () => string | undefined): string | undefined {
  try {
    return fields();
  } catch (error) {
    if (error instanceof InvalidListElement) return InvalidListElement.name;
    throw error;
  }
}

inEverySchema((subjects, numRuns) => {
  testPairs('a new object has the fields that a comparison finds', subjects, numRuns, (shape, object) => {
    const created = textOrProblem(() => createdFieldsV1(shape, {}, object, emptyFieldSet)?.text);
    const compared = textOrProblem(() => comparedFieldsV1(shape, {}, object, emptyFieldSet));
    if (created !== undefined) assert.equal(created, compared);
  });
});

const Meta = struct('test/v1.Meta', { name: field(1, string), generateName: field(2, string) });
const schema = mergeSchemaOf(
  struct('test/v1.Kind', {
    metadata: field(1, Meta),
    spec: field(2, optional(struct('test/v1.Spec', { size: field(1, int32) }))),
    status: field(3, optional(struct('test/v1.Status', { ready: field(1, int32) }))),
  }),
);

test('name and reset fields get no manager', () => {
  const object = { metadata: { name: 'a', generateName: 'b' }, spec: { size: 1 }, status: { ready: 1 } };
  const reset = fieldSetOfDottedPaths(['status']);
  const expected = '{"f:metadata":{"f:generateName":{}},"f:spec":{".":{},"f:size":{}}}';
  assert.equal(createdFieldsV1(schema, { metadata: {} }, object, reset)?.text, expected);
  assert.equal(comparedFieldsV1(schema, { metadata: {} }, object, reset), expected);
});

test('an object whose empty state has fields is left to the comparison', () => {
  const object = { metadata: { name: 'a' }, spec: { size: 1 } };
  assert.equal(createdFieldsV1(schema, { metadata: {}, spec: {} }, object, emptyFieldSet), undefined);
});
