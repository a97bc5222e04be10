import assert from 'node:assert/strict';
import type { Body, TestClient } from './client.ts';

export const migrations = '/apis/storagemigration.orch.io/v1alpha1/storageversionmigrations';
export const definitions = '/apis/apiextensions.orch.io/v1/customresourcedefinitions';

interface Status {
  readonly resourceVersion?: string;
  readonly conditions?: { type: string; status: string; reason: string; message?: string }[];
}

export const settle = () => new Promise((resolve) => setTimeout(resolve, 5));
export const statusOf = ({ status }: Body) => status as Status;
export const summarizeConditions = ({ conditions = [] }: Status) =>
  conditions.map(({ type, status, reason }) => `${type}=${status} ${reason}`);
export const holds = (body: Body, wanted: string) =>
  statusOf(body).conditions?.some(({ type, status }) => type === wanted && status === 'True') ?? false;

export async function until(
  server: TestClient,
  name: string,
  isReached: (body: Body) => boolean,
): Promise<Body> {
  for (let i = 0; i < 6000; i++) {
    const { body } = await server.get(`${migrations}/${name}`);
    if (isReached(body)) return body;
    await settle();
  }
  assert.fail(`not in time: ${(await server.get(`${migrations}/${name}`)).text}`);
}

export async function migrate(
  server: TestClient,
  name: string,
  resource: object,
  more: object = {},
): Promise<void> {
  const { code, text } = await server.post(migrations, {
    metadata: { name },
    spec: { resource, ...more },
  });
  assert.equal(code, 201, text);
}

/** A CRD with two versions, one of them the storage version. */
export const thing = (stored: 'v1' | 'v2', properties: object = { a: { type: 'string' } }) => ({
  metadata: { name: 'things.example.com' },
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: { plural: 'things', kind: 'Thing' },
    versions: ['v1', 'v2'].map((name) => ({
      name,
      served: true,
      storage: name === stored,
      schema: { openAPIV3Schema: { type: 'object', properties } },
    })),
  },
});

export async function store(server: TestClient, stored: 'v1' | 'v2', properties?: object): Promise<void> {
  const path = `${definitions}/things.example.com`;
  const { body, code: found } = await server.get(path);
  const { metadata, spec } = thing(stored, properties);
  const { code, text } =
    found === 404
      ? await server.post(definitions, { metadata, spec })
      : await server.put(path, {
          metadata: { ...metadata, resourceVersion: body.metadata.resourceVersion },
          spec,
        });
  assert.ok(code < 300, text);
  for (let i = 0; i < 4_000; i++) {
    const known = await server.get(path);
    const { storedVersions = [] } = known.body.status as { storedVersions?: string[] };
    const list = await server.get(`/apis/example.com/${stored}/things`);
    if (storedVersions.includes(stored) && list.code === 200) return;
    await settle();
  }
  assert.fail(`${stored} is not stored`);
}

export const things = async (server: TestClient) =>
  (await server.get('/apis/example.com/v2/things')).body.items;
export const revisions = (items: readonly Body[]) =>
  new Map(items.map(({ metadata }) => [metadata.name, metadata.resourceVersion]));
