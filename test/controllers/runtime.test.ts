import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { MovableClock } from '../../src/base/clock.ts';
import { EventRecorder, type RecordedEvent } from '../../src/controllers/runtime/event-recorder.ts';
import { defaultOptions } from '../../src/server/options.ts';
import { runServer } from '../../src/server/server.ts';
import type { RunningServer } from '../../src/server/server-parts.ts';
import { MemoryStore } from '../../src/store/memory/memory-store.ts';
import { silentLogger } from '../../src/telemetry/log.ts';
import { testServer } from '../support/client.ts';

const clock = new MovableClock();
const store = new MemoryStore({ clock });
const replicas: RunningServer[] = [];
after(async () => {
  for (const replica of replicas) await replica.stop();
});

async function startReplica(): Promise<RunningServer> {
  const options = { ...defaultOptions, storage: 'memory', httpPort: 0, securePort: undefined } as const;
  const replica = await runServer(
    { ...options, leaderElect: true, writeThreads: 0 },
    { clock, store, logger: silentLogger },
  );
  replicas.push(replica);
  return replica;
}

const leads = async ({ url }: RunningServer) =>
  /leader_election_master_status\{name="orch-controllers"\} 1/.test(
    await (await fetch(`${url}/metrics`)).text(),
  );

async function until(condition: () => Promise<boolean>): Promise<void> {
  while (!(await condition())) await new Promise((resolve) => setTimeout(resolve, 10));
}

test('one of two servers leads; when it stops, the other takes over at once', async () => {
  const first = await startReplica();
  await until(() => leads(first));
  const second = await startReplica();
  for (let i = 0; i < 20; i++) {
    clock.advance(1_000);
    await new Promise((resolve) => setImmediate(resolve));
    assert.equal(await leads(first), true);
    assert.equal(await leads(second), false);
  }
  replicas.splice(replicas.indexOf(first), 1);
  // The second server uses the same store.
  const close = store.close.bind(store);
  store.close = async () => {};
  await first.stop();
  store.close = close;
  clock.advance(2_000);
  await until(() => leads(second));
  const { spec } = (await second.client.get({
    apiVersion: 'coordination.orch.io/v1',
    kind: 'Lease',
    name: 'orch-controllers',
    namespace: 'orch-system',
  })) as unknown as { spec: { leaseTransitions: number } };
  assert.equal(spec.leaseTransitions, 1);
});

const api = testServer();

const restart: Omit<RecordedEvent, 'message'> = {
  involvedObject: { apiVersion: 'v1', kind: 'Pod', namespace: 'default', name: 'web', uid: 'u' },
  type: 'Warning',
  reason: 'Restarted',
  component: 'tester',
};

interface SeenEvent {
  readonly message: string;
  readonly count: number;
  readonly involvedObject: { readonly name: string };
}

async function events(): Promise<SeenEvent[]> {
  const { items } = await api.server.client.list({ apiVersion: 'v1', kind: 'Event', namespace: 'default' });
  return items as unknown as SeenEvent[];
}

test('repeated Events are counted, similar ones aggregated, and floods dropped', async () => {
  const recorder = new EventRecorder(api.server.client, clock, silentLogger);
  for (let i = 0; i < 3; i++) recorder.record({ ...restart, message: 'again' });
  await recorder.close();
  assert.deepEqual(
    (await events()).map(({ message, count }) => [message, count]),
    [['again', 3]],
  );
  for (let i = 0; i < 40; i++) recorder.record({ ...restart, message: `number ${i}` });
  await recorder.close();
  const combined = (await events()).filter(({ message }) => message.startsWith('(combined from similar'));
  assert.equal(combined.length, 1);
  const told = (await events()).reduce((sum, { count }) => sum + count, 0);
  assert.equal(told, 25);
  clock.advance(2 * 5 * 60_000);
  for (let i = 0; i < 5; i++) recorder.record({ ...restart, message: 'later' });
  await recorder.close();
  assert.equal((await events()).find(({ message }) => message.endsWith('later'))?.count, 2);
});
