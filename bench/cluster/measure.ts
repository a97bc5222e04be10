// Measures one cluster: how fast pods of Deployments get to run and go away again, and what the cluster costs when nothing happens.
import { setTimeout as sleep } from 'node:timers/promises';
import type { ApiClient } from '../loads/api-client.ts';
import { residentMemory } from '../machine/memory.ts';
import { cpuSeconds, withDescendants } from '../machine/process-tree.ts';

export interface ClusterSize {
  readonly nodes: number;
  readonly deployments: number;
  readonly replicas: number;
}

export interface ClusterResult {
  readonly runningSeconds: number;
  /** Processor time of all processes of the cluster until all pods run. */
  readonly runningProcessorSeconds: number;
  readonly goneSeconds: number;
  readonly anonymousMB: number;
  readonly mappedMB: number;
  /** Processors that are busy while nothing happens, with all pods running. */
  readonly idleCores: number;
}

const pollMs = 200;
/** Leases are renewed every ten seconds, and conditions every five minutes. */
const settleSeconds = 30;
const idleSeconds = 60;
const longestSeconds = 1_800;

const deployments = '/apis/apps/v1/namespaces/default/deployments';

const deployment = (name: string, replicas: number) => ({
  metadata: { name },
  spec: {
    replicas,
    selector: { matchLabels: { app: name } },
    template: {
      metadata: { labels: { app: name } },
      spec: {
        containers: [{ name: 'c', image: 'i', resources: { requests: { cpu: '100m', memory: '64Mi' } } }],
      },
    },
  },
});

export async function measureCluster(
  api: ApiClient,
  pids: () => number[],
  { nodes, deployments: count, replicas }: ClusterSize,
): Promise<ClusterResult> {
  await until(async () => (await readyNodes(api)) === nodes, `${nodes} ready nodes`);
  const processes = () => cpuSeconds(withDescendants(pids()));
  const startProcessor = processes();
  const startMs = performance.now();
  for (let index = 0; index < count; index++) {
    await api.expect([201], 'POST', deployments, JSON.stringify(deployment(`web-${index}`, replicas)));
  }
  await until(async () => (await availablePods(api)) === count * replicas, 'all pods available');
  const runningSeconds = (performance.now() - startMs) / 1000;
  const runningProcessorSeconds = processes() - startProcessor;
  await sleep(settleSeconds * 1000);
  const idleStart = processes();
  await sleep(idleSeconds * 1000);
  const idleCores = (processes() - idleStart) / idleSeconds;
  const { anonymousMB, mappedMB } = residentMemory(pids());
  const deletionMs = performance.now();
  await api.expect([200], 'DELETE', deployments, JSON.stringify({ propagationPolicy: 'Background' }));
  await until(async () => (await podCount(api)) === 0, 'no pods');
  const goneSeconds = (performance.now() - deletionMs) / 1000;
  return { runningSeconds, runningProcessorSeconds, goneSeconds, anonymousMB, mappedMB, idleCores };
}

async function until(isReached: () => Promise<boolean>, what: string): Promise<void> {
  const end = performance.now() + longestSeconds * 1000;
  while (!(await isReached())) {
    if (performance.now() > end) throw new Error(`${what}: not reached in ${longestSeconds} seconds`);
    await sleep(pollMs);
  }
}

interface List<T> {
  readonly metadata: { readonly remainingItemCount?: number };
  readonly items: readonly T[];
}

async function list<T>(api: ApiClient, path: string): Promise<List<T>> {
  return JSON.parse((await api.expect([200], 'GET', path)).body) as List<T>;
}

async function readyNodes(api: ApiClient): Promise<number> {
  const { items } = await list<{ status: { conditions?: { type: string; status: string }[] } }>(
    api,
    '/api/v1/nodes',
  );
  const isReady = ({ type, status }: { type: string; status: string }) =>
    type === 'Ready' && status === 'True';
  return items.filter(({ status }) => status.conditions?.some(isReady)).length;
}

async function availablePods(api: ApiClient): Promise<number> {
  const { items } = await list<{ status: { availableReplicas?: number } }>(api, deployments);
  return items.reduce((sum, { status }) => sum + (status.availableReplicas ?? 0), 0);
}

async function podCount(api: ApiClient): Promise<number> {
  const { metadata, items } = await list(api, '/api/v1/namespaces/default/pods?limit=1');
  return items.length + (metadata.remainingItemCount ?? 0);
}
