/** Runs Kubernetes' sample-apiserver behind Orch and uses it as a client would; see README.md. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { kubeconfig } from '../../../src/cli/kubeconfig.ts';
import { createCA, issueServingCertificate } from '../../../src/pki/issue.ts';
import { Kubectl } from '../../clients/kubectl.ts';
import { Api } from '../../controllers/kube-controller-manager/api.ts';
import { connectTo, exchange } from '../../parity/client.ts';
import { referenceKit, type StartedServer, startOrch, type Undo } from '../../parity/servers.ts';
import { Checks } from './checks.ts';
import { allowAllVerbs, grantPermissions, namespace } from './permissions.ts';
import {
  buildSampleServer,
  onPath,
  type SampleServer,
  startEtcd,
  startSampleServer,
} from './sample-server.ts';

const group = 'wardle.example.com';
const services = 'apis/apiregistration.k8s.io/v1 apiservices';
/** A loopback address that a Service can have as its cluster IP. */
const range = '127.77.4.0/24';
const address = '127.77.4.10';

function skip(why: string): number {
  const mark = '!'.repeat(20);
  console.log(`${mark} AGGREGATED SERVER SKIPPED: ${why} ${mark}`);
  return 0;
}

async function main(): Promise<number> {
  const go = onPath('go');
  if (!go) return skip('there is no Go on this machine to build sample-apiserver with.');
  const kit = referenceKit();
  if (!kit) return skip('there is no kubectl and no etcd on this machine (set ORCH_REFERENCE).');
  process.env.ORCH_REFERENCE ??= kit;
  const program = await buildSampleServer(go);
  const undo: Undo = [];
  const stop = async () => {
    for (const step of undo.splice(0)) await step();
  };
  for (const signal of ['SIGINT', 'SIGTERM'])
    process.once(signal, () => stop().finally(() => process.exit(130)));
  try {
    console.log('starting Orch, etcd and sample-apiserver');
    const orch = await startOrch('lmdb', 'defaults', undo, {
      'service-cluster-ip-range': range,
      controllers: 'namespace-controller',
    });
    const etcd = await startEtcd(
      join(execFileSync(join(kit, 'unpack'), { encoding: 'utf8' }).trim(), 'etcd'),
      undo,
    );
    return await use(orch, program, etcd, undo);
  } finally {
    await stop();
  }
}

async function use(orch: StartedServer, program: string, etcd: string, undo: Undo): Promise<number> {
  const api = new Api(orch);
  const caCertificate = readFileSync(orch.authority, 'utf8');
  const access = (token: string) =>
    kubeconfig({ url: orch.url.origin, caCertificate, credentials: { token } });
  const authority = await createCA('wardle', Date.now());
  const serving = await issueServingCertificate(
    authority,
    { name: 'api', hostNames: [`api.${namespace}.svc`] },
    Date.now(),
  );
  const token = await grantPermissions(api);
  const server = await startSampleServer(
    { program, etcd, kubeconfig: access(token), address, serving },
    undo,
  );
  await api.create('api/v1 services', namespace, {
    metadata: { name: 'api' },
    spec: { type: 'NodePort', clusterIP: address, ports: [{ port: server.port }] },
  });
  for (const version of ['v1alpha1', 'v1beta1']) {
    await api.create(services, '', {
      metadata: { name: `${version}.${group}` },
      spec: {
        group,
        version,
        groupPriorityMinimum: 1000,
        versionPriority: version === 'v1beta1' ? 20 : 15,
        service: { namespace, name: 'api', port: server.port },
        caBundle: Buffer.from(authority.certificate).toString('base64'),
      },
    });
  }
  const folder = await mkdtemp(join(tmpdir(), 'aggregated-client-'));
  undo.push(() => rm(folder, { recursive: true, force: true }));
  const nothing = async () => {};
  const kubectlOf = async (of: string) => {
    const file = join(folder, of);
    await writeFile(file, access(of), { mode: 0o600 });
    return new Kubectl({ kubeconfig: file, folder, restart: nothing, stop: nothing });
  };
  const checks = new Checks();
  try {
    await discover(checks, api, await kubectlOf('admin-token'));
    await work(checks, await kubectlOf('admin-token'));
    await delegate(checks, api, await kubectlOf('alice-token'), server);
  } finally {
    checks.report();
    if (checks.failed > 0) console.log(server.log().split('\n').slice(-30).join('\n'));
  }
  orch.agent.destroy();
  return checks.failed > 0 ? 1 : 0;
}

/** Checks discovery and OpenAPI. */
async function discover(checks: Checks, api: Api, kubectl: Kubectl): Promise<void> {
  for (const version of ['v1alpha1', 'v1beta1']) {
    await checks.until(`${version}.${group} is Available`, async () => {
      const found = await api.get(services, '', `${version}.${group}`);
      const { conditions = [] } = (found?.status ?? {}) as { conditions?: { reason: string }[] };
      return conditions[0]?.reason === 'Passed';
    });
  }
  await checks.until('api-resources lists flunders and fischers', async () => {
    const listed = await kubectl.run(['api-resources', '--cached=false', `--api-group=${group}`]);
    return /^fischers /m.test(listed) && /^flunders .*v1beta1/m.test(listed);
  });
  await checks.until('api-versions lists both versions', async () => {
    const listed = (await kubectl.run(['api-versions'])).split('\n');
    return listed.includes(`${group}/v1alpha1`) && listed.includes(`${group}/v1beta1`);
  });
  await checks.until('explain describes its fields', async () => {
    const { stdout } = await kubectl.try(['explain', 'flunders.spec', `--api-version=${group}/v1beta1`]);
    return stdout.includes('flunderReference');
  });
}

const flunder = (name: string) =>
  JSON.stringify({ apiVersion: `${group}/v1beta1`, kind: 'Flunder', metadata: { name }, spec: {} });

/** Checks create, get, list, watch, update and delete of its objects. */
async function work(checks: Checks, kubectl: Kubectl): Promise<void> {
  const flunders = `flunders.${group}`;
  const watching = kubectl.follow(['get', flunders, '-n', 'default', '--watch-only', '-o', 'name']);
  await checks.until('create', async () => {
    const { code } = await kubectl.try(['create', '-f', '-'], flunder('one'));
    return code === 0;
  });
  await checks.that('get', async () => /^one /m.test(await kubectl.run(['get', flunders])));
  await checks.that('label', async () =>
    /labeled/.test(await kubectl.run(['label', flunders, 'one', 'colour=blue'])),
  );
  await checks.that('apply on the server', async () => {
    const applied = await kubectl.run(['apply', '--server-side', '-f', '-'], flunder('two'));
    return applied.includes('serverside-applied');
  });
  await checks.that('watch', async () => {
    await watching.printed(/two/);
    return true;
  });
  await watching.stop();
  await checks.that('select by label', async () => {
    const listed = await kubectl.run(['get', flunders, '-l', 'colour=blue', '-o', 'name']);
    return listed.trim() === `flunder.${group}/one`;
  });
  await checks.that('read in its other version', async () => {
    const read = await kubectl.run([
      'get',
      `flunders.v1alpha1.${group}`,
      'one',
      '-o',
      'jsonpath={.apiVersion}',
    ]);
    return read === `${group}/v1alpha1`;
  });
  await checks.that('its admission plugin refuses what a fischer disallows', async () => {
    const fischer = {
      apiVersion: `${group}/v1alpha1`,
      kind: 'Fischer',
      metadata: { name: 'strict' },
      disallowedFlunders: ['bad'],
    };
    await kubectl.run(['create', '-f', '-'], JSON.stringify(fischer));
    return checks.soon(async () => {
      const { code, stderr } = await kubectl.try(['create', '-f', '-'], flunder('bad'));
      if (code === 0) await kubectl.run(['delete', flunders, 'bad']);
      return /this name may not be used, please change the resource name/.test(stderr);
    });
  });
  await checks.that('its namespaces are those of Orch', async () => {
    const { stderr } = await kubectl.try(['create', '-n', 'nowhere', '-f', '-'], flunder('lost'));
    return /namespaces "nowhere" not found/.test(stderr);
  });
  await checks.that('delete', async () => {
    await kubectl.run(['delete', flunders, 'one', 'two', '--wait=true']);
    const { stderr } = await kubectl.try(['get', flunders, 'one']);
    return /not found/.test(stderr);
  });
  await checks.that('a namespace goes with what it has there', async () => {
    await kubectl.run(['create', 'namespace', 'doomed']);
    for (const name of ['one', 'two'])
      await kubectl.run(['create', '-n', 'doomed', '-f', '-'], flunder(name));
    await kubectl.run(['delete', 'namespace', 'doomed', '--timeout=60s']);
    return (await kubectl.run(['get', flunders, '--all-namespaces', '-o', 'name'])) === '';
  });
}

/** Checks that it delegates authentication and authorization to Orch, also for direct requests. */
async function delegate(checks: Checks, api: Api, alice: Kubectl, { port }: SampleServer): Promise<void> {
  const straight = connectTo(`https://${address}:${port}`, 'alice-token');
  const path = `/apis/${group}/v1beta1/namespaces/default/flunders`;
  const asAlice = () =>
    exchange(straight, { method: 'GET', path, headers: { authorization: 'Bearer alice-token' } });
  await checks.that('a token is reviewed by Orch, and access too: alice may not', async () => {
    const { status, body } = await asAlice();
    return status === 403 && /User \\"alice\\" cannot list/.test(body);
  });
  await checks.that('a token that nobody knows is 401', async () => {
    const headers = { authorization: 'Bearer nobody' };
    return (await exchange(straight, { method: 'GET', path, headers })).status === 401;
  });
  await checks.that('through Orch alice may not either', async () => {
    const refused = await alice.fail(['get', `flunders.${group}`]);
    return /User "alice" cannot list resource "flunders"/.test(refused);
  });
  await allowAllVerbs(api, 'alice', group);
  await checks.until('once she may, she may at both', async () => {
    const { code } = await alice.try(['get', `flunders.${group}`]);
    return code === 0 && (await asAlice()).status === 200;
  });
  await checks.that('what she makes through Orch is hers there', async () => {
    await alice.run(['create', '-f', '-'], flunder('hers'));
    return (await alice.run(['get', `flunders.${group}`, '-o', 'name'])).trim() === `flunder.${group}/hers`;
  });
  straight.agent.destroy();
}

process.exitCode = await main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  return 1;
});
