// Tests of the allocator of devices: counts, all devices, admin access, constraints with backtracking, alternatives and limits.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as cel from '../cel/index.ts';
import { DeviceAllocator, deviceKey } from './allocator.ts';
import type { AttributeConstraint, RequestedDevices } from './claim-requests.ts';
import { DeviceMatcher } from './device-matcher.ts';
import { type PoolSlice, poolsOf } from './pools.ts';
import { SelectorExpressions } from './selector-expressions.ts';

const driver = 'gpu.example.com';
const matcher = new DeviceMatcher(new SelectorExpressions(cel, 'orch'));
const model = (value: string) => `device.attributes["${driver}"].model == "${value}"`;

/** A pool whose devices are named after their models: `a-0`. */
const slice = (names: readonly string[], more: Partial<PoolSlice> = {}): PoolSlice => ({
  driver,
  pool: 'p',
  generation: 1,
  sliceCount: 1,
  devices: names.map((name) => ({
    driver,
    pool: more.pool ?? 'p',
    name,
    attributes: { model: { string: name.split('-')[0]! }, [`${driver}/slot`]: { int: Number(name.at(-1)) } },
  })),
  ...more,
});

type TestRequest = Partial<RequestedDevices> & { readonly alternatives?: Partial<RequestedDevices>[] };

/** The names of the devices of a claim by request, or `none`. */
function allocate(
  requests: readonly TestRequest[],
  {
    slices = [slice(['a-0', 'a-1', 'b-0', 'b-1'])],
    constraints = [] as readonly AttributeConstraint[],
    allocated = [] as readonly string[],
    classSelectors = [] as readonly string[],
  } = {},
): Record<string, string[]> | string {
  const complete = (name: string, request: Partial<RequestedDevices>): RequestedDevices => ({
    ...{ name, className: 'c', selectors: [], count: 1, hasAdminAccess: false },
    ...request,
  });
  const claim = {
    key: 'ns/claim',
    constraints,
    requests: requests.map(({ alternatives, ...request }, i) => {
      const name = request.name ?? `r${i}`;
      return { name, alternatives: (alternatives ?? [request]).map((each) => complete(name, each)) };
    }),
  };
  const keys = new Set(allocated.map((name) => deviceKey({ driver, pool: 'p', name })));
  const allocator = new DeviceAllocator([claim], {
    matcher,
    classSelectors: () => classSelectors,
    isAllocated: (key) => keys.has(key),
  });
  const result = allocator.allocate(poolsOf(slices));
  if (!result) return allocator.isExhausted ? 'exhausted' : 'none';
  const names: Record<string, string[]> = {};
  for (const { requested, device } of result[0]!) {
    names[requested.name] = [...(names[requested.name] ?? []), device.name];
  }
  return names;
}

test('requests get the first devices that match the selectors of the class and their own', () => {
  assert.deepEqual(allocate([{}]), { r0: ['a-0'] });
  assert.deepEqual(allocate([{}, {}]), { r0: ['a-0'], r1: ['a-1'] });
  assert.deepEqual(allocate([{ selectors: [model('b')], count: 2 }]), { r0: ['b-0', 'b-1'] });
  assert.deepEqual(allocate([{ selectors: [model('b')] }], { classSelectors: [model('a')] }), 'none');
  assert.deepEqual(allocate([{ count: 4 }]), { r0: ['a-0', 'a-1', 'b-0', 'b-1'] });
  assert.deepEqual(allocate([{ count: 5 }]), 'none');
  assert.deepEqual(allocate([]), {});
});

test('allocated devices are taken only for admin access, which takes them from nobody', () => {
  assert.deepEqual(allocate([{}], { allocated: ['a-0'] }), { r0: ['a-1'] });
  assert.deepEqual(allocate([{ hasAdminAccess: true }, {}], { allocated: ['a-1'] }), {
    r0: ['a-0'],
    r1: ['a-0'],
  });
});

test('a request for all devices needs every matching device, and at least one', () => {
  assert.deepEqual(allocate([{ count: 'all', selectors: [model('b')] }]), { r0: ['b-0', 'b-1'] });
  assert.equal(allocate([{ count: 'all' }], { allocated: ['b-1'] }), 'none');
  assert.equal(allocate([{ count: 'all', selectors: [model('c')] }]), 'none');
  assert.deepEqual(allocate([{ count: 'all', hasAdminAccess: true }], { allocated: ['b-1'] }), {
    r0: ['a-0', 'a-1', 'b-0', 'b-1'],
  });
  const incomplete = [slice(['a-0'], { sliceCount: 2 })];
  assert.deepEqual(allocate([{}], { slices: incomplete }), { r0: ['a-0'] });
  assert.throws(() => allocate([{ count: 'all' }], { slices: incomplete }), {
    message: `claim ns/claim, request r0: asks for all devices, but resource pool ${driver}/p is currently being updated`,
  });
});

test('matchAttribute finds devices with a common value by backtracking', () => {
  const sameModel = { requests: [], attribute: `${driver}/model` };
  assert.deepEqual(allocate([{}, { selectors: [model('b')] }], { constraints: [sameModel] }), {
    r0: ['b-0'],
    r1: ['b-1'],
  });
  const sameSlot = { requests: ['r0', 'r1'], attribute: `${driver}/slot` };
  assert.deepEqual(allocate([{}, {}, {}], { constraints: [sameSlot] }), {
    r0: ['a-0'],
    r1: ['b-0'],
    r2: ['a-1'],
  });
  assert.deepEqual(
    allocate([{ count: 2 }], { constraints: [sameModel, { ...sameSlot, requests: [] }] }),
    'none',
  );
  assert.equal(allocate([{}], { constraints: [{ requests: [], attribute: `${driver}/none` }] }), 'none');
});

test('the first alternative that can be satisfied is used', () => {
  const alternatives = [
    { name: 'r0/many', count: 3, selectors: [model('a')] },
    { name: 'r0/two', count: 2, selectors: [model('b')] },
  ];
  assert.deepEqual(allocate([{ alternatives }]), { 'r0/two': ['b-0', 'b-1'] });
});

test('errors of claims, classes and pools abort the allocation', () => {
  const unknown = [`device.attributes["${driver}"].none == 1`];
  assert.throws(() => allocate([{ selectors: unknown }]), {
    message: 'claim ns/claim: selector #0: CEL runtime error: no such key: none',
  });
  assert.throws(() => allocate([{}], { classSelectors: unknown }), {
    message: 'class c: selector #0: CEL runtime error: no such key: none',
  });
  assert.throws(() => allocate([{ count: 20 }, { count: 13 }]), {
    message: 'claim ns/claim: number of requested devices 33 exceeds the claim limit of 32',
  });
  const twice = [slice(['a-0', 'a-0'])];
  assert.throws(() => allocate([{}], { slices: twice }), {
    message: `pool ${driver}/p is invalid: duplicate device name a-0`,
  });
});

test('a search with too many combinations ends', () => {
  const names = Array.from({ length: 60 }, (_, i) => `m${i % 30}-${i}`);
  const constraints = [{ requests: ['r1', 'r2', 'r3'], attribute: `${driver}/model` }];
  const result = allocate([{ count: 8 }, {}, {}, {}], { slices: [slice(names)], constraints });
  assert.equal(result, 'exhausted');
});
