/** Runs the real helm on Orch with simulated nodes; see README.md. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { kubeconfig } from '../../src/cli/kubeconfig.ts';
import { onPath } from '../aggregation/sample-apiserver/sample-server.ts';
import { type Answer, exchange, type Server } from '../parity/client.ts';
import { startOrch, type Undo } from '../parity/servers.ts';
import { buildHelm, Helm } from './helm.ts';

const chart = join(import.meta.dirname, 'chart');
/** For what must succeed: the machine may be busy. */
const patience = ['--wait', '--timeout', '5m'];
/** For what cannot succeed. */
const impatience = ['--timeout', '3s', '--set', 'nodeSelector.disk=none'];

interface Release {
  readonly name: string;
  readonly revision: string;
  readonly status: string;
}

interface FoundObject {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly spec?: {
    readonly template?: { readonly spec: { readonly containers: { readonly image: string }[] } };
  };
  readonly status?: Readonly<Record<string, number>>;
  readonly data?: Readonly<Record<string, string>>;
  readonly items?: readonly FoundObject[];
}

class HelmTest {
  readonly #helm: Helm;
  readonly #server: Server;

  constructor(helm: Helm, server: Server) {
    this.#helm = helm;
    this.#server = server;
  }

  /** In this order: each step goes on with the releases of the one before. */
  readonly steps: Readonly<Record<string, () => Promise<void>>> = {
    'install --wait resolves once hooks have run and all workloads are ready': async () => {
      await this.#helm.run('install', 'shop', chart, ...patience);
      await this.#expectReleases(['shop', '1', 'deployed']);
      await this.#expectWeb('one', 2);
      const agents = await this.#get('/apis/apps/v1/namespaces/default/daemonsets/shop-agent');
      assert.equal(agents.status?.numberReady, 3);
      await this.#expectGone('/apis/batch/v1/namespaces/default/jobs/shop-migrate');
    },
    'install --dry-run=server asks the server, and changes nothing': async () => {
      const printed = await this.#helm.run('install', 'tried', chart, '--dry-run=server');
      assert.match(printed, /STATUS: pending-install/);
      await this.#expectReleases(['shop', '1', 'deployed']);
    },
    'test runs the test pod of the release': async () => {
      assert.match(await this.#helm.run('test', 'shop', '--timeout', '5m'), /Phase: +Succeeded/);
    },
    'upgrade changes the objects, and lookup sees the old ones': async () => {
      const changes = ['--set', 'image=two,replicas=4,color=red'];
      await this.#helm.run('upgrade', 'shop', chart, ...changes, ...patience);
      await this.#expectReleases(['shop', '2', 'deployed']);
      await this.#expectWeb('two', 4);
      const { data } = await this.#get('/api/v1/namespaces/default/configmaps/shop');
      assert.deepEqual([data?.color, JSON.parse(data!.before!).color], ['red', 'blue']);
    },
    'an upgrade of what the schema of a CRD forbids is rejected': async () => {
      const { code, stderr } = await this.#helm.try('upgrade', 'shop', chart, '--set', 'replicas=0');
      assert.equal(code, 1);
      assert.match(stderr, /spec\.size in body should be greater than or equal to 1/);
    },
    'rollback restores an earlier revision': async () => {
      await this.#helm.run('rollback', 'shop', '1', ...patience);
      await this.#expectReleases(['shop', '4', 'deployed']);
      await this.#expectWeb('one', 2);
    },
    'upgrade --atomic rolls back if pods do not become ready': async () => {
      const args = ['--set', 'image=three', '--atomic', ...impatience];
      const { code, stderr } = await this.#helm.try('upgrade', 'shop', chart, ...args);
      assert.equal(code, 1);
      assert.match(stderr, /has been rolled back due to atomic being set/);
      const history = await this.#helm.json<{ status: string }[]>('history', 'shop');
      assert.deepEqual(
        history.slice(-2).map(({ status }) => status),
        ['failed', 'deployed'],
      );
      await this.#expectWeb('one', 2);
    },
    'install --atomic uninstalls if pods do not become ready': async () => {
      const { code, stderr } = await this.#helm.try('install', 'bad', chart, '--atomic', ...impatience);
      assert.equal(code, 1);
      assert.match(stderr, /has been uninstalled due to atomic being set/);
      await this.#expectReleases(['shop', '6', 'deployed']);
      await this.#expectGone('/apis/apps/v1/namespaces/default/deployments/bad-web');
    },
    'a second release stands beside the first, in its own namespace': async () => {
      const elsewhere = ['--namespace', 'other', '--create-namespace'];
      await this.#helm.run('upgrade', '--install', 'second', chart, ...elsewhere, ...patience);
      await this.#expectReleases(['second', '1', 'deployed'], ['shop', '6', 'deployed']);
      await this.#helm.run('uninstall', 'second', '--namespace', 'other', ...patience);
    },
    'get shows manifest, values and notes of a release': async () => {
      assert.match(await this.#helm.run('get', 'manifest', 'shop'), /kind: StatefulSet/);
      const all = ['get', 'values', 'shop', '--all'];
      assert.equal((await this.#helm.json<{ color: string }>(...all)).color, 'blue');
    },
    'uninstall --wait removes all objects of the release': async () => {
      await this.#helm.run('uninstall', 'shop', ...patience);
      await this.#expectReleases();
      for (const path of ['/apis/apps/v1', '/api/v1', '/apis/shop.example.com/v1'])
        await this.#expectNoneOf(path, 'shop');
    },
  };

  async #expectReleases(...expected: readonly [string, string, string][]): Promise<void> {
    const releases = await this.#helm.json<Release[]>('list', '--all', '--all-namespaces');
    const found = releases.map(({ name, revision, status }) => [name, revision, status]);
    assert.deepEqual(found, expected);
  }

  async #expectWeb(image: string, replicas: number): Promise<void> {
    const { spec, status } = await this.#get('/apis/apps/v1/namespaces/default/deployments/shop-web');
    assert.equal(spec?.template?.spec.containers[0]?.image, image);
    assert.deepEqual([status?.readyReplicas, status?.updatedReplicas], [replicas, replicas]);
  }

  async #get(path: string): Promise<FoundObject> {
    const { status, body } = await this.#read(path);
    assert.equal(status, 200, `${path}: ${body}`);
    return JSON.parse(body) as FoundObject;
  }

  #read(path: string): Promise<Answer> {
    const headers = { authorization: `Bearer ${this.#server.token}` };
    return exchange(this.#server, { method: 'GET', path, headers });
  }

  async #expectGone(path: string): Promise<void> {
    assert.equal((await this.#read(path)).status, 404, path);
  }

  /** No object of the release in any list of a group version. */
  async #expectNoneOf(groupVersion: string, release: string): Promise<void> {
    const { resources } = (await this.#get(groupVersion)) as unknown as {
      resources: { name: string; verbs: string[]; namespaced: boolean }[];
    };
    for (const { name } of resources.filter(
      ({ verbs, namespaced }) => namespaced && verbs.includes('list'),
    )) {
      // Claims of a StatefulSet stay, as everywhere, and with them nothing else.
      if (name === 'persistentvolumeclaims' || name === 'events') continue;
      const { items = [] } = await this.#get(`${groupVersion}/namespaces/default/${name}`);
      const left = items.map(({ metadata }) => metadata.name).filter((each) => each.startsWith(release));
      assert.deepEqual(left, [], name);
    }
  }
}

async function main(): Promise<number> {
  const go = onPath('go');
  if (!go) {
    const mark = '!'.repeat(20);
    console.log(`${mark} HELM SKIPPED: there is no Go on this machine. ${mark}`);
    return 0;
  }
  const undo: Undo = [];
  const stop = async () => {
    for (const step of undo.splice(0)) await step();
  };
  for (const signal of ['SIGINT', 'SIGTERM'])
    process.once(signal, () => stop().finally(() => process.exit(130)));
  try {
    const program = await buildHelm(go);
    const server = await startOrch('memory', 'defaults', undo, { nodes: '3', controllers: '*' });
    const folder = await mkdtemp(join(tmpdir(), 'orch-helm-'));
    undo.push(() => rm(folder, { recursive: true, force: true }));
    const access = kubeconfig({
      url: server.url.origin,
      caCertificate: readFileSync(server.authority, 'utf8'),
      credentials: { token: server.token },
    });
    await writeFile(join(folder, 'kubeconfig'), access, { mode: 0o600 });
    const helm = new Helm(program, join(folder, 'kubeconfig'), folder);
    const failed = await runSteps(new HelmTest(helm, server).steps);
    server.agent.destroy();
    return failed > 0 ? 1 : 0;
  } finally {
    await stop();
  }
}

/** Resolves to the number of failed steps. */
async function runSteps(steps: HelmTest['steps']): Promise<number> {
  let failed = 0;
  for (const [name, step] of Object.entries(steps)) {
    try {
      await step();
      console.log(`✓ ${name}`);
    } catch (error) {
      failed++;
      console.log(`✗ ${name}\n    ${String((error as Error).message).replaceAll('\n', '\n    ')}`);
    }
  }
  console.log(`${Object.keys(steps).length - failed} passed, ${failed} failed`);
  return failed;
}

process.exitCode = await main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  return 1;
});
