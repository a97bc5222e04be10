import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testServer } from '../support/client.ts';

const api = testServer();
const count = 10_000;

test('other requests are served while 10,000 objects of a namespace are deleted', async (t) => {
  const configmaps = await api.namespace();
  const namespace = configmaps.slice(0, configmaps.lastIndexOf('/'));
  const name = namespace.slice(namespace.lastIndexOf('/') + 1);
  const elsewhere = await api.namespace();
  for (let start = 0; start < count; start += 500) {
    await Promise.all(
      Array.from({ length: 500 }, (_, i) =>
        api.server.client.create({
          apiVersion: 'v1',
          kind: 'ConfigMap',
          metadata: { name: `c${start + i}`, namespace: name },
        }),
      ),
    );
  }
  const left = async () => {
    const { body } = await api.get(`${configmaps}?limit=1`);
    return body.items.length + (body.metadata.remainingItemCount ?? 0);
  };
  let before = await left();
  assert.ok(before >= count);
  await api.delete(namespace);
  let mostMeanwhile = 0;
  let longest = 0;
  let answers = 0;
  while (before > 0) {
    const start = performance.now();
    const made = await api.post(elsewhere, { metadata: { name: `made-${answers}` } });
    assert.equal(made.code, 201, made.text);
    longest = Math.max(longest, performance.now() - start);
    const now = await left();
    mostMeanwhile = Math.max(mostMeanwhile, before - now);
    before = now;
    answers++;
  }
  while ((await api.get(namespace)).code === 200);
  t.diagnostic(
    `${answers} writes of others meanwhile, ${Math.round(longest)} ms at the longest, ` +
      `at most ${mostMeanwhile} objects gone during one of them`,
  );
  // A write and a list of another namespace complete before a quarter of the deletions.
  assert.ok(mostMeanwhile < count / 4, `${mostMeanwhile} objects went while others waited`);
});
