// kube-apiserver and etcd with kube-controller-manager, kube-scheduler and kwok, which plays the nodes.
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ApiClient } from '../loads/api-client.ts';
import { Reference } from '../sides/reference.ts';
import { ServerProcess } from '../sides/server-process.ts';
import { urlOf } from '../sides/side.ts';

/** The defaults allow 20 to 50 requests per second, and would be all that is measured. */
const fastClient = ['--kube-api-qps=5000', '--kube-api-burst=10000'];

export class ReferenceCluster {
  readonly side: Reference;
  readonly #programs: string;
  readonly #folder: string;
  #processes: ServerProcess[] = [];

  private constructor(side: Reference, programs: string, folder: string) {
    this.side = side;
    this.#programs = programs;
    this.#folder = folder;
  }

  static async prepare(kit: string, folder: string, signal: AbortSignal): Promise<ReferenceCluster> {
    const side = await Reference.prepare(kit, folder, signal);
    const programs = execFileSync(join(kit, 'unpack'), ['--cluster'], { encoding: 'utf8' }).trim();
    return new ReferenceCluster(side, programs, folder);
  }

  pids(): number[] {
    return [...this.side.pids(), ...this.#processes.map(({ pid }) => pid)];
  }

  /** Starts everything, and creates the nodes. */
  async start(api: ApiClient, nodes: number): Promise<void> {
    await this.side.startEmpty();
    const access = join(this.#folder, 'cluster.kubeconfig');
    writeFileSync(access, kubeconfig(urlOf(this.side), this.side.token));
    const start = (program: string, flags: readonly string[]) =>
      this.#processes.push(
        new ServerProcess(
          join(this.#programs, program),
          [`--kubeconfig=${access}`, ...flags],
          join(this.#folder, `${program}.log`),
        ),
      );
    start('kube-controller-manager', [
      ...fastClient,
      '--leader-elect=false',
      `--service-account-private-key-file=${join(this.#folder, 'pki', 'sa.key')}`,
      `--root-ca-file=${join(this.#folder, 'pki', 'apiserver.crt')}`,
      '--use-service-account-credentials=false',
      '--secure-port=0',
    ]);
    start('kube-scheduler', [...fastClient, '--leader-elect=false', '--secure-port=0']);
    for (let index = 0; index < nodes; index++) {
      await api.expect([201], 'POST', '/api/v1/nodes', JSON.stringify(nodeManifest(`node-${index}`)));
    }
    start('kwok', ['--manage-all-nodes', '--node-lease-duration-seconds=40']);
  }

  async stop(): Promise<void> {
    for (const each of this.#processes.splice(0).reverse()) await each.stop();
    await this.side.stop();
  }
}

function nodeManifest(name: string) {
  const labels = {
    'kubernetes.io/hostname': name,
    'kubernetes.io/os': 'linux',
    'kubernetes.io/arch': 'amd64',
  };
  const resources = { cpu: '32', memory: '256Gi', 'ephemeral-storage': '1Ti', pods: '110' };
  const annotations = { 'kwok.x-k8s.io/node': 'fake' };
  return { metadata: { name, labels, annotations }, status: { capacity: resources, allocatable: resources } };
}

const kubeconfig = (server: string, token: string) => `apiVersion: v1
kind: Config
clusters: [{name: c, cluster: {server: "${server}", insecure-skip-tls-verify: true}}]
users: [{name: u, user: {token: ${token}}}]
contexts: [{name: x, context: {cluster: c, user: u}}]
current-context: x
`;
