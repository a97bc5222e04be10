// Measures the scheduler on many nodes and pods: node scripts/launch.mjs scripts/measure-scheduler.ts [nodes] [pods]
import { startServer } from '../src/index.ts';
import { pendingPod } from '../src/scheduler/cache/pod-info.ts';
import { TestCluster, type TestNode, type TestPod, testPod } from '../src/scheduler/cluster.fixture.ts';
import { defaultProfile } from '../src/scheduler/profile.ts';
import { SchedulingAlgorithm } from '../src/scheduler/schedule-pod.ts';

const [nodeCount = 1_000, podCount = 10_000] = process.argv.slice(2).map(Number);
const zone = (index: number) => `${index % 3}`;
const labels = { app: 'web' };
const labelSelector = { matchLabels: labels };
const constrained: TestPod = {
  cpu: '100m',
  labels,
  spec: {
    topologySpreadConstraints: [
      { maxSkew: 1, topologyKey: 'zone', whenUnsatisfiable: 'DoNotSchedule', labelSelector },
      { maxSkew: 1, topologyKey: 'hostname', whenUnsatisfiable: 'ScheduleAnyway', labelSelector },
    ],
    affinity: {
      podAntiAffinity: {
        preferredDuringSchedulingIgnoredDuringExecution: [
          { weight: 100, podAffinityTerm: { topologyKey: 'hostname', labelSelector } },
        ],
      },
    },
  },
};

/** Milliseconds per pod of the algorithm alone, with `assigned` pods on the nodes already. */
function measureAlgorithm(pod: TestPod, assigned: number): number {
  const nodes = Array.from({ length: nodeCount }, (_, i): [string, TestNode] => [
    `node-${i}`,
    { cpu: '64', memory: '256Gi', labels: { zone: zone(i) } },
  ]);
  const cluster = new TestCluster(Object.fromEntries(nodes));
  for (let i = 0; i < assigned; i++) cluster.run(`${i}`, `node-${i % nodeCount}`, pod);
  const algorithm = new SchedulingAlgorithm(cluster, cluster.nominated, Math.random);
  const attempts = 500;
  const schedule = (index: number) => {
    const pending = pendingPod(testPod(`new-${index}`, pod));
    const result = algorithm.schedule(pending, defaultProfile);
    if (!('node' in result)) throw new Error('the pod fits on no node');
    cluster.cluster.assume(pending, result.node.name);
  };
  for (let i = 0; i < attempts; i++) schedule(i);
  const start = performance.now();
  for (let i = attempts; i < 2 * attempts; i++) schedule(i);
  return (performance.now() - start) / attempts;
}

async function inParallel(count: number, run: (index: number) => Promise<void>): Promise<void> {
  let next = 0;
  const worker = async () => {
    while (next < count) await run(next++);
  };
  await Promise.all(Array.from({ length: 16 }, worker));
}

/** Prints how long a server takes to create and bind all pods. */
async function measureServer(): Promise<void> {
  const server = await startServer({ controllers: ['scheduler', 'serviceaccount-controller'] });
  const { client } = server;
  const allocatable = { cpu: '64', memory: '256Gi', pods: '110' };
  await inParallel(nodeCount, async (i) => {
    const name = `node-${i}`;
    const metadata = { name, labels: { zone: zone(i), 'orch.io/hostname': name } };
    await client.create({ apiVersion: 'v1', kind: 'Node', metadata, status: { allocatable } } as never);
  });
  const start = performance.now();
  const containers = [{ name: 'c', image: 'app', resources: { requests: { cpu: '100m', memory: '64Mi' } } }];
  // Admission taints new nodes as not ready.
  const spec = { containers, tolerations: [{ operator: 'Exists' }] };
  await inParallel(podCount, async (i) => {
    const metadata = { name: `pod-${i}`, namespace: 'default', labels };
    await client.create({ apiVersion: 'v1', kind: 'Pod', metadata, spec } as never);
  });
  const createdMs = performance.now() - start;
  const unassigned = { apiVersion: 'v1', kind: 'Pod', fieldSelector: 'spec.nodeName=', limit: 1 };
  while ((await client.list(unassigned)).items.length > 0) {
    await new Promise((resolve) => setTimeout(resolve, 1_000));
  }
  const boundMs = performance.now() - start;
  const seconds = (ms: number) => (ms / 1000).toFixed(1);
  console.log(`${podCount} pods on ${nodeCount} nodes, memory storage, in one process:`);
  console.log(`  created in ${seconds(createdMs)} s, all bound after ${seconds(boundMs)} s`);
  console.log(`  ${Math.round((podCount * 1000) / boundMs)} pods per second`);
  await server.stop();
}

for (const [name, pod] of [
  ['plain pods', { cpu: '100m' }],
  ['pods with constraints', constrained],
] as const) {
  for (const assigned of [0, podCount]) {
    const ms = measureAlgorithm(pod, assigned);
    console.log(`${name}, ${nodeCount} nodes, ${assigned} assigned pods: ${ms.toFixed(2)} ms per pod`);
  }
}
await measureServer();
