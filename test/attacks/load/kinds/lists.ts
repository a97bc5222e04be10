// Attacks with reads of much: lists, huge selectors, OpenAPI and discovery documents.
import type { LoadKind } from '../attacker.ts';
import type { LoadClient } from '../client.ts';
import { asTable, body, configMaps, must, times } from './objects.ts';

const listedObjects = 2_000;

async function storeMany(admin: LoadClient): Promise<void> {
  for (let index = 0; index < listedObjects; index++) {
    const object = {
      metadata: { name: `many-${index}`, labels: { a: `v${index}` } },
      data: { key: 'value' },
    };
    await must(admin, { method: 'POST', path: configMaps, body: body(object) });
  }
}

/** About 100 KB, below the limit of headers on both servers. */
const values = times(12_000, (index) => `x${index}`).join(',');
const selectors = [
  `labelSelector=a+notin+(${values})`,
  `labelSelector=${times(6_000, (index) => `a!=x${index}`).join(',')}`,
  `fieldSelector=${times(3_000, (index) => `metadata.name!=x${index}`).join(',')}`,
];

const documents = [
  '/openapi/v2',
  '/openapi/v3/api/v1',
  '/openapi/v3/apis/apps/v1',
  '/openapi/v3',
  '/api/v1',
  '/apis',
];
const aggregated = 'application/json;v=v2;g=apidiscovery.k8s.io;as=APIGroupDiscoveryList,application/json';

export const lists: readonly LoadKind[] = [
  {
    name: 'lists with huge selectors',
    rights: 'namespace',
    prepare: storeMany,
    attack: async (attacker) =>
      void (await attacker.send({ path: `${configMaps}?${selectors[attacker.round++ % selectors.length]}` })),
  },
  {
    name: 'lists as Table, page by page',
    rights: 'namespace',
    prepare: storeMany,
    async attack(attacker) {
      let next = '';
      do {
        const path = `${configMaps}?limit=100&continue=${next}`;
        const { status, text } = await attacker.read({ path, headers: asTable });
        next = (status === 200 && /"continue":"([^"]+)"/.exec(text)?.[1]) || '';
      } while (next !== '');
    },
  },
  {
    name: 'lists as Table, whole',
    rights: 'namespace',
    prepare: storeMany,
    attack: async (attacker) => void (await attacker.send({ path: configMaps, headers: asTable })),
  },
  {
    name: 'OpenAPI and discovery downloads',
    rights: 'namespace',
    attack: async (attacker) => {
      const path = documents[attacker.round++ % documents.length]!;
      await attacker.send({ path, headers: path === '/apis' ? { accept: aggregated } : {} });
    },
  },
];
