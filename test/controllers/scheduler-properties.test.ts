// Property test of the scheduler: whatever pods and nodes there are, no node is overcommitted and required constraints hold.
// The checks are written independently of the scheduler's plugins, on the objects that the API returns.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Body, testServer } from '../support/client.ts';
import { conditionsOf, until } from '../support/controllers.ts';

const api = testServer({ controllers: ['scheduler', 'serviceaccount-controller'] });
const nodeCount = 6;
const podCount = 60;

interface Container {
  readonly resources: { readonly requests: { readonly cpu: string } };
  readonly ports?: readonly { readonly hostPort: number }[];
}
interface Term {
  readonly topologyKey: string;
  readonly labelSelector: { readonly matchLabels: { readonly app: string } };
}
interface Constraint extends Term {
  readonly maxSkew: number;
}
interface Affinity {
  readonly requiredDuringSchedulingIgnoredDuringExecution: readonly Term[];
}
interface Spec {
  readonly nodeName?: string;
  readonly containers: readonly Container[];
  readonly nodeSelector?: Record<string, string>;
  readonly tolerations?: readonly { readonly key: string }[];
  readonly topologySpreadConstraints?: readonly Constraint[];
  readonly affinity?: { readonly podAffinity?: Affinity; readonly podAntiAffinity?: Affinity };
}
interface PodBody {
  readonly metadata: Body['metadata'];
  readonly spec: Spec;
}
interface NodeBody {
  readonly metadata: Body['metadata'];
  readonly spec: { readonly taints?: readonly { readonly key: string }[] };
  readonly status: { readonly allocatable: { readonly cpu: string; readonly pods: string } };
}

/** A linear congruential generator, so that failures can be repeated. */
function randomSource(seed: number) {
  let state = seed;
  const next = () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return state / 2 ** 32;
  };
  const integer = (below: number) => Math.floor(next() * below);
  const chance = (probability: number) => next() < probability;
  return { integer, chance };
}
type Random = ReturnType<typeof randomSource>;

const randomNode = ({ integer, chance }: Random, index: number) => ({
  metadata: {
    name: `node-${index}`,
    labels: {
      'orch.io/hostname': `node-${index}`,
      ...(chance(0.9) && { zone: `${integer(3)}` }),
      ...(chance(0.5) && { disk: 'ssd' }),
    },
  },
  spec: { taints: chance(0.3) ? [{ key: 'special', effect: 'NoSchedule' }] : [] },
  status: { allocatable: { cpu: `${1 + integer(6)}`, memory: '16Gi', pods: `${4 + integer(12)}` } },
});

const apps = ['a', 'b', 'c'];

function randomPod({ integer, chance }: Random, index: number) {
  const app = apps[integer(apps.length)]!;
  const termOf = (name: string, topologyKey: string) => ({
    topologyKey,
    labelSelector: { matchLabels: { app: name } },
  });
  const required = (term: object) => ({ requiredDuringSchedulingIgnoredDuringExecution: [term] });
  const hostname = 'orch.io/hostname';
  return {
    metadata: { name: `pod-${index}`, labels: { app } },
    spec: {
      containers: [
        {
          name: 'c',
          image: 'app',
          resources: { requests: { cpu: `${integer(8) * 100}m` } },
          ports: chance(0.1) ? [{ containerPort: 80, hostPort: 8000 + integer(2) }] : [],
        },
      ],
      ...(chance(0.2) && { nodeSelector: { disk: 'ssd' } }),
      ...(chance(0.3) && { tolerations: [{ key: 'special', operator: 'Exists' }] }),
      // All pods of one app have the same spread constraint.
      ...(app === 'a' && {
        topologySpreadConstraints: [
          {
            ...termOf('a', 'zone'),
            maxSkew: 1,
            whenUnsatisfiable: 'DoNotSchedule',
            nodeAffinityPolicy: 'Ignore',
          },
        ],
      }),
      affinity: {
        ...(app === 'b' && chance(0.5) && { podAntiAffinity: required(termOf('b', hostname)) }),
        ...(app === 'c' && chance(0.5) && { podAffinity: required(termOf('c', 'zone')) }),
      },
    },
  };
}

const milli = (text: string) => (text.endsWith('m') ? Number(text.slice(0, -1)) : Number(text) * 1000);
const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);

function assertNodeLimits(node: NodeBody, pods: readonly PodBody[]): void {
  const { allocatable } = node.status;
  const used = sum(
    pods.flatMap(({ spec }) => spec.containers.map(({ resources }) => milli(resources.requests?.cpu ?? '0'))),
  );
  assert.ok(used <= milli(allocatable.cpu), `${node.metadata.name}: ${used}m of ${allocatable.cpu}`);
  assert.ok(pods.length <= Number(allocatable.pods), `${node.metadata.name}: ${pods.length} pods`);
  const ports = pods.flatMap(({ spec }) =>
    spec.containers.flatMap(({ ports = [] }) => ports.map((p) => p.hostPort)),
  );
  assert.equal(new Set(ports).size, ports.length, `${node.metadata.name}: ports ${ports.join()}`);
  for (const { metadata, spec } of pods) {
    for (const { key } of node.spec.taints ?? []) {
      assert.ok(
        spec.tolerations?.some((toleration) => toleration.key === key),
        `${metadata.name} tolerates ${key}`,
      );
    }
    for (const [key, value] of Object.entries(spec.nodeSelector ?? {})) {
      assert.equal(node.metadata.labels[key], value, metadata.name);
    }
  }
}

function assertTopology(nodes: ReadonlyMap<string, NodeBody>, pods: readonly PodBody[]): void {
  const domain = ({ spec }: PodBody, key: string) => nodes.get(spec.nodeName!)!.metadata.labels[key];
  const selects = ({ labelSelector }: Term, { metadata }: PodBody) =>
    metadata.labels.app === labelSelector.matchLabels.app;
  for (const pod of pods) {
    const { podAffinity, podAntiAffinity } = pod.spec.affinity ?? {};
    const others = (term: Term) =>
      pods.filter(
        (other) =>
          other !== pod &&
          selects(term, other) &&
          domain(other, term.topologyKey) === domain(pod, term.topologyKey),
      );
    for (const term of podAntiAffinity?.requiredDuringSchedulingIgnoredDuringExecution ?? []) {
      assert.deepEqual(
        others(term).map(({ metadata }) => metadata.name),
        [],
        pod.metadata.name,
      );
    }
    for (const term of podAffinity?.requiredDuringSchedulingIgnoredDuringExecution ?? []) {
      assert.ok(domain(pod, term.topologyKey) !== undefined, pod.metadata.name);
      const isFirst = selects(term, pod) && pods.filter((other) => selects(term, other)).length === 1;
      assert.ok(isFirst || others(term).length > 0, `${pod.metadata.name} has no companion`);
    }
    for (const constraint of pod.spec.topologySpreadConstraints ?? []) {
      const { topologyKey, maxSkew } = constraint;
      const values = new Set(
        [...nodes.values()].flatMap(({ metadata }) => metadata.labels[topologyKey] ?? []),
      );
      const counts = [...values].map(
        (value) =>
          pods.filter((other) => selects(constraint, other) && domain(other, topologyKey) === value).length,
      );
      const own = pods.filter(
        (other) => selects(constraint, other) && domain(other, topologyKey) === domain(pod, topologyKey),
      ).length;
      assert.ok(domain(pod, topologyKey) !== undefined, pod.metadata.name);
      assert.ok(own - Math.min(...counts) <= maxSkew, `${pod.metadata.name}: ${counts.join()}`);
    }
  }
}

for (const seed of [1, 2, 3, 4]) {
  test(`no node is overcommitted, and required constraints hold (seed ${seed})`, async () => {
    await api.server.reset();
    const random = randomSource(seed);
    const pods = await api.namespace('pods');
    await until(
      () => api.get(pods.replace(/pods$/, 'serviceaccounts/default')),
      ({ code }) => code === 200,
    );
    for (let i = 0; i < nodeCount; i++) {
      const node = randomNode(random, i);
      const { body } = await api.post('/api/v1/nodes', node);
      const spec = { ...body.spec, ...node.spec, unschedulable: true };
      await api.put(`/api/v1/nodes/node-${i}`, { ...body, spec });
    }
    const createPods = (from: number, count: number) => {
      const bodies = Array.from({ length: count }, (_, i) => randomPod(random, from + i));
      return Promise.all(bodies.map(async (body) => assert.equal((await api.post(pods, body)).code, 201)));
    };
    await createPods(0, podCount / 2);
    assert.deepEqual(await untilSettled(pods), []);
    // All pods are scheduled at once when their backoff ends.
    for (const node of (await api.get('/api/v1/nodes')).body.items) {
      const spec = { ...node.spec, unschedulable: false };
      assert.equal((await api.put(`/api/v1/nodes/${node.metadata.name}`, { ...node, spec })).code, 200);
    }
    api.server.clock.advance(10_000);
    // Deletions of these pods violate no constraint of others.
    for (const { metadata } of (await untilSettled(pods)).filter(
      ({ metadata }) => metadata.labels.app === 'b',
    )) {
      await api.delete(`${pods}/${metadata.name}`, { gracePeriodSeconds: 0 });
    }
    await createPods(podCount / 2, podCount / 2);
    const assigned = await untilSettled(pods);
    assert.ok(assigned.length > podCount / 6, `only ${assigned.length} pods are assigned`);
    const { body } = await api.get('/api/v1/nodes');
    const nodes = new Map((body.items as unknown as NodeBody[]).map((node) => [node.metadata.name, node]));
    for (const [name, node] of nodes) {
      assertNodeLimits(
        node,
        assigned.filter(({ spec }) => spec.nodeName === name),
      );
    }
    assertTopology(nodes, assigned);
  });
}

/** The assigned pods, once every pod is assigned or known to be unschedulable, and retries change nothing. */
async function untilSettled(pods: string): Promise<PodBody[]> {
  const list = async () => (await api.get(pods)).body.items;
  let assigned = -1;
  for (;;) {
    const items = await until(list, (seen) =>
      seen.every(
        (pod) => pod.spec.nodeName || conditionsOf(pod).some(({ reason }) => reason === 'Unschedulable'),
      ),
    );
    const bound = items.filter(({ spec }) => spec.nodeName !== undefined);
    if (bound.length === assigned) return bound as unknown as PodBody[];
    assigned = bound.length;
    api.server.clock.advance(10_000);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
