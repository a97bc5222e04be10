// Tests of the order of ports in EndpointSlices.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sortSlicePorts } from './port-order.ts';

test('ports have the order that kube-controller-manager gives them', () => {
  const ports = ['a', 'b', 'c', 'd', 'e'].map((name, index) => ({ name, port: 80 + index, protocol: 'TCP' }));
  assert.equal(
    sortSlicePorts(ports as Parameters<typeof sortSlicePorts>[0])
      .map(({ name }) => name)
      .join(''),
    'baced',
  );
});
