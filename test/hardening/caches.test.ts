// Hardening: requests that fill the caches of the server leave no memory behind.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { usedHeapBytes } from '../../src/base/used-heap.fixture.ts';
import { parsed, RealServer, tokens } from './real-server.ts';

const server = new RealServer();
const namespace = '/api/v1/namespaces/default';
const admin = { headers: { authorization: `Bearer ${tokens.admin}` } };
const megabyte = 1_000_000;

/** The growth of the heap by the requests `request(0)` to `request(count - 1)`. The first ones fill what every request needs. */
async function grownBy(count: number, request: (i: number) => Promise<unknown>): Promise<number> {
  for (let i = 0; i < 5; i++) await request(-1 - i);
  server.log.length = 0;
  const before = usedHeapBytes();
  for (let i = 0; i < count; i++) await request(i);
  // At the highest verbosity the log has every URL.
  server.log.length = 0;
  return usedHeapBytes() - before;
}

describe('caches keep no parts of requests', () => {
  test('quantities in large YAML bodies', async () => {
    const pad = 'x'.repeat(100_000);
    const grown = await grownBy(200, async (i) => {
      const containers = `[{name: c, image: i, env: [{name: E, value: ${pad}}], resources: {requests: {cpu: 1000000000000${i + 10}m}}}]`;
      const pod = `apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec: {containers: ${containers}}\n`;
      const headers = { 'content-type': 'application/yaml' };
      assert.equal((await server.post(`${namespace}/pods?dryRun=All`, pod, { headers })).code, 201);
    });
    assert.ok(grown < 10 * megabyte, String(grown));
  });

  test('paths and namespaces in very long URLs', async () => {
    const long = 'x'.repeat(60_000);
    const grown = await grownBy(200, async (i) => {
      await server.ask(`/not/served/${i}/${long}`, admin);
      await server.ask(`/api/v1/namespaces/a-namespace-${i}/pods?x=${long}`, admin);
      await server.ask(`/api/v1/namespaces/${long}-${i}/pods`, admin);
    });
    assert.ok(grown < 5 * megabyte, String(grown));
  });
});

test('cached tokens that are bound to a large object do not keep copies of it', async () => {
  const data = { blob: Buffer.alloc(700_000).toString('base64') };
  assert.equal((await server.post(`${namespace}/secrets`, { metadata: { name: 'large' }, data })).code, 201);
  const account = { metadata: { name: 'builder' } };
  assert.equal((await server.post(`${namespace}/serviceaccounts`, account)).code, 201);
  const grown = await grownBy(40, async () => {
    const boundObjectRef = { kind: 'Secret', apiVersion: 'v1', name: 'large' };
    const answer = await server.post(`${namespace}/serviceaccounts/builder/token`, {
      spec: { boundObjectRef },
    });
    const token = String(parsed(answer).status!.token);
    const review = await server.post('/apis/authentication.orch.io/v1/tokenreviews', { spec: { token } });
    assert.match(review.text, /"authenticated":true/);
  });
  assert.ok(grown < 12 * megabyte, String(grown));
});
