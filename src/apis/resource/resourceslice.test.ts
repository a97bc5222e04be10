import assert from 'node:assert/strict';
import { test } from 'node:test';
import { orch } from '../../dialect/index.ts';
import { everyFeature } from '../../kind/features/everything.fixture.ts';
import { tryCreate, tryUpdate } from '../try-rules.ts';
import { resourceslices } from './resourceslice-definition.ts';
import { resourceslicesV1beta2 } from './resourceslice-v1beta2-definition.ts';

const context = { dialect: orch, features: everyFeature };
const slices = resourceslices(context);
const slice = (changes: object = {}) => ({
  spec: {
    driver: 'd.example.com',
    pool: { name: 'p', generation: 1, resourceSliceCount: 1 },
    nodeName: 'n',
    devices: [],
    ...changes,
  },
});
const problems = (changes: object) => tryCreate(slices, slice(changes)).problems;
const having = (basic: object, changes: object = {}) =>
  problems({ devices: [{ name: 'd', basic }], ...changes });

test('where the devices are is said in just one way', () => {
  assert.deepEqual(problems({}), []);
  assert.deepEqual(problems({ nodeName: '', allNodes: true }), []);
  assert.match(problems({ nodeName: '' })[0]!, /^spec: Required value: exactly one of/);
  assert.match(problems({ allNodes: true })[0]!, /"\{`nodeName`, `allNodes`\}"/);
});

test('v1beta2 tells an empty name and a false from nothing', () => {
  const refused = (changes: object) => tryCreate(resourceslicesV1beta2(context), slice(changes)).problems[0]!;
  assert.match(refused({ nodeName: '' }), /^spec\.nodeName: Invalid value: "": must be either unset/);
  assert.match(refused({ nodeName: null, allNodes: false }), /^spec\.allNodes: Invalid value: false/);
});

test('devices say where they are only where the slice leaves it to them', () => {
  assert.match(having({ nodeName: 'n' })[0]!, /can only be set if `perDeviceNodeSelection`/);
  const perDevice = { nodeName: '', perDeviceNodeSelection: true };
  assert.deepEqual(having({ nodeName: 'n' }, perDevice), []);
  assert.match(having({}, perDevice)[0]!, /is required when `perDeviceNodeSelection`/);
});

test('attributes have one value each, and names that are identifiers', () => {
  const values = [{ int: 0 }, { bool: false }, { string: '' }, { version: '1.2.3-rc.1+b' }];
  for (const value of values)
    assert.deepEqual(having({ attributes: { a: value, 'x.example.com/b': value } }), []);
  assert.match(having({ attributes: { a: {} } })[0]!, /exactly one value must be specified/);
  assert.match(
    having({ attributes: { a: { int: 1, bool: true } } })[0]!,
    /exactly one value must be specified/,
  );
  assert.match(having({ attributes: { a: { version: '1.2' } } })[0]!, /semver\.org spec 2\.0\.0/);
  assert.match(having({ attributes: { 'a-b': { int: 1 } } })[0]!, /a valid C identifier/);
  assert.match(
    having({ attributes: { a: { string: 'x'.repeat(65) } } })[0]!,
    /may not be more than 64 bytes/,
  );
});

test('counters that devices use up are there', () => {
  const counters = { c: { value: '1' } };
  const sharedCounters = [{ name: 's', counters }];
  assert.deepEqual(having({ consumesCounters: [{ counterSet: 's', counters }] }, { sharedCounters }), []);
  assert.match(
    having({ consumesCounters: [{ counterSet: 'zz', counters }] }, { sharedCounters })[0]!,
    /must reference a counterSet defined/,
  );
});

test('at most 128 devices, each with a name of its own', () => {
  const many = (count: number) =>
    problems({ devices: Array.from({ length: count }, (_, i) => ({ name: `d${i}` })) });
  assert.deepEqual(many(128), []);
  assert.deepEqual(many(129), ['spec.devices: Too many: 129: must have at most 128 items']);
  assert.match(problems({ devices: [{ name: 'd' }, { name: 'd' }] })[0]!, /Duplicate value: "d"/);
});

test('driver, pool and node stay; other changes are a new generation', () => {
  for (const [changes, field] of [
    [{ driver: 'x' }, 'spec.driver'],
    [{ pool: { name: 'q', resourceSliceCount: 1 } }, 'spec.pool.name'],
    [{ nodeName: 'm' }, 'spec.nodeName'],
  ] as const) {
    const { problems: found } = tryUpdate(slices, slice(), slice(changes));
    assert.match(found[0]!, new RegExp(`^${field}: Invalid value: .*: field is immutable$`));
  }
  assert.equal(tryUpdate(slices, slice(), slice({ devices: [{ name: 'd' }] })).object.metadata.generation, 2);
});

test('slices are selected by node and driver', () => {
  const { object } = tryCreate(slices, slice());
  assert.deepEqual(slices.selectableFields?.(object), {
    'spec.nodeName': 'n',
    'spec.driver': 'd.example.com',
  });
});

test('taints say since when they are there', () => {
  const { object } = tryCreate(
    slices,
    slice({ devices: [{ name: 'd', basic: { taints: [{ key: 'a', effect: 'NoExecute' }] } }] }),
  );
  assert.equal(object.spec.devices?.[0]?.basic?.taints?.[0]?.timeAdded, '2030-01-02T03:04:05Z');
});
