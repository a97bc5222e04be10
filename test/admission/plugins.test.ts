import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testServer } from '../support/client.ts';
import { startServer } from '../support/servers.ts';

const api = testServer();

const pod = (spec: object = {}) => ({
  metadata: { name: 'a' },
  spec: { containers: [{ name: 'c', image: 'i:1' }], ...spec },
});

const stays = (key: string) => ({
  key: `node.orch.io/${key}`,
  operator: 'Exists',
  effect: 'NoExecute',
  tolerationSeconds: 300,
});

test('a pod tolerates an unready node for 300 seconds, unless it has such a toleration', async () => {
  const { body: plain } = await api.post(await api.namespace('pods'), pod());
  assert.deepEqual(plain.spec.tolerations, [stays('not-ready'), stays('unreachable')]);
  const own = { key: 'node.orch.io/not-ready', operator: 'Exists', effect: 'NoExecute' };
  const { body: half } = await api.post(await api.namespace('pods'), pod({ tolerations: [own] }));
  assert.deepEqual(half.spec.tolerations, [own, stays('unreachable')]);
});

test('fields that a plugin sets have no field manager', async () => {
  const { body } = await api.post(await api.namespace('pods'), pod());
  assert.doesNotMatch(JSON.stringify(body.metadata), /f:tolerations/);
});

test('a plugin can be disabled', async () => {
  const server = await startServer({ disableAdmissionPlugins: ['DefaultTolerationSeconds'] });
  try {
    const made = await fetch(`${server.url}/api/v1/namespaces/default/pods`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(pod()),
    });
    assert.equal(made.status, 201);
    assert.equal(((await made.json()) as { spec: { tolerations?: unknown } }).spec.tolerations, undefined);
  } finally {
    await server.stop();
  }
});

test('admission durations are in the metrics', async () => {
  await api.post(await api.namespace('pods'), pod());
  const { text } = await api.get('/metrics');
  const counted = (metric: string, labels: string) =>
    Number(
      text
        .split('\n')
        .find((line) => line.startsWith(`${metric}_count{${labels}`))
        ?.split(' ')[1],
    );
  const [plugin, step] = ['controller', 'step'].map(
    (what) => `apiserver_admission_${what}_admission_duration_seconds`,
  );
  assert.ok(
    counted(plugin!, 'name="DefaultTolerationSeconds",operation="CREATE",rejected="false",type="admit"') > 0,
  );
  assert.ok(counted(step!, 'operation="CREATE",rejected="false",type="admit"') > 0);
});
