import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Body, testServer } from '../support/client.ts';
import { until } from '../support/controllers.ts';

const api = testServer();

const template = {
  metadata: { labels: { app: 'web' } },
  spec: { containers: [{ name: 'c', image: 'i' }] },
};
const selector = { matchLabels: { app: 'web' } };

interface Status {
  readonly disruptionsAllowed: number;
  readonly currentHealthy: number;
  readonly desiredHealthy: number;
  readonly expectedPods: number;
  readonly disruptedPods?: Record<string, string>;
  readonly conditions?: { status: string; reason: string; message: string }[];
}

const numbers = ({ disruptionsAllowed, currentHealthy, desiredHealthy, expectedPods }: Status) =>
  [disruptionsAllowed, currentHealthy, desiredHealthy, expectedPods].join(' ');

class Stage {
  readonly namespace: string;

  constructor(path: string) {
    this.namespace = path.slice('/api/v1/namespaces/'.length, path.lastIndexOf('/'));
  }

  static async open(): Promise<Stage> {
    return new Stage(await api.namespace());
  }

  path(version: string, plural: string): string {
    return `/${version}/namespaces/${this.namespace}/${plural}`;
  }

  async budget(spec: object): Promise<void> {
    const made = await api.post(this.path('apis/policy/v1', 'poddisruptionbudgets'), {
      metadata: { name: 'budget' },
      spec: { selector, ...spec },
    });
    assert.equal(made.code, 201, made.text);
  }

  /** A ReplicaSet of a Deployment with this many replicas, and ready pods of it. */
  async workload(replicas: number, pods: number): Promise<void> {
    const { body: deployment } = await api.post(this.path('apis/apps/v1', 'deployments'), {
      metadata: { name: 'web' },
      spec: { replicas, selector, template },
    });
    const { body: set } = await api.post(this.path('apis/apps/v1', 'replicasets'), {
      metadata: { name: 'web', ownerReferences: [managedBy(deployment)] },
      spec: { replicas: 1, selector, template },
    });
    for (let i = 0; i < pods; i++) await this.pod(`web-${i}`, [managedBy(set)]);
  }

  async pod(name: string, ownerReferences: object[] = []): Promise<void> {
    const pods = this.path('api/v1', 'pods');
    const spec = { ...template.spec, nodeName: 'n' };
    const metadata = { name, labels: { app: 'web' }, ownerReferences };
    const { body, text } = await api.post(pods, { metadata, spec });
    const status = { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] };
    assert.equal((await api.put(`${pods}/${name}/status`, { ...body, status })).code, 200, text);
  }

  evict(name: string) {
    const body = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name, namespace: this.namespace } };
    return api.post(`${this.path('api/v1', 'pods')}/${name}/eviction`, body);
  }

  /** The status of the budget once it has these numbers and no disruption was used meanwhile. */
  async is(expected: string): Promise<Status> {
    const { body } = await until(
      () => api.get(`${this.path('apis/policy/v1', 'poddisruptionbudgets')}/budget`),
      ({ body }) => {
        const status = body.status as Status;
        return numbers(status) === expected && status.disruptedPods === undefined;
      },
    );
    return body.status as Status;
  }
}

const managedBy = ({ apiVersion, kind, metadata: { name, uid } }: Body) => ({
  ...{ apiVersion, kind, name, uid },
  controller: true,
});

test('a percentage is of the replicas of the Deployment; evictions use up disruptions until other pods are ready', async () => {
  const stage = await Stage.open();
  await stage.budget({ minAvailable: '50%' });
  await stage.workload(4, 3);
  const { conditions } = await stage.is('1 3 2 4');
  assert.deepEqual([conditions?.[0]?.status, conditions?.[0]?.reason], ['True', 'SufficientPods']);
  assert.equal((await stage.evict('web-0')).code, 201);
  const spent = await stage.is('0 2 2 4');
  assert.equal(spent.conditions?.[0]?.reason, 'InsufficientPods');
  const refused = await stage.evict('web-1');
  assert.equal(refused.code, 429);
  assert.match(refused.text, /needs 2 healthy pods and has 2 currently/);
  const { body: set } = await api.get(stage.path('apis/apps/v1', 'replicasets/web'));
  await stage.pod('web-new', [managedBy(set)]);
  await stage.is('1 3 2 4');
  assert.equal((await stage.evict('web-1')).code, 201);
});

test('maxUnavailable counts from the expected pods', async () => {
  const stage = await Stage.open();
  await stage.workload(3, 3);
  await stage.budget({ maxUnavailable: 1 });
  await stage.is('1 3 2 3');
});

test('minAvailable as a number counts pods without a controller', async () => {
  const stage = await Stage.open();
  await stage.budget({ minAvailable: 1 });
  await stage.is('0 0 1 0');
  await stage.pod('bare');
  await stage.pod('bare-too');
  await stage.is('1 2 1 2');
});

test('a budget whose pods cannot be counted is SyncFailed and allows no disruption', async () => {
  const stage = await Stage.open();
  const { body: job } = await api.post(stage.path('apis/batch/v1', 'jobs'), {
    metadata: { name: 'job' },
    spec: { template: { spec: { ...template.spec, restartPolicy: 'Never' } } },
  });
  await stage.pod('of-a-job', [managedBy(job)]);
  await stage.budget({ maxUnavailable: 1 });
  const path = `${stage.path('apis/policy/v1', 'poddisruptionbudgets')}/budget`;
  const { body } = await until(
    () => api.get(path),
    (response) => (response.body.status as Status).conditions !== undefined,
  );
  const [condition] = (body.status as Status).conditions!;
  assert.deepEqual(
    [condition?.status, condition?.reason, condition?.message],
    ['False', 'SyncFailed', 'jobs.batch does not implement the scale subresource'],
  );
  const { body: events } = await until(
    () => api.get(stage.path('api/v1', 'events')),
    (response) => response.body.items.length > 0,
  );
  assert.equal(events.items[0]?.reason, 'CalculateExpectedPodCountFailed');
});

test('pods without a controller are reported in an Event', async () => {
  const stage = await Stage.open();
  await stage.pod('bare');
  await stage.budget({ maxUnavailable: 1 });
  await stage.is('0 1 0 0');
  const { body: events } = await until(
    () => api.get(stage.path('api/v1', 'events')),
    (response) => response.body.items.length > 0,
  );
  assert.equal(events.items[0]?.reason, 'UnmanagedPods');
  assert.match(
    events.items[0]!.message,
    /\(selector: &LabelSelector\{MatchLabels:map\[string\]string\{app: web,\}/,
  );
});
