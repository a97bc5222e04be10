// A thousand simulated nodes: all are registered and renewed. Memory and processor use are printed, not asserted.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testServer } from '../support/client.ts';
import { controllersIdle, until } from '../support/controllers.ts';

const count = 1_000;
const startedMs = performance.now();
const api = testServer({ nodes: count });
const leases = '/apis/coordination.orch.io/v1/namespaces/orch-node-lease/leases';

const renewTimes = async () => {
  const { body } = await api.get(leases);
  return new Map(body.items.map(({ metadata, spec }) => [metadata.name, String(spec.renewTime)]));
};

/** How often keys were added to the queues of the controllers of nodes and their pods. */
const lifecycleAdds = async () =>
  (await api.get('/metrics')).text.match(/^workqueue_adds_total\{name="(node_lifecycle|noexec_taint).*$/gm);

test('a thousand nodes are registered, and each Lease is renewed within ten seconds', async (context) => {
  const rssMb = () => Math.round(process.memoryUsage.rss() / 2 ** 20);
  context.diagnostic(`ready after ${Math.round(performance.now() - startedMs)} ms, ${rssMb()} MB`);
  const { body } = await api.get('/api/v1/nodes');
  assert.equal(body.items.length, count);
  const addresses = body.items.map(
    ({ status }) => (status as { addresses: { address: string }[] }).addresses[0]!.address,
  );
  assert.equal(new Set(addresses).size, count);
  const before = await until(renewTimes, ({ size }) => size === count);
  await controllersIdle(api);
  const addsBefore = await lifecycleAdds();
  const cpu = process.cpuUsage();
  for (let second = 0; second < 10; second++) {
    api.server.clock.advance(1_000);
    await controllersIdle(api);
  }
  const after = await until(renewTimes, (times) =>
    [...times].every(([name, time]) => time !== before.get(name)),
  );
  assert.equal(after.size, count);
  const { user, system } = process.cpuUsage(cpu);
  context.diagnostic(
    `a renewal of all nodes: ${Math.round((user + system) / 1_000)} ms of a processor, ${rssMb()} MB`,
  );
  assert.deepEqual(await lifecycleAdds(), addsBefore, 'heartbeats are no work for the controllers of nodes');
  // Not all in the same second.
  assert.ok(new Set([...after.values()].map((time) => time.slice(0, 19))).size >= 5);
});
