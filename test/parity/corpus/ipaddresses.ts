import { ask, del, get, type JsonObject, post, put, type Step, subject } from '../case.ts';
import { lifecycle, withChange } from './lifecycle.ts';
import { ipaddresses, object, paths } from './objects.ts';

const beta = paths('/apis/networking.k8s.io/v1beta1/ipaddresses');
const parentRef = { group: 'a.b', resource: 'things', namespace: 'x', name: 'y' };
const address = (name: string, reference: JsonObject = parentRef) =>
  object(name, { spec: { parentRef: reference } });
const tried = (name: string): Step => post(ipaddresses('?dryRun=All'), address(name));
const referring = (fields: JsonObject): Step =>
  post(ipaddresses('?dryRun=All'), address('192.0.2.1', fields));

export const ipAddressRules = subject('ipaddresses', [
  ask(
    'names are addresses in their canonical form',
    [
      '192.0.2.1',
      '255.255.255.255',
      '0.0.0.0',
      '127.0.0.1',
      '010.0.0.1',
      '192.0.2',
      '192.0.2.256',
      '192.0.2.0/24',
      'x',
      '2001:db8::1',
      '::',
      '::1',
      '2001:DB8::1',
      '2001:db8:0:0:0:0:0:1',
      '2001:0db8::1',
      '2001:db8:0:1:1:1:1:1',
      '2001:db8::1:1:1:1:1',
      '2001:db8:0:0:1:0:0:1',
      '2001:db8::1:0:0:1',
      '::ffff:192.0.2.1',
      'fe80::1%eth0',
      '',
    ].map(tried),
    post(ipaddresses('?dryRun=All'), object('', { spec: { parentRef } }, { generateName: '192.0.2.' })),
    post(beta('?dryRun=All'), address('192.0.2.01')),
  ),
  ask(
    'each refers to what has it',
    post(ipaddresses('?dryRun=All'), object('192.0.2.1')),
    post(ipaddresses('?dryRun=All'), object('192.0.2.1', { spec: {} })),
    referring({}),
    referring({ resource: 'services', name: 'a', namespace: 'b' }),
    referring({ resource: 'services' }),
    referring({ name: 'a' }),
    referring({ ...parentRef, group: 'UPPER' }),
    referring({ ...parentRef, resource: 'a/b' }),
    referring({ ...parentRef, resource: '..' }),
    referring({ ...parentRef, name: 'a/b' }),
    referring({ ...parentRef, name: '%' }),
    referring({ ...parentRef, namespace: 'a/b' }),
    referring({ ...parentRef, namespace: '.' }),
    referring({ ...parentRef, namespace: '' }),
  ),
  ask(
    'what refers stays',
    post(ipaddresses(), address('192.0.2.11'), { as: 'a' }),
    put(ipaddresses('192.0.2.11'), withChange('a', { spec: { parentRef: { ...parentRef, name: 'z' } } })),
    put(ipaddresses('192.0.2.11'), withChange('a', { spec: { parentRef: null } })),
    put(
      beta('192.0.2.11'),
      withChange('a', {
        apiVersion: 'networking.k8s.io/v1beta1',
        spec: { parentRef: { ...parentRef, group: '' } },
      }),
    ),
    put(ipaddresses('192.0.2.11'), object('192.0.2.11', { spec: { parentRef } }, { labels: { a: 'b' } })),
    get(beta('192.0.2.11')),
    put(beta('192.0.2.11'), object('192.0.2.11', { spec: { parentRef } }, { labels: { a: 'c' } })),
    del(ipaddresses('192.0.2.11')),
  ),
  ask(
    'in another version',
    post(beta(), address('192.0.2.12')),
    get(ipaddresses('192.0.2.12')),
    get(beta('?fieldSelector=metadata.name=192.0.2.12')),
    del(beta('192.0.2.12')),
  ),
  // Reads of all addresses would show those of others.
  ...['192.0.2.13', '192.0.2.14'].map((name, i) => {
    const [, ...lives] = lifecycle(ipaddresses, address(name), { change: { metadata: { name } } });
    // Cases run at the same time, so each has an address of its own.
    return lives[i]!;
  }),
]);
