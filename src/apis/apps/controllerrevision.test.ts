import assert from 'node:assert/strict';
import { test } from 'node:test';
import { kubernetes } from '../../dialect/index.ts';
import { tryCreate, tryUpdate } from '../try-rules.ts';
import { controllerrevisions } from './controllerrevision.ts';

const definition = controllerrevisions(kubernetes);
const state = { data: { replicas: 3 }, revision: 1 };

test('a revision holds an object and counts from 0', () => {
  assert.deepEqual(tryCreate(definition, { ...state, revision: 0 }).problems, []);
  assert.deepEqual(tryCreate(definition, { revision: -1 }).problems, [
    'revision: Invalid value: -1: must be greater than or equal to 0',
    'data: Required value: data is mandatory',
  ]);
  assert.deepEqual(tryCreate(definition, { ...state, data: [] }).problems, [
    'data: Required value: data must be a valid JSON object',
  ]);
});

test('the data of a revision never changes; its number may', () => {
  assert.deepEqual(tryUpdate(definition, state, { ...state, revision: 2 }).problems, []);
  const { problems } = tryUpdate(definition, state, { ...state, data: { replicas: 4 } });
  assert.equal(problems.length, 1);
  assert.match(problems[0]!, /^data: Invalid value: runtime\.RawExtension\{.*\}: field is immutable$/);
});
