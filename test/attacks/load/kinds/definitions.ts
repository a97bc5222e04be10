// Attacks with CRDs: planted owner references that each new kind might resolve, and expensive schemas.
import { setTimeout as sleep } from 'node:timers/promises';
import type { LoadKind } from '../attacker.ts';
import type { LoadClient } from '../client.ts';
import { attacked } from '../users.ts';
import { body, must, storeLarge, times } from './objects.ts';

const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

const definition = (group: string, schema: object = { type: 'object' }) => ({
  metadata: { name: `things.${group}` },
  spec: {
    group,
    scope: 'Namespaced',
    names: { plural: 'things', kind: 'Thing' },
    versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: schema } }],
  },
});

const ownerReferences = times(5_000, (index) => ({
  apiVersion: 'x/v1',
  kind: 'K',
  name: 'o',
  uid: `u${index}`,
}));
const plantedObjects = 100;

const expensiveGroup = 'expensive.example.com';
const things = `/apis/${expensiveGroup}/v1/namespaces/${attacked}/things`;

/** Serves a kind with this schema of its spec. */
async function serve(admin: LoadClient, spec: object): Promise<void> {
  const schema = { type: 'object', properties: { spec } };
  await must(admin, { method: 'POST', path: definitions, body: body(definition(expensiveGroup, schema)) });
  while ((await admin.status({ path: things })) !== 200) await sleep(100);
}

const createThing = (spec: unknown): LoadKind['attack'] => {
  const content = body({ apiVersion: `${expensiveGroup}/v1`, kind: 'Thing', metadata: { name: 'o' }, spec });
  return async (attacker) =>
    void (await attacker.send({ method: 'POST', path: `${things}?dryRun=All`, body: content }));
};

export const customResources: readonly LoadKind[] = [
  {
    name: 'owner references of unknown kinds, CRDs',
    rights: 'definitions',
    async prepare(admin) {
      for (let index = 0; index < plantedObjects; index++) {
        await storeLarge(admin, `planted-${index}`, {}, { ownerReferences });
      }
    },
    async attack(attacker) {
      const group = `${attacker.uniqueName()}.example.com`;
      await attacker.send({ method: 'POST', path: definitions, body: body(definition(group)) });
      await attacker.send({ method: 'DELETE', path: `${definitions}/things.${group}` });
    },
  },
  {
    name: 'expensive patterns',
    rights: 'namespace',
    prepare: (admin) =>
      serve(admin, {
        type: 'array',
        items: { type: 'string', maxLength: 2_000, pattern: '^(([a-z0-9]+)*[a-z]{1,50}){1,10}$' },
      }),
    attack: createThing(times(200, () => 'a'.repeat(1_000))),
  },
  {
    name: 'expensive CEL rules',
    rights: 'namespace',
    prepare: (admin) =>
      serve(admin, {
        type: 'array',
        maxItems: 300,
        items: { type: 'integer' },
        'x-kubernetes-validations': [{ rule: 'self.all(a, self.all(b, a + b >= 0))' }],
      }),
    attack: createThing(times(300, (index) => index)),
  },
];
