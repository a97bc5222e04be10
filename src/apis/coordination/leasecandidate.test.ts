import assert from 'node:assert/strict';
import { test } from 'node:test';
import { orch } from '../../dialect/index.ts';
import { everyFeature } from '../../kind/features/everything.fixture.ts';
import { tryCreate, tryUpdate } from '../try-rules.ts';
import { leasecandidates } from './leasecandidate.ts';

const candidates = leasecandidates({ dialect: orch, features: everyFeature });
const spec = {
  leaseName: 'l',
  strategy: 'OldestEmulationVersion',
  binaryVersion: '1.33.0',
  emulationVersion: '1.32.0',
};
const problems = (changes: object) => tryCreate(candidates, { spec: { ...spec, ...changes } }).problems;

test('LeaseCandidate: the lease, the version and the strategy are required', () => {
  assert.deepEqual(tryCreate(candidates, {}).problems, [
    'spec.leaseName: Required value',
    'spec.binaryVersion: Required value',
    'spec.strategy: Required value',
  ]);
  assert.deepEqual(problems({}), []);
});

test('LeaseCandidate: a program does not emulate a version above its own', () => {
  assert.deepEqual(problems({ emulationVersion: '1.34.0' }), [
    'spec.binaryVersion: Invalid value: "1.33.0": must be greater than or equal to `emulationVersion`',
  ]);
});

test('LeaseCandidate: versions have three numbers', () => {
  for (const version of ['x', '1.33', 'v1.33.0']) {
    assert.match(problems({ binaryVersion: version })[0]!, /must be a valid semantic version/);
  }
});

test('LeaseCandidate: it stands for one lease', () => {
  assert.deepEqual(tryUpdate(candidates, { spec }, { spec: { ...spec, leaseName: 'other' } }).problems, [
    'spec.leaseName: Invalid value: "other": field is immutable',
  ]);
});

test('LeaseCandidate: a name follows the rule of keys in a ConfigMap', () => {
  const named = (name: string) => tryCreate(candidates, { metadata: { name }, spec }).problems;
  for (const name of ['Ab', 'a_b', 'a.b', '-a']) assert.deepEqual(named(name), [], name);
  for (const name of ['a b', 'a/b', 'a:b', '..a']) assert.match(named(name)[0]!, /^metadata\.name: /, name);
});
