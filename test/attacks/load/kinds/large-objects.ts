// Attacks with large objects: responses and writes that take long to encode, parse and validate.
import type { Attacker, LoadKind } from '../attacker.ts';
import { attacked } from '../users.ts';
import {
  applyPatch,
  asTable,
  body,
  configMaps,
  emptyKeys,
  jsonPatch,
  must,
  NumberedBody,
  storeLarge,
  times,
} from './objects.ts';

const keys = 90_000;
const large = `${configMaps}/large`;
const storeKeys: LoadKind['prepare'] = (admin) => storeLarge(admin, 'large', { data: emptyKeys(keys) });

/** Between the request and the end of its connection. */
const hangUpMs = 20;

const asOthers = ['application/yaml', 'application/vnd.kubernetes.protobuf', 'application/cbor'];

/** An apply of another manager, so that nothing is up to date. */
const largeApply = body({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'applied' },
  data: emptyKeys(40_000),
});

/** One value; newlines are two bytes of JSON. */
const sizes = [300, 600, 900].map((kilobytes) => 'abc\n'.repeat(kilobytes * 256));
const sizedBodies = new Map<number, NumberedBody[]>();

function sizedBody({ index, round }: Attacker): { readonly name: string; readonly next: Buffer } {
  const bodies =
    sizedBodies.get(index) ??
    sizes.map(
      (value) =>
        new NumberedBody(
          { metadata: { name: `sized-${index}` }, data: { number: '00000000', value } },
          index,
        ),
    );
  sizedBodies.set(index, bodies);
  return { name: `sized-${index}`, next: bodies[round % bodies.length]!.next() };
}

const dryRun = '?dryRun=All';
const manyContainers = body({
  metadata: { name: 'p' },
  spec: {
    automountServiceAccountToken: false,
    containers: times(25_000, (index) => ({ name: `c${index}`, image: 'i' })),
  },
});
const manyPorts = body({
  metadata: { name: 's' },
  spec: { ports: times(10_000, (index) => ({ name: `p${index}`, port: index + 1 })) },
});
const manyRules = body({
  metadata: { name: 'r' },
  rules: times(10_000, (index) => ({
    apiGroups: [`g${index}`],
    resources: ['things'],
    verbs: ['get', 'list'],
  })),
});
const create =
  (path: string, content: Buffer): LoadKind['attack'] =>
  async (attacker) =>
    void (await attacker.send({ method: 'POST', path: path + dryRun, body: content }));

const operations = body(times(10_000, (index) => ({ op: 'add', path: `/data/k${index}`, value: 'v' })));

export const largeObjects: readonly LoadKind[] = [
  {
    name: 'Table GETs of 90,000 keys',
    rights: 'get',
    prepare: storeKeys,
    attack: async (attacker) => void (await attacker.send({ path: large, headers: asTable })),
  },
  {
    name: 'JSON GETs of 90,000 keys',
    rights: 'get',
    prepare: storeKeys,
    attack: async (attacker) => void (await attacker.send({ path: large })),
  },
  {
    name: 'YAML, CBOR, Protobuf GETs, hung up',
    rights: 'get',
    prepare: storeKeys,
    attack: (attacker) =>
      attacker.hangUp({ path: large, headers: { accept: asOthers[attacker.round++ % 3]! } }, hangUpMs),
  },
  {
    name: 'dry-run applies, hung up',
    rights: 'namespace',
    attack: (attacker) =>
      attacker.hangUp(
        {
          method: 'PATCH',
          path: `${configMaps}/applied${dryRun}&force=true&fieldManager=m${attacker.index}`,
          headers: applyPatch,
          body: largeApply,
        },
        hangUpMs,
      ),
  },
  {
    name: 'writes of 300 KB to 1.2 MB',
    rights: 'namespace',
    async attack(attacker) {
      const { name, next } = sizedBody(attacker);
      attacker.round++;
      const status = await attacker.send({ method: 'PUT', path: `${configMaps}/${name}`, body: next });
      if (status === 404) await attacker.send({ method: 'POST', path: configMaps, body: next });
      if (attacker.round % 9 === 0) await attacker.send({ method: 'DELETE', path: `${configMaps}/${name}` });
    },
  },
  {
    name: 'Pods with 25,000 containers',
    rights: 'namespace',
    attack: create(`/api/v1/namespaces/${attacked}/pods`, manyContainers),
  },
  {
    name: 'Services with 10,000 ports',
    rights: 'namespace',
    attack: create(`/api/v1/namespaces/${attacked}/services`, manyPorts),
  },
  {
    name: 'Roles with 10,000 rules',
    rights: 'namespace',
    attack: create(`/apis/rbac.authorization.k8s.io/v1/namespaces/${attacked}/roles`, manyRules),
  },
  {
    name: 'patches with 10,000 operations',
    rights: 'namespace',
    prepare: (admin) =>
      must(admin, {
        method: 'POST',
        path: configMaps,
        body: body({ metadata: { name: 'patched' }, data: {} }),
      }),
    attack: async (attacker) =>
      void (await attacker.send({
        method: 'PATCH',
        path: `${configMaps}/patched${dryRun}`,
        headers: jsonPatch,
        body: operations,
      })),
  },
];
