import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Endpoint, EndpointSlice } from '../../apis/discovery/endpointslice.ts';
import { maxEndpointsPerSlice, planSlices, type SlicePlan } from './slice-plan.ts';

const labels = { service: 's' };
const ports = [{ name: 'http', port: 80, protocol: 'TCP' }];

const endpoint = (id: number, ready = true): Endpoint => ({
  addresses: [`10.0.${id >> 8}.${id & 255}`],
  conditions: { ready },
  targetRef: { uid: `u${id}` },
});

let created = 0;

/** The slices after a plan was carried out. */
function apply(
  existing: readonly EndpointSlice[],
  { toCreate, toUpdate, toDelete }: SlicePlan,
): EndpointSlice[] {
  const updates = new Map(toUpdate.map(({ slice, content }) => [slice, content]));
  const changed = existing
    .filter((slice) => !toDelete.includes(slice))
    .map((slice) => ({ ...slice, ...updates.get(slice) }) as EndpointSlice);
  const added = toCreate.map(
    (content) =>
      ({
        metadata: { name: `s${created++}`, labels },
        addressType: 'IPv4',
        ...content,
      }) as unknown as EndpointSlice,
  );
  return [...changed, ...added];
}

const group = (endpoints: Endpoint[]) => [{ ports, endpoints }];

test('without endpoints there is one empty slice, which is used for the first endpoint', () => {
  const plan = planSlices([], [], labels);
  assert.deepEqual(plan.toCreate, [{ ports: [], endpoints: [], labels }]);
  const slices = apply([], plan);
  assert.deepEqual(planSlices([], slices, labels), { toCreate: [], toUpdate: [], toDelete: [] });
  const first = planSlices(group([endpoint(1)]), slices, labels);
  assert.deepEqual(first.toUpdate, [
    { slice: slices[0], content: { ports, endpoints: [endpoint(1)], labels } },
  ]);
  assert.equal(first.toCreate.length + first.toDelete.length, 0);
});

test('only the slice of a changed endpoint is written', () => {
  const endpoints = Array.from({ length: 250 }, (_, id) => endpoint(id));
  const slices = apply([], planSlices(group(endpoints), [], labels));
  assert.deepEqual(
    slices.map((slice) => slice.endpoints?.length),
    [100, 100, 50],
  );
  const changed = endpoints.map((old, id) => (id === 120 ? endpoint(id, false) : old));
  const plan = planSlices(group(changed), slices, labels);
  assert.deepEqual(
    plan.toUpdate.map(({ slice }) => slice),
    [slices[1]],
  );
  assert.equal(plan.toCreate.length + plan.toDelete.length, 0);
});

test('after any changes each endpoint is in exactly one slice, slices are not too large, and the plan is stable', () => {
  const states = fc.array(
    fc.record({ from: fc.nat(300), count: fc.nat(260), notReady: fc.nat(300), other: fc.boolean() }),
    {
      maxLength: 5,
    },
  );
  fc.assert(
    fc.property(states, (list) => {
      let slices: EndpointSlice[] = [];
      for (const { from, count, notReady, other } of list) {
        const ids = Array.from({ length: count }, (_, offset) => from + offset);
        const otherPorts = other ? [{ name: 'http', port: 81, protocol: 'TCP' }] : ports;
        const groups = ids.map((id) => ({
          ports: id % 3 === 0 ? otherPorts : ports,
          endpoints: [endpoint(id, id !== notReady)],
        }));
        slices = apply(slices, planSlices(groups, slices, labels));
        const found = slices.flatMap((slice) => slice.endpoints ?? []);
        const key = ({ targetRef, conditions }: Endpoint) => `${targetRef?.uid} ${conditions?.ready}`;
        assert.deepEqual(found.map(key).sort(), ids.map((id) => key(endpoint(id, id !== notReady))).sort());
        assert.ok(slices.every(({ endpoints = [] }) => endpoints.length <= maxEndpointsPerSlice));
        assert.deepEqual(planSlices(groups, slices, labels), { toCreate: [], toUpdate: [], toDelete: [] });
      }
    }),
    { numRuns: 40 },
  );
});
