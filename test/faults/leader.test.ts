import assert from 'node:assert/strict';
import { after, before, describe, type TestContext, test } from 'node:test';
import { findEtcd, TestEtcd } from '../../src/store/etcd/etcd.fixture.ts';
import type { Body, WatchReader } from '../support/client.ts';
import { ServerProcess } from '../support/server-process.ts';

const found = findEtcd();

const leaseSeconds = 6;
const terms = [
  ['--leader-elect-lease-duration', `${leaseSeconds}s`],
  ['--leader-elect-renew-deadline', '5s'],
  ['--leader-elect-retry-period', '500ms'],
].flat();

const count = 1_000;
const names = Array.from({ length: count }, (_, i) => `c${String(i).padStart(5, '0')}`);

describe('the controllers of servers on one etcd', { skip: 'missing' in found && found.missing }, () => {
  let etcd: TestEtcd;
  before(async () => {
    etcd = await TestEtcd.start('program' in found ? found.program : '');
  });
  after(() => etcd.stop());

  /** The leader, and the other server. */
  async function startTwo(t: TestContext, prefix: string): Promise<[ServerProcess, ServerProcess]> {
    const flags = ['--storage', 'etcd', '--etcd-servers', etcd.url, '--etcd-prefix', prefix, ...terms];
    const [first, second] = [await ServerProcess.prepare(t), await ServerProcess.prepare(t)];
    await first.start(...flags);
    await until('the first leads', () => leads(first));
    await second.start(...flags);
    return [first, second];
  }

  test('run in one of them; once it is killed and its Lease has expired, the other takes over', async (t) => {
    const [first, second] = await startTwo(t, '/killed');
    await runDueCronJobs(second, 'before');
    assert.equal(await leads(second), false);
    assert.equal(await workOf(second), 0);

    const gone = await deleteLargeNamespace(second);
    await gone.some();
    const before = await leaseAt(second);
    await first.end('SIGKILL');
    const killed = performance.now();
    await until('the second leads', () => leads(second));
    t.diagnostic(`led again ${Math.round(performance.now() - killed)} ms after the leader was killed`);
    const lease = await leaseAt(second);
    assert.notEqual(lease.holderIdentity, before.holderIdentity);
    assert.equal(lease.leaseTransitions, before.leaseTransitions + 1);
    const free = Date.parse(before.renewTime) + leaseSeconds * 1000;
    assert.ok(Date.parse(lease.acquireTime) >= free, 'the lease was taken before it had run out');

    await gone.release();
    assert.deepEqual(await gone.all(), names);
    await runDueCronJobs(second, 'after');
  });

  test('a leader that was paused until its Lease expired writes nothing when it resumes', async (t) => {
    const [first, second] = await startTwo(t, '/paused');
    const gone = await deleteLargeNamespace(second);
    await gone.some();
    first.pause();
    await until('the second leads', () => leads(second));
    await gone.release();
    assert.deepEqual(await gone.all(), names);
    // The objects that the first server was about to delete exist again, as new objects.
    await fillLargeNamespace(second);
    const there = await uidsAt(second);
    assert.equal(there.size, count + 1);

    first.resume();
    await until('the first has noticed', async () => !(await leads(first)));
    const done = await workOf(first);
    await runDueCronJobs(first, 'later');
    assert.deepEqual(await uidsAt(first), there);
    assert.deepEqual(await uidsAt(second), there);
    assert.equal(await workOf(first), done);
    assert.equal(await leads(second), true);
  });
});

const large = '/api/v1/namespaces/large';
const held = { name: 'held', finalizers: ['example.com/hold'] };

async function fillLargeNamespace(server: ServerProcess): Promise<void> {
  await make(server, '/api/v1/namespaces', { metadata: { name: 'large' } });
  await make(server, `${large}/configmaps`, { metadata: held });
  for (let start = 0; start < count; start += 100) {
    const some = names.slice(start, start + 100);
    await Promise.all(some.map((name) => make(server, `${large}/configmaps`, { metadata: { name } })));
  }
}

/** Deletes a namespace that one finalizer keeps. */
async function deleteLargeNamespace(server: ServerProcess) {
  await fillLargeNamespace(server);
  const { body } = await server.get(`${large}/configmaps?limit=1`);
  const { resourceVersion } = body.metadata;
  const watch = await server.watch(`${large}/configmaps?watch=1&resourceVersion=${resourceVersion}`);
  assert.equal((await server.delete(large)).code, 200);
  const deleted: string[] = [];
  return {
    /** Resolves once the first objects are deleted. */
    some: () => readDeletions(watch, deleted, 100),
    release: () => server.put(`${large}/configmaps/held`, { metadata: { name: 'held' } }),
    /** The names of all deleted objects once the namespace is deleted, one for each DELETED event. */
    async all(): Promise<string[]> {
      await until('the namespace is gone', async () => (await server.get(large)).code === 404);
      await readDeletions(watch, deleted, count + 1);
      watch.close();
      return deleted.filter((name) => name !== held.name).sort();
    },
  };
}

async function readDeletions(watch: WatchReader, deleted: string[], wanted: number): Promise<void> {
  while (deleted.length < wanted) {
    const event = await watch.next();
    assert.ok(event, 'the watch has ended');
    if (event.type === 'DELETED') deleted.push(event.object.metadata.name);
  }
}

async function uidsAt(server: ServerProcess): Promise<Map<string, string>> {
  const { body } = await server.get(`${large}/configmaps`);
  return new Map(body.items.map(({ metadata }) => [metadata.name, metadata.uid]));
}

/** Creates CronJobs that are due, and asserts that each gets one Job. */
async function runDueCronJobs(server: ServerProcess, round: string): Promise<void> {
  const cronJobs = '/apis/batch/v1/namespaces/default/cronjobs';
  const jobsOf = async () => (await server.get('/apis/batch/v1/namespaces/default/jobs')).body.items;
  const isOurs = ({ metadata }: Body) => metadata.name.startsWith(`${round}-`);
  const container = { name: 'c', image: 'i' };
  const podTemplate = { spec: { restartPolicy: 'Never', containers: [container] } };
  for (let i = 0; i < 10; i++) {
    const name = `${round}-${i}`;
    const { body } = await make(server, cronJobs, {
      metadata: { name },
      spec: { schedule: '0 0 1 1 *', jobTemplate: { spec: { template: podTemplate } } },
    });
    // It has not run since, and is due at the beginning of each year.
    const lastScheduleTime = `${new Date().getUTCFullYear() - 2}-06-01T00:00:00Z`;
    await until(`${name} is due`, async () => {
      const { body: now } = await server.get(`${cronJobs}/${name}`);
      const { code } = await server.put(`${cronJobs}/${name}/status`, {
        ...body,
        metadata: { ...body.metadata, resourceVersion: now.metadata.resourceVersion },
        status: { lastScheduleTime },
      });
      return code === 200;
    });
  }
  await until('all jobs are there', async () => (await jobsOf()).filter(isOurs).length >= 10);
  const reported = async () => {
    const { items } = (await server.get('/api/v1/namespaces/default/events')).body;
    return (items as (Body & { involvedObject: { name: string }; count: number })[])
      .filter(({ involvedObject, reason }) => {
        return involvedObject.name.startsWith(`${round}-`) && reason === 'SuccessfulCreate';
      })
      .map(({ involvedObject, count }) => `${involvedObject.name} ${count}`);
  };
  await until('all jobs are reported', async () => (await reported()).length >= 10);
  assert.equal((await jobsOf()).filter(isOurs).length, 10);
  const once = Array.from({ length: 10 }, (_, i) => `${round}-${i} 1`);
  assert.deepEqual((await reported()).sort(), once);
}

async function make(server: ServerProcess, path: string, object: object) {
  const response = await server.post(path, object);
  assert.equal(response.code, 201, response.text);
  return response;
}

interface Lease {
  readonly holderIdentity: string;
  readonly renewTime: string;
  readonly acquireTime: string;
  readonly leaseTransitions: number;
}

async function leaseAt(server: ServerProcess): Promise<Lease> {
  const path = '/apis/coordination.orch.io/v1/namespaces/orch-system/leases/orch-controllers';
  return (await server.get(path)).body.spec as unknown as Lease;
}

const metricsOf = async (server: ServerProcess) => (await server.get('/metrics')).text;

const leads = async (server: ServerProcess) =>
  /leader_election_master_status\{name="orch-controllers"\} 1/.test(await metricsOf(server));

/** How many keys the controllers of a server have reconciled, without the controllers that run on every server. */
async function workOf(server: ServerProcess): Promise<number> {
  const lines = (await metricsOf(server)).matchAll(/^workqueue_adds_total\{name="(\w+)"\} (\d+)$/gm);
  return [...lines]
    .filter(([, name = '']) => led.includes(name))
    .reduce((sum, [, , adds]) => sum + Number(adds), 0);
}

const led = [
  'cronjob',
  'namespace',
  'serviceaccount',
  'garbage_collector_attempt_to_delete',
  'garbage_collector_attempt_to_orphan',
];

async function until(what: string, condition: () => Promise<boolean>): Promise<void> {
  const end = performance.now() + 120_000;
  while (!(await condition())) {
    if (performance.now() > end) assert.fail(`never came: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
