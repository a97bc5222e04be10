import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { freePort } from '../support/free-port.ts';
import { Program } from '../support/program.ts';

const execute = promisify(execFile);

/** Without the entries that `npm run` adds to PATH: the package runs on the Node of the machine. */
const env = {
  ...process.env,
  PATH: (process.env.PATH ?? '')
    .split(delimiter)
    .filter((folder) => !/node_modules[\\/]\.bin$/.test(folder))
    .join(delimiter),
};

describe('the published package', () => {
  let root: string;
  let folder: string;
  let packed: { filename: string; files: { path: string }[] };

  before(async () => {
    root = mkdtempSync(join(tmpdir(), 'orch-package-'));
    const { stdout } = await execute('npm', ['pack', '--json', '--pack-destination', root], { env });
    // The output of the build comes before the list.
    packed = JSON.parse(stdout.slice(stdout.indexOf('[\n')))[0];
    folder = join(root, 'user');
    mkdirSync(folder);
    writeFileSync(join(folder, 'package.json'), '{"private":true,"type":"module"}');
    const options = ['--prefer-offline', '--no-audit', '--no-fund'];
    await execute('npm', ['install', ...options, join(root, packed.filename)], { cwd: folder, env });
  });
  after(() => rmSync(root, { recursive: true, force: true }));

  test('contains the build, README, LICENSE and CHANGELOG, and no sources or tests', () => {
    const paths = packed.files.map(({ path }) => path);
    for (const path of [
      'dist/main.js',
      'dist/index.js',
      'dist/index.cjs',
      'dist/index.d.cts',
      'dist/types/index.d.ts',
      'docs/README.md',
      'README.md',
      'LICENSE',
      'CHANGELOG.md',
    ]) {
      assert.ok(paths.includes(path), path);
    }
    assert.deepEqual(
      paths.filter(
        (path) =>
          !/^(dist\/|docs\/|scripts\/prepare\.mjs$|README\.md$|LICENSE$|CHANGELOG\.md$|package\.json$)|\.test\./.test(
            path,
          ),
      ),
      [],
    );
  });

  test('npx orch dev serves in an empty folder until Ctrl-C', async () => {
    const [http, secure] = [await freePort(), await freePort()];
    const args = ['--no', 'orch', 'dev', '--http-port', String(http), '--secure-port', String(secure)];
    const program = new Program('npx', args, { cwd: folder, env });
    try {
      await program.printed(/kubectl .*\n/);
      const response = await fetch(`http://127.0.0.1:${http}/api/v1/namespaces/default`);
      assert.equal(response.status, 200);
    } finally {
      // npx itself ends by the signal, whatever the exit code of the program.
      assert.match((await program.stop('SIGINT')).stdout, /Stopping/);
    }
  });

  test('startServer can be imported and serves requests', async () => {
    writeFileSync(
      join(folder, 'embed.js'),
      `import { startServer } from 'orch';
const server = await startServer();
await server.client.create({
  apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', namespace: 'default' }, data: { k: 'v' },
});
const response = await fetch(server.url + '/api/v1/namespaces/default/configmaps/a');
console.log(response.status, (await response.json()).data.k);
await server.stop();
`,
    );
    const { stdout } = await execute('node', ['embed.js'], { cwd: folder, env });
    assert.equal(stdout, '200 v\n');
  });

  test('startServer can be required by a CommonJS program', async () => {
    writeFileSync(
      join(folder, 'embed.cjs'),
      `const orch = require('orch');
orch.startServer({ dialect: 'kubernetes' }).then(async (server) => {
  // Written by a worker thread.
  const data = Object.fromEntries(Array.from({ length: 5000 }, (_, index) => ['key-' + index, 'v'.repeat(100)]));
  await server.client.create({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', namespace: 'default' }, data });
  const names = (namespace) => Object.keys(namespace).filter((name) => name !== 'default').sort().join();
  console.log(names(orch) === names(await import('orch')));
  await server.stop();
});
`,
    );
    const { stdout } = await execute('node', ['embed.cjs'], { cwd: folder, env });
    assert.equal(stdout, 'true\n');
  });

  test('its types declare what startServer returns', async () => {
    for (const [file, module] of [
      ['typed.ts', 'nodenext'],
      ['typed.cts', 'node16'],
    ] as const) {
      await checkTypes(file, module);
    }
  });

  async function checkTypes(file: string, module: string): Promise<void> {
    writeFileSync(
      join(folder, file),
      `import { ApiError, type EmbeddedServer, MovableClock, type ResourceClient, startServer, type TypedObject } from 'orch';
export async function check(): Promise<void> {
  const server: EmbeddedServer = await startServer({ dialect: 'kubernetes' });
  server.clock.advance(1_000);
  const name: string | undefined = (await server.client.get({ apiVersion: 'v1', kind: 'Namespace', name: 'default' })).metadata.name;
  const error: ApiError | undefined = undefined;
  const clock: MovableClock = new MovableClock();
  const client: ResourceClient<TypedObject> | undefined = undefined;
  // @ts-expect-error: there is no such dialect.
  await startServer({ dialect: 'klingon' });
  console.log(name, error, clock, client, new Error() instanceof ApiError);
}
`,
    );
    const settings = ['--strict', '--noEmit', '--target', 'es2023', '--module', module, '--types', 'node'];
    const types = ['--typeRoots', resolve('node_modules/@types')];
    const compiler = resolve('node_modules/typescript/bin/tsc');
    await execute(process.execPath, [compiler, ...settings, ...types, file], { cwd: folder }).catch(
      ({ stdout }) => assert.fail(stdout),
    );
  }
});
