import assert from 'node:assert/strict';
import { test } from 'node:test';
import { everythingServed, kind } from './support.ts';

const http = await everythingServed();
const endpoints = kind(http, '/api/v1/namespaces/default/endpoints');
const at = (...ips: string[]) => ips.map((ip) => ({ ip }));
const of = (change: object) => ({ subsets: [{ addresses: at('10.0.0.1'), ...change }] });

test('Endpoints: the set is the union of its subsets, each with ready and not ready addresses and ports', async () => {
  const subsets = [
    { addresses: at('10.0.0.1', '10.0.0.2'), ports: [{ port: 80, protocol: 'TCP' }] },
    { notReadyAddresses: at('10.0.0.1'), ports: [{ port: 81, protocol: 'TCP' }] },
  ];
  assert.deepEqual((await endpoints.valid({ subsets })).subsets, subsets);
  await endpoints.invalid({ subsets: [{ ports: [{ port: 80 }] }] }, 'subsets[0]');
});

test('Endpoints: no address is both ready and not ready in one subset', async () => {
  await endpoints.invalid(
    of({ notReadyAddresses: at('10.0.0.2', '10.0.0.1') }),
    'subsets[0].notReadyAddresses[1].ip',
    /Duplicate value/,
  );
  await endpoints.valid(of({ notReadyAddresses: at('10.0.0.2') }));
});

test('Endpoints: an address is the same however it is written', async () => {
  for (const other of ['2001:db8::1', '2001:DB8::1', '2001:db8:0:0:0:0:0:1', '2001:0db8::0001']) {
    await endpoints.invalid(
      of({ addresses: at('2001:db8::1'), notReadyAddresses: at(other) }),
      'subsets[0].notReadyAddresses[0].ip',
      /Duplicate value/,
    );
  }
  await endpoints.valid(of({ addresses: at('2001:db8::1'), notReadyAddresses: at('2001:db8::2') }));
});

test('Endpoints: an address needs an ip', async () => {
  await endpoints.invalid(of({ addresses: [{ hostname: 'h' }] }), 'subsets[0].addresses[0].ip');
});

test('Endpoints: an ip is not loopback, link-local or link-local multicast', async () => {
  for (const ip of ['127.0.0.1', '127.9.9.9', '::1', '169.254.0.1', 'fe80::1', '224.0.0.5', 'ff02::1']) {
    await endpoints.invalid(of({ addresses: at(ip) }), 'subsets[0].addresses[0].ip', /may not be in the/);
    await endpoints.invalid(of({ notReadyAddresses: at(ip) }), 'subsets[0].notReadyAddresses[0].ip');
  }
  await endpoints.valid(of({ addresses: at('10.0.0.1', '2001:db8::1') }));
});

test('Endpoints: an address may have a hostname, a node and the object that provides it', async () => {
  const address = {
    ip: '10.0.0.1',
    hostname: 'one',
    nodeName: 'node-1',
    targetRef: { kind: 'Pod', namespace: 'default', name: 'p' },
  };
  const { subsets } = await endpoints.valid(of({ addresses: [address] }));
  assert.deepEqual(subsets, [{ addresses: [address] }]);
  await endpoints.invalid(
    of({ addresses: [{ ...address, hostname: 'a.b' }] }),
    'subsets[0].addresses[0].hostname',
  );
});

test('Endpoints: a port is required, and its protocol is UDP, TCP or SCTP, TCP by default', async () => {
  await endpoints.invalid(of({ ports: [{}] }), 'subsets[0].ports[0].port');
  const { subsets } = await endpoints.valid(of({ ports: [{ port: 80 }] }));
  assert.deepEqual((subsets as { ports: object[] }[])[0]!.ports, [{ port: 80, protocol: 'TCP' }]);
  for (const protocol of ['UDP', 'SCTP']) await endpoints.valid(of({ ports: [{ port: 80, protocol }] }));
  await endpoints.invalid(of({ ports: [{ port: 80, protocol: 'ICMP' }] }), 'subsets[0].ports[0].protocol');
});

test('Endpoints: a port name is a DNS label, optional only where there is exactly one port', async () => {
  await endpoints.valid(of({ ports: [{ port: 80 }] }));
  await endpoints.invalid(of({ ports: [{ port: 80, name: 'A_b' }] }), 'subsets[0].ports[0].name');
  const second = { port: 81, name: 'b' };
  await endpoints.valid(of({ ports: [{ port: 80, name: 'a' }, second] }));
  await endpoints.invalid(of({ ports: [{ port: 80 }, second] }), 'subsets[0].ports[0].name');
});

test('Endpoints: appProtocol has the syntax of a label', async () => {
  await endpoints.valid(of({ ports: [{ port: 80, appProtocol: 'example.com/own' }] }));
  await endpoints.invalid(
    of({ ports: [{ port: 80, appProtocol: 'a b' }] }),
    'subsets[0].ports[0].appProtocol',
  );
});
