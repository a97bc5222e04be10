// Each test has a server of its own, forked from one with the definition: they can run at the same time.
import { startServer } from 'orch';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { startOperator } from './operator.js';

let prepared;
beforeAll(async () => {
  prepared = await startServer({ dialect: 'kubernetes', crds: ['website.yaml'] });
});
afterAll(() => prepared.stop());

async function withOperator(run) {
  const server = await prepared.fork();
  const operator = await startOperator(server.kubeconfig);
  try {
    await run(server);
  } finally {
    await operator.stop();
    await server.stop();
  }
}

const website = (spec) => ({
  apiVersion: 'example.com/v1',
  kind: 'Website',
  metadata: { name: 'shop', namespace: 'default' },
  spec,
});
const deployment = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'shop', namespace: 'default' };

describe.concurrent('the operator', () => {
  test('creates a Deployment, and keeps it up to date', () =>
    withOperator(async ({ client }) => {
      const created = await client.create(website({ image: 'shop:1' }));
      const { spec } = await vi.waitFor(() => client.get(deployment));
      expect(spec.replicas).toBe(1);
      expect(spec.template.spec.containers[0].image).toBe('shop:1');
      await client.update({ ...created, spec: { image: 'shop:2', replicas: 3 } });
      await vi.waitFor(async () => {
        const latest = await client.get(deployment);
        expect(latest.spec.replicas).toBe(3);
        expect(latest.spec.template.spec.containers[0].image).toBe('shop:2');
      });
    }));

  test('lets the garbage collector delete the Deployment with its Website', () =>
    withOperator(async ({ client }) => {
      await client.create(website({ image: 'shop:1' }));
      await vi.waitFor(() => client.get(deployment));
      await client.delete({ ...deployment, apiVersion: 'example.com/v1', kind: 'Website' });
      await vi.waitFor(() => expect(client.get(deployment)).rejects.toMatchObject({ code: 404 }));
    }));

  test('sees no Website of another test', () =>
    withOperator(async ({ client }) => {
      expect((await client.list({ apiVersion: 'example.com/v1', kind: 'Website' })).items).toEqual([]);
    }));
});
