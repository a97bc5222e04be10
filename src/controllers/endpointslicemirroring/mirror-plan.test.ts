// Tests of the plan of mirrored EndpointSlices.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Endpoints } from '../../apis/core/endpoints.ts';
import type { EndpointSlice } from '../../apis/discovery/endpointslice.ts';
import { planMirror } from './mirror-plan.ts';

const http = { name: 'http', port: 80, protocol: 'TCP' };
const https = { name: 'https', port: 443, protocol: 'TCP' };
const endpoints = (...subsets: object[]) => ({ metadata: { name: 'db' }, subsets }) as Endpoints;
const subset = (ip: string, ...ports: object[]) => ({ addresses: [{ ip }], ports });
const slice = (name: string, ip: string, ...ports: object[]) =>
  ({
    metadata: { name, labels: {}, annotations: {} },
    addressType: 'IPv4',
    endpoints: [{ addresses: [ip], conditions: { ready: true } }],
    ports,
  }) as unknown as EndpointSlice;
const plan = (mirrored: Endpoints, ...existing: EndpointSlice[]) => planMirror(mirrored, existing, {}, {});

test('a slice that is as desired is not written, and one with other endpoints is updated', () => {
  const current = slice('a', '192.168.0.1', http);
  const none = plan(endpoints(subset('192.168.0.1', http)), current);
  assert.deepEqual([none.toCreate, none.toUpdate, none.toDelete], [[], [], []]);
  const { toUpdate } = plan(endpoints(subset('192.168.0.2', http)), current);
  assert.deepEqual(toUpdate[0]?.content.endpoints[0]?.addresses, ['192.168.0.2']);
});

test('a slice with other ports is reused instead of a creation and a deletion', () => {
  const { toCreate, toUpdate, toDelete } = plan(
    endpoints(subset('192.168.0.1', https)),
    slice('a', '192.168.0.1', http),
  );
  assert.deepEqual([toCreate.length, toDelete.length], [0, 0]);
  assert.equal(toUpdate[0]?.slice.metadata.name, 'a');
  assert.deepEqual(toUpdate[0]?.content.ports, [https]);
});

test('subsets with the same ports share a slice, and families do not', () => {
  const { toCreate } = plan(
    endpoints(subset('192.168.0.1', http), subset('192.168.0.2', http), subset('fd00::1', http)),
  );
  assert.deepEqual(
    toCreate.map((each) => [each.addressType, each.endpoints.length]),
    [
      ['IPv4', 2],
      ['IPv6', 1],
    ],
  );
});

test('addresses that are no IP address are left out and counted', () => {
  const { toCreate, invalidAddresses } = plan(endpoints(subset('example.com', http)));
  assert.deepEqual([toCreate, invalidAddresses], [[], 1]);
});
