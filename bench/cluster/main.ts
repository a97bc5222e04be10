/** npm run bench:cluster: simulated nodes with many pods, on Orch and on the reference with kube-controller-manager, scheduler and kwok. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Cleanup } from '../cleanup.ts';
import { ApiClient } from '../loads/api-client.ts';
import { describeMachine } from '../machine/describe.ts';
import { Orch } from '../sides/orch.ts';
import { findReference } from '../sides/reference.ts';
import { type ClusterResult, type ClusterSize, measureCluster } from './measure.ts';
import { ReferenceCluster } from './reference-cluster.ts';

const { values: options } = parseArgs({
  options: {
    nodes: { type: 'string', default: '1000' },
    deployments: { type: 'string', default: '20' },
    replicas: { type: 'string', default: '500' },
    'orch-only': { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
  },
});
const repository = join(import.meta.dirname, '..', '..');
const size: ClusterSize = {
  nodes: Number(options.nodes),
  deployments: Number(options.deployments),
  replicas: Number(options.replicas),
};
const connections = 16;
const cleanup = new Cleanup();

async function measureOrch(folder: string): Promise<ClusterResult> {
  const side = await Orch.prepare(repository, folder, {
    flags: ['--nodes', String(size.nodes), '--controllers', '*'],
  });
  const api = new ApiClient(side, connections);
  cleanup.add(() => side.stop());
  try {
    await side.startEmpty();
    return await measureCluster(api, () => side.pids(), size);
  } finally {
    api.close();
    await side.stop();
  }
}

async function measureReference(kit: string, folder: string): Promise<ClusterResult> {
  const cluster = await ReferenceCluster.prepare(kit, folder, new AbortController().signal);
  const api = new ApiClient(cluster.side, connections);
  cleanup.add(() => cluster.stop());
  try {
    await cluster.start(api, size.nodes);
    return await measureCluster(api, () => cluster.pids(), size);
  } finally {
    api.close();
    await cluster.stop();
  }
}

const pods = size.deployments * size.replicas;
const rows: readonly (readonly [string, (result: ClusterResult) => string])[] = [
  ['pods running, per second', ({ runningSeconds }) => (pods / runningSeconds).toFixed(0)],
  ['until all pods run', ({ runningSeconds }) => `${runningSeconds.toFixed(1)} s`],
  [
    'processor time of a pod until it runs',
    ({ runningProcessorSeconds }) => `${((runningProcessorSeconds * 1000) / pods).toFixed(2)} ms`,
  ],
  ['until all pods are gone', ({ goneSeconds }) => `${goneSeconds.toFixed(1)} s`],
  ['memory, anonymous', ({ anonymousMB }) => `${anonymousMB.toFixed(0)} MB`],
  ['memory, mapped files', ({ mappedMB }) => `${mappedMB.toFixed(0)} MB`],
  ['busy processors while nothing happens', ({ idleCores }) => idleCores.toFixed(3)],
];

function tableOf(orch: ClusterResult, reference: ClusterResult | undefined): string {
  const title = 'kube-apiserver, etcd, kube-controller-manager, kube-scheduler, kwok';
  return [
    reference ? `| | ${title} | Orch |` : '| | Orch |',
    reference ? '| --- | --: | --: |' : '| --- | --: |',
    ...rows.map(
      ([name, value]) => `| ${[name, ...(reference ? [value(reference)] : []), value(orch)].join(' | ')} |`,
    ),
  ].join('\n');
}

async function main(): Promise<void> {
  const kit = options['orch-only'] ? undefined : findReference(repository);
  if (!kit && !options['orch-only'])
    console.log('! only Orch is measured: there is no reference (ORCH_REFERENCE)');
  const folder = mkdtempSync(join(tmpdir(), 'orch-bench-cluster-'));
  cleanup.add(() => rmSync(folder, { recursive: true, force: true }));
  cleanup.onSignals();
  const subfolder = (name: string) => {
    mkdirSync(join(folder, name));
    return join(folder, name);
  };
  try {
    console.log(`${size.nodes} nodes, ${size.deployments} Deployments with ${size.replicas} pods each`);
    const orch = await measureOrch(subfolder('orch'));
    console.log(tableOf(orch, undefined));
    const reference = kit ? await measureReference(kit, subfolder('reference')) : undefined;
    const table = tableOf(orch, reference);
    if (reference) console.log(table);
    if (options.write)
      writeFileSync(join(repository, 'bench', 'results', 'cluster.md'), documentOf(table, folder));
  } finally {
    await cleanup.run();
  }
}

function documentOf(table: string, folder: string): string {
  const { processor, cores, kernel } = describeMachine(folder);
  return `# A simulated cluster

\`npm run bench:cluster -- --write\`, ${new Date().toISOString().slice(0, 10)}: ${size.nodes} nodes, ${size.deployments} Deployments with
${size.replicas} pods each. ${processor}, ${cores} processors, Linux ${kernel}.

${table}

Each side runs alone. The memory and the processor time are those of all processes of a side, with all pods running: Orch is one process. The
clients of kube-controller-manager and kube-scheduler may make 5,000 requests per second; with their defaults of 20 and 50 they would
wait most of the time.
`;
}

await main();
