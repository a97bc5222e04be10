import assert from 'node:assert/strict';
import { test } from 'node:test';
import { orch } from '../../dialect/index.ts';
import { everyFeature } from '../../kind/features/everything.fixture.ts';
import { tryCreate } from '../try-rules.ts';
import { endpoints } from './endpoints.ts';

const definition = endpoints({ dialect: orch, features: everyFeature });
const of = (...subsets: unknown[]) => tryCreate(definition, { subsets });
const address = (ip: string) => of({ addresses: [{ ip }] });

test('an address is one that others can reach', () => {
  for (const ip of ['10.0.0.1', '2001:db8::1', '224.0.1.1']) assert.deepEqual(address(ip).problems, []);
  const refused = {
    '127.0.0.1': 'may not be in the loopback range (127.0.0.0/8, ::1/128)',
    'fe80::1': 'may not be in the link-local range (169.254.0.0/16, fe80::/10)',
    '224.0.0.1': 'may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)',
    '::': 'may not be unspecified (::)',
    '010.0.0.1': 'must not have leading 0s',
  };
  for (const [ip, detail] of Object.entries(refused)) {
    assert.deepEqual(address(ip).problems, [`subsets[0].addresses[0].ip: Invalid value: "${ip}": ${detail}`]);
  }
});

test('a subset has addresses, and names its ports where there are several', () => {
  assert.deepEqual(of({ ports: [{ port: 1 }] }).problems, [
    'subsets[0]: Required value: must specify `addresses` or `notReadyAddresses`',
  ]);
  const addresses = [{ ip: '10.0.0.1' }];
  assert.deepEqual(of({ addresses, ports: [{ port: 1 }] }).problems, []);
  assert.deepEqual(of({ addresses, ports: [{ port: 1 }, { port: 2, name: 'b' }] }).problems, [
    'subsets[0].ports[0].name: Required value',
  ]);
});

test('a port speaks TCP unless it says otherwise', () => {
  const ports = [
    { port: 1, name: 'a' },
    { port: 2, name: 'b', protocol: 'UDP' },
  ];
  const { object } = of({ addresses: [{ ip: '10.0.0.1' }], ports });
  assert.deepEqual(
    object.subsets![0]!.ports!.map(({ protocol }) => protocol),
    ['TCP', 'UDP'],
  );
});

test('an IPv6 address in another than the canonical form gets a warning', () => {
  assert.deepEqual(address('2001:DB8::1').warnings, [
    'subsets[0].addresses[0].ip: IPv6 address "2001:DB8::1" should be in RFC 5952 canonical format ("2001:db8::1")',
  ]);
});
