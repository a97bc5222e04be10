import assert from 'node:assert/strict';
import { test } from 'node:test';
import { orch } from '../../dialect/index.ts';
import { everyFeature } from '../../kind/features/everything.fixture.ts';
import { tryCreate, tryUpdate } from '../try-rules.ts';
import { resourcequotas } from './resourcequota-definition.ts';

const quotas = resourcequotas({ dialect: orch, features: everyFeature });
const problems = (spec: object) => tryCreate(quotas, { spec }).problems;
const selected = (requirement: object) => problems({ scopeSelector: { matchExpressions: [requirement] } });

test('ResourceQuota: hard limits are amounts of resources that can be counted', () => {
  assert.deepEqual(problems({ hard: { cpu: '1', pods: '5', 'count/jobs.batch': '2' } }), []);
  assert.deepEqual(problems({ hard: { cpu: '-1' } }), [
    'spec.hard[cpu]: Invalid value: "-1": must be greater than or equal to 0',
  ]);
  assert.match(problems({ hard: { foo: '1' } }).join(), /must be a standard resource for quota/);
});

test('ResourceQuota: scopes are known and do not exclude each other', () => {
  assert.deepEqual(problems({ scopes: ['BestEffort'], hard: { pods: '1' } }), []);
  assert.match(problems({ scopes: ['X'] })[0]!, /unsupported scope/);
  assert.match(problems({ scopes: ['Terminating', 'NotTerminating'] })[0]!, /conflicting scopes/);
});

test('ResourceQuota: a scope fits the resources that are limited', () => {
  assert.match(
    problems({ scopes: ['BestEffort'], hard: { cpu: '1' } })[0]!,
    /unsupported scope applied to resource/,
  );
});

test('ResourceQuota: values are non-empty for In and NotIn, and empty for Exists and DoesNotExist', () => {
  const scopeName = 'PriorityClass';
  for (const operator of ['In', 'NotIn']) {
    assert.deepEqual(selected({ scopeName, operator, values: ['a'] }), []);
    assert.match(selected({ scopeName, operator })[0]!, /must be at least one value/);
  }
  for (const operator of ['Exists', 'DoesNotExist']) {
    assert.deepEqual(selected({ scopeName, operator }), []);
    assert.match(selected({ scopeName, operator, values: ['a'] })[0]!, /must be no value/);
  }
  assert.match(selected({ scopeName, operator: 'Near' })[0]!, /not a valid selector operator/);
});

test('ResourceQuota: scopes do not change, limits do', () => {
  const spec = { scopes: ['BestEffort'], hard: { pods: '1' } };
  assert.deepEqual(tryUpdate(quotas, { spec }, { spec: { ...spec, hard: { pods: '2' } } }).problems, []);
  assert.match(
    tryUpdate(quotas, { spec }, { spec: { hard: { pods: '1' } } }).problems[0]!,
    /field is immutable/,
  );
});

test('ResourceQuota: deletion answers with the object', () => {
  assert.equal(quotas.strategy.deleteReturnsObject, true);
});
