import assert from 'node:assert/strict';
import { test } from 'node:test';
import { packSubsets, truncateSubsets } from './endpoint-subsets.ts';

const address = (ip: string) => ({ ip, targetRef: { uid: ip } });
const many = (count: number, prefix: string) =>
  Array.from({ length: count }, (_, index) => address(`${prefix}.${index}`));
const http = { name: 'http', port: 80, protocol: 'TCP' };
const https = { name: 'https', port: 443, protocol: 'TCP' };

test('ports with the same addresses are in one subset, in an order that depends only on the content', () => {
  const pods = [
    { address: address('10.0.0.2'), isReady: true, ports: [https, http] },
    { address: address('10.0.0.1'), isReady: true, ports: [http, https] },
    { address: address('10.0.0.3'), isReady: false, ports: [http] },
  ];
  const ready = [address('10.0.0.1'), address('10.0.0.2')];
  const expected = [
    { addresses: ready, notReadyAddresses: [address('10.0.0.3')], ports: [http] },
    { addresses: ready, ports: [https] },
  ];
  const packed = packSubsets(pods);
  assert.deepEqual(
    packed.toSorted((a, b) => a.ports![0]!.port - b.ports![0]!.port),
    expected,
  );
  assert.deepEqual(packSubsets(pods.toReversed()), packed);
});

test('addresses without ports are one subset without ports', () => {
  const pods = [{ address: address('10.0.0.1'), isReady: true, ports: [] }];
  assert.deepEqual(packSubsets(pods), [{ addresses: [address('10.0.0.1')] }]);
});

test('addresses that are not ready are left out first, then ready ones in proportion', () => {
  const subsets = [
    { addresses: many(6, '10.0.0'), notReadyAddresses: many(4, '10.0.1'), ports: [http] },
    { addresses: many(2, '10.0.2'), notReadyAddresses: many(4, '10.0.3'), ports: [https] },
  ];
  const counts = (limit: number) =>
    truncateSubsets(subsets, limit).map(({ addresses = [], notReadyAddresses = [] }) => [
      addresses.length,
      notReadyAddresses.length,
    ]);
  assert.equal(truncateSubsets(subsets, 16), subsets);
  assert.deepEqual(counts(12), [
    [6, 2],
    [2, 2],
  ]);
  assert.deepEqual(counts(8), [
    [6, 0],
    [2, 0],
  ]);
  assert.deepEqual(counts(4), [
    [3, 0],
    [1, 0],
  ]);
});
