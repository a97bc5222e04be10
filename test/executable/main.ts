// npm run test:executable: builds the single executable and the image, runs both and three replicas on etcd, and writes their sizes and start times to
// bench/results/executable.md.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { request as httpsRequest } from 'node:https';
import { cpus, tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { freePort } from '../support/free-port.ts';
import { Program } from '../support/program.ts';
import { checkReplicas } from './replicas.ts';

const executable = resolve('dist/orch');
const image = resolve('dist/orch-image.tar');
const folder = mkdtempSync(join(tmpdir(), 'orch-executable-'));
const rounds = 5;
const maxImageBytes = 120e6;
const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(1)} MB`;
/** The executable must not find Node or a checkout. */
const bareEnvironment = { HOME: folder, PATH: '/nonexistent' };

interface Layout {
  readonly manifests: readonly { readonly digest: string }[];
}
interface Manifest {
  readonly config: { readonly digest: string };
  readonly layers: readonly { readonly digest: string; readonly size: number }[];
}
interface ImageConfiguration {
  readonly config: {
    readonly User: string;
    readonly Entrypoint: string[];
    readonly Cmd: string[];
    readonly Env: string[];
  };
}

function build(script: string): void {
  const { status } = spawnSync(process.execPath, [`scripts/${script}.ts`], { stdio: 'inherit' });
  assert.equal(status, 0, `${script} failed`);
}

async function request(url: string, object?: object): Promise<{ code: number; text: string }> {
  const init = object && {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(object),
  };
  const response = await fetch(url, init);
  return { code: response.status, text: await response.text() };
}

/** As `serve`, with a relative path and several serving threads, which share one copy of LMDB. */
async function checkServingThreads(): Promise<void> {
  const data = join(folder, 'threads');
  const tokens = join(folder, 'tokens.csv');
  writeFileSync(tokens, 'token,admin,1,system:masters\n');
  const port = await freePort();
  const program = new Program(
    `./${basename(executable)}`,
    [
      'serve',
      '--serving-threads',
      '3',
      '--data-dir',
      data,
      '--secure-port',
      String(port),
      '--token-auth-file',
      tokens,
    ],
    { cwd: dirname(executable), env: bareEnvironment },
  );
  try {
    await program.printed(/ready/);
    const ca = readFileSync(join(data, 'pki', 'ca.crt'));
    const send = (method: string, path: string, body?: object) =>
      sendSecurely({ ca, port, method, path, body: body && JSON.stringify(body) });
    const configMaps = '/api/v1/namespaces/default/configmaps';
    for (let index = 0; index < 12; index++) {
      assert.equal((await send('POST', configMaps, { metadata: { name: `c${index}` } })).code, 201);
      const { items } = JSON.parse((await send('GET', configMaps)).text) as { items: unknown[] };
      assert.ok(items.length > index);
    }
    const mapped = readFileSync(`/proc/${program.child.pid}/maps`, 'utf8').match(/\S+orch-lmdb\.node/g);
    assert.equal(new Set(mapped).size, 1);
  } finally {
    assert.equal((await program.stop('SIGTERM')).code, 0);
  }
}

/** A request on a connection of its own. */
function sendSecurely(options: {
  readonly ca: Buffer;
  readonly port: number;
  readonly method: string;
  readonly path: string;
  readonly body: string | undefined;
}): Promise<{ code: number; text: string }> {
  const { body, ...target } = options;
  const headers = { authorization: 'Bearer token', 'content-type': 'application/json' };
  return new Promise((resolve, reject) => {
    const sent = httpsRequest({ ...target, host: '127.0.0.1', agent: false, headers }, async (response) => {
      let text = '';
      for await (const part of response.setEncoding('utf8')) text += part;
      resolve({ code: response.statusCode ?? 0, text });
    });
    sent.on('error', reject).end(body);
  });
}

/** Serves in an empty folder: small and large objects, an expensive pattern, a restart. */
async function checkExecutable(): Promise<void> {
  const version = new Program(executable, ['version'], { cwd: folder, env: bareEnvironment });
  assert.match((await version.ended()).stdout, /^orch \d/);
  const [http, secure] = [String(await freePort()), String(await freePort())];
  const words = ['dev', '--dialect', 'kubernetes', '--http-port', http, '--secure-port', secure];
  const start = async () => {
    const program = new Program(executable, words, { cwd: folder, env: bareEnvironment });
    await program.printed(/kubectl .*\n/);
    return program;
  };
  const url = `http://127.0.0.1:${http}`;
  const configMaps = `${url}/api/v1/namespaces/default/configmaps`;
  const first = await start();
  try {
    const data = Object.fromEntries(
      Array.from({ length: 5_000 }, (_, index) => [`key-${index}`, 'v'.repeat(100)]),
    );
    assert.equal((await request(configMaps, { metadata: { name: 'small' } })).code, 201);
    // These two are prepared on worker threads, which the executable embeds.
    assert.equal((await request(configMaps, { metadata: { name: 'large' }, data })).code, 201);
    const pattern = `${'(a?){50}'.repeat(20)}$`;
    const schema = { type: 'object', properties: { spec: { type: 'string', pattern } } };
    const definition = {
      metadata: { name: 'things.example.com' },
      spec: {
        group: 'example.com',
        scope: 'Namespaced',
        names: { plural: 'things', kind: 'Thing' },
        versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: schema } }],
      },
    };
    assert.equal(
      (await request(`${url}/apis/apiextensions.k8s.io/v1/customresourcedefinitions`, definition)).code,
      201,
    );
  } finally {
    assert.equal((await first.stop('SIGTERM')).code, 0);
  }
  const second = await start();
  try {
    assert.equal((await request(`${configMaps}/large`)).code, 200);
  } finally {
    await second.stop('SIGTERM');
  }
}

/** Milliseconds until a server with memory storage prints that it is ready, the median of some starts. */
async function startTime(program: string, ...words: string[]): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const ports = ['--http-port', String(await freePort()), '--secure-port', String(await freePort())];
    const startedAt = performance.now();
    const server = new Program(program, [...words, 'dev', '--storage', 'memory', ...ports], { cwd: folder });
    await server.printed(/ready in/);
    times.push(performance.now() - startedAt);
    await server.stop('SIGTERM');
  }
  return times.sort((a, b) => a - b)[Math.floor(rounds / 2)]!;
}

/** Unpacks the image and runs its command as its user, with a read-only root file system. */
async function checkImage(): Promise<void> {
  const layout = join(folder, 'layout');
  const root = join(folder, 'root');
  for (const path of [layout, root]) mkdirSync(path);
  execFileSync('tar', ['-xf', image, '-C', layout]);
  const blob = (digest: string) => join(layout, 'blobs', digest.replace(':', '/'));
  const read = <T>(path: string) => JSON.parse(readFileSync(path, 'utf8')) as T;
  const { manifests } = read<Layout>(join(layout, 'index.json'));
  const manifest = read<Manifest>(blob(manifests[0]!.digest));
  const { config } = read<ImageConfiguration>(blob(manifest.config.digest));
  assert.notEqual(config.User.split(':')[0], '0');
  if (process.getuid?.() !== 0) {
    console.log('SKIPPED: running the image, which needs root for its own file system');
    return;
  }
  for (const { digest } of manifest.layers) execFileSync('tar', ['-xzf', blob(digest), '-C', root]);
  const port = String(await freePort());
  const [user, group] = config.User.split(':');
  const command = [...config.Entrypoint, ...config.Cmd, '--bind-address', '127.0.0.1', '--secure-port', port];
  const script = [
    `mount --bind ${root} ${root}`,
    `mount -o remount,bind,ro ${root}`,
    `mount -t proc proc ${root}/proc`,
    `mount -t tmpfs -o uid=${user},gid=${group},mode=700 tmpfs ${root}/var/lib/orch`,
    `exec /usr/bin/env -i ${config.Env.join(' ')} /usr/sbin/chroot --userspec=${config.User} ${root} ${command.join(' ')}`,
  ].join(' && ');
  const server = new Program('unshare', ['--mount', 'sh', '-c', script]);
  try {
    await server.printed(/ready in/);
    const { stdout } = spawnSync('curl', ['-sk', `https://127.0.0.1:${port}/readyz`], { encoding: 'utf8' });
    assert.equal(stdout, 'ok');
  } finally {
    assert.equal((await server.stop('SIGTERM')).code, 0);
  }
}

try {
  build('build');
  build('build-executable');
  build('build-image');
  await checkExecutable();
  await checkServingThreads();
  await checkImage();
  const skipped = await checkReplicas(executable, folder);
  if (skipped) console.log(`SKIPPED: three replicas, because ${skipped}`);
  const sizes = { executable: statSync(executable).size, image: statSync(image).size };
  assert.ok(sizes.image < maxImageBytes, `the image has ${megabytes(sizes.image)}`);
  const times = {
    executable: await startTime(executable),
    package: await startTime(process.execPath, resolve('dist/main.js')),
  };
  const report = `# The single executable and the image

\`npm run test:executable\`, ${cpus()[0]?.model.trim()}, ${cpus().length} processors, Node.js ${process.versions.node}. Start times are medians of ${rounds} starts of
\`orch dev --storage memory\` until the ready line, with warm file caches.

|                                     |         |
| ----------------------------------- | ------: |
| size of the executable              | ${megabytes(sizes.executable)} |
| size of the image (compressed)      | ${megabytes(sizes.image)} |
| start of the executable             | ${Math.round(times.executable)} ms |
| start of the package on Node.js     | ${Math.round(times.package)} ms |
`;
  writeFileSync('bench/results/executable.md', report);
  console.log(report);
  console.log(`${skipped ? 3 : 4} passed, 0 failed`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
