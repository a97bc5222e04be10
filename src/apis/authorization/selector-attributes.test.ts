import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseSelectors, selectorEvaluationError, validateSelectors } from './selector-attributes.ts';

const path = 'spec.resourceAttributes';

test('restrictionsOf reads a selector that is given as text', () => {
  const { fields, labels } = parseSelectors({
    fieldSelector: { rawSelector: 'spec.nodeName=a,status.phase!=Failed' },
    labelSelector: { rawSelector: 'app in (a,b),!legacy' },
  });
  assert.deepEqual(fields.requirements, [
    { field: 'spec.nodeName', value: 'a', equal: true },
    { field: 'status.phase', value: 'Failed', equal: false },
  ]);
  assert.deepEqual(labels.requirements, [
    { key: 'app', operator: 'in', values: ['a', 'b'] },
    { key: 'legacy', operator: 'absent', values: [] },
  ]);
});

test('restrictionsOf keeps what it understands and says that there was more', () => {
  const restrictions = parseSelectors({
    fieldSelector: {
      requirements: [
        { key: 'a', operator: 'In', values: ['b'] },
        { key: 'c', operator: 'In', values: ['d', 'e'] },
      ],
    },
    labelSelector: { requirements: [{ key: 'a', operator: 'constructor' as 'In' }] },
  });
  assert.equal(restrictions.fields.requirements.length, 1);
  assert.equal(
    selectorEvaluationError(restrictions),
    `${path}.fieldSelector partially ignored due to parse error; ${path}.labelSelector ignored due to parse error`,
  );
});

test('validateSelectors wants a selector once, and requirements that say something', () => {
  const fieldsOf = (attributes: Parameters<typeof validateSelectors>[0]) =>
    validateSelectors(attributes).map(({ field }) => field.slice(path.length + 1));
  assert.deepEqual(fieldsOf({ fieldSelector: {} }), ['fieldSelector.requirements']);
  assert.deepEqual(
    fieldsOf({ labelSelector: { rawSelector: 'a', requirements: [{ key: 'a', operator: 'Exists' }] } }),
    ['labelSelector.rawSelector'],
  );
  assert.deepEqual(fieldsOf({ fieldSelector: { requirements: [{ key: '', operator: 'In' }] } }), [
    'fieldSelector.requirements[0].key',
    'fieldSelector.requirements[0].values',
  ]);
  assert.deepEqual(
    fieldsOf({ fieldSelector: { requirements: [{ key: 'a', operator: 'Later' as 'In' }] } }),
    [],
  );
});
