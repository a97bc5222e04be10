// The two sides of the comparison: kube-apiserver with kube-controller-manager, kube-scheduler and kwok, and Orch alone.
import { execFileSync, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { kubeconfig, writeKubeconfig } from '../../../src/cli/kubeconfig.ts';
import {
  end,
  type StartedReference,
  type StartedServer,
  startOrch,
  startReference,
  startReferenceBeside,
  type Undo,
} from '../../parity/servers.ts';
import { Api } from '../kube-controller-manager/api.ts';
import { startControllerManager } from '../kube-controller-manager/controller-manager.ts';
import { servePodMetrics } from './pod-metrics.ts';
import { Recorder } from './recorder.ts';
import { writeSchedulerConfig } from './scheduler-config.ts';

export interface Side {
  readonly name: 'kubernetes' | 'orch';
  readonly api: Api;
  readonly recorder: Recorder;
}

/** Without them the real components make 20 requests per second. */
const fastClient = { 'kube-api-qps': '1000', 'kube-api-burst': '2000' };
/** Scenarios with silent nodes wait for it. */
const nodeTiming = { 'node-monitor-grace-period': '30s' };
const nodeNames = ['node-0', 'node-1', 'node-2'];
const zones = ['zone-a', 'zone-b', 'zone-c'];

/** Dynamic resource allocation is off by default. */
const deviceGates = { 'feature-gates': 'DynamicResourceAllocation=true' };
const deviceFlags = { ...deviceGates, 'runtime-config': 'resource.k8s.io/v1beta1=true' };

export async function startKubernetes(kit: string, undo: Undo, hasDevices: boolean): Promise<Side> {
  const folder = await mkdtemp(join(tmpdir(), 'comparison-'));
  undo.push(() => rm(folder, { recursive: true, force: true }));
  const reference = await startReference(kit, 'defaults', undo);
  const server = hasDevices ? await withDevices(kit, reference, folder, undo) : reference;
  const gates = hasDevices ? deviceGates : {};
  const api = new Api(server);
  await startControllerManager(kit, server, undo, {
    ...fastClient,
    ...nodeTiming,
    ...gates,
    'leader-elect': 'false',
    'use-service-account-credentials': 'true',
  });
  const programs = execFileSync(join(kit, 'unpack'), ['--cluster'], { encoding: 'utf8' }).trim();
  const access = accessTo(server, folder);
  for (const [index, name] of nodeNames.entries()) await addNode(api, name, zones[index]!);
  const start = (program: string, flags: Record<string, string>) => {
    const words = Object.entries({ kubeconfig: access, ...flags }).map(
      ([name, value]) => `--${name}=${value}`,
    );
    const child = spawn(join(programs, program), words, { stdio: 'ignore' });
    undo.unshift(() => end(child));
  };
  const config = hasDevices && { config: await writeSchedulerConfig(folder, access) };
  start('kube-scheduler', {
    ...fastClient,
    ...gates,
    'leader-elect': 'false',
    'secure-port': '0',
    ...config,
  });
  start('kwok', {
    // Scenarios play the kubelets of other nodes.
    'manage-nodes-with-label-selector': 'simulation.orch.io/node=true',
    'node-lease-duration-seconds': '40',
  });
  const recorder = await Recorder.start(server, undo, hasDevices);
  await servePodMetrics(api, recorder, undo);
  return { name: 'kubernetes', api, recorder };
}

/** A kube-apiserver with dynamic resource allocation, beside the one that has the defaults. */
async function withDevices(
  kit: string,
  reference: StartedReference,
  folder: string,
  undo: Undo,
): Promise<StartedServer> {
  const server = await startReferenceBeside(kit, reference, folder, deviceFlags, undo);
  return { ...reference, ...server, authority: join(folder, 'certificates', 'apiserver.crt') };
}

export async function startOrchAlone(undo: Undo, hasDevices: boolean): Promise<Side> {
  const folder = await mkdtemp(join(tmpdir(), 'comparison-'));
  undo.push(() => rm(folder, { recursive: true, force: true }));
  const server = await startOrch('lmdb', 'defaults', undo, {
    ...nodeTiming,
    controllers: '*',
    nodes: String(nodeNames.length),
    ...(hasDevices && { ...deviceFlags, 'scheduler-config': await writeSchedulerConfig(folder) }),
  });
  const api = new Api(server);
  // The reference has no default class.
  await api.remove('apis/storage.k8s.io/v1 storageclasses', '', 'simulated');
  return { name: 'orch', api, recorder: await Recorder.start(server, undo, hasDevices) };
}

function accessTo(server: StartedServer, folder: string): string {
  const file = join(folder, 'kubeconfig');
  const config = kubeconfig({
    url: server.url.origin,
    caCertificate: readFileSync(server.authority, 'utf8'),
    credentials: { token: server.token },
  });
  writeKubeconfig(file, config);
  return file;
}

async function addNode(api: Api, name: string, zone: string): Promise<void> {
  const labels = {
    'kubernetes.io/hostname': name,
    'kubernetes.io/os': 'linux',
    'kubernetes.io/arch': 'amd64',
    'topology.kubernetes.io/zone': zone,
    'topology.kubernetes.io/region': 'region-1',
    'simulation.orch.io/node': 'true',
  };
  const resources = { cpu: '32', memory: '256Gi', 'ephemeral-storage': '1Ti', pods: '110' };
  await api.create('api/v1 nodes', '', {
    metadata: { name, labels, annotations: { 'kwok.x-k8s.io/node': 'fake' } },
    status: { capacity: resources, allocatable: resources },
  });
}
