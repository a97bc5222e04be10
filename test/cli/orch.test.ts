import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { parse } from 'yaml';
import { orchVersion } from '../../src/base/version.ts';
import { freePort } from '../support/free-port.ts';
import { orch, type Program } from '../support/program.ts';

describe('orch', () => {
  let folder: string;
  let running: Program[];

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'orch-cli-'));
    running = [];
  });
  afterEach(async () => {
    for (const program of running) if (program.child.exitCode === null) await program.stop('SIGKILL');
    rmSync(folder, { recursive: true });
  });

  /** Starts `orch dev` or `orch serve` on free ports, with its data in the folder of this test. */
  async function start(command: 'dev' | 'serve', ...flags: string[]) {
    const ports = { http: await freePort(), secure: await freePort() };
    const http =
      command === 'dev' && !flags.includes('--http-port') ? ['--http-port', String(ports.http)] : [];
    const data = join(folder, 'data');
    const program = orch(
      command,
      '--data-dir',
      data,
      '--secure-port',
      String(ports.secure),
      ...http,
      ...flags,
    );
    running.push(program);
    return { program, data, url: `http://127.0.0.1:${ports.http}`, ports };
  }

  async function failure(program: Program): Promise<string> {
    const { code, stdout, stderr } = await program.ended();
    assert.equal(code, 1);
    assert.equal(stdout, '');
    assert.equal(stderr.trimEnd().split('\n').length, 1, `one line: ${stderr}`);
    return stderr.trimEnd();
  }

  test('version prints the version of package.json', async () => {
    const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
    assert.equal(orchVersion, version);
    for (const word of ['version', '--version', '-v']) {
      const { stdout } = await orch(word).ended();
      assert.match(stdout, new RegExp(`^orch ${version} \\(Kubernetes 1\\.33, node `));
    }
  });

  test('help lists the commands, and each command has a help text', async () => {
    const { stdout, code } = await orch('help').ended();
    assert.equal(code, 0);
    for (const [, command] of stdout.matchAll(/^ {2}orch (\w+)/gm)) {
      const help = await orch(command!, '--help').ended();
      assert.equal(help.code, 0);
      assert.match(help.stdout, new RegExp(`^Usage: orch ${command}`));
    }
  });

  test('an unknown command or flag is one line with a suggestion', async () => {
    assert.equal(await failure(orch('sevre')), 'orch: unknown command "sevre" (did you mean serve?)');
    assert.equal(
      await failure(orch('dev', '--data-dri=x')),
      'orch: unknown flag --data-dri (did you mean --data-dir?)',
    );
    assert.match(await failure(orch('serve', '--http-port=80')), /^orch: unknown flag --http-port/);
  });

  test('an unknown feature gate or API version prevents the start, with a hint', async () => {
    const refusals: [flag: string, answer: string][] = [
      ['--feature-gates=WatchLists=true', 'unrecognized feature gate: WatchLists (did you mean WatchList?)'],
      [
        '--feature-gates=ElasticIndexedJob=false',
        'cannot set feature gate ElasticIndexedJob to false, feature is locked to true; leave it out',
      ],
      [
        '--feature-gates=WatchList',
        '--feature-gates: missing bool value for WatchList; write WatchList=true or WatchList=false',
      ],
      ['--runtime-config=nope/v1=true', 'unknown api groups nope'],
      [
        '--runtime-config=batch/v2',
        'group version batch/v2 that has not been registered; available: batch/v1',
      ],
    ];
    for (const [flag, answer] of refusals) {
      const { program, data } = await start('serve', flag);
      assert.equal(await failure(program), `orch: ${answer}`);
      assert.ok(!existsSync(join(data, 'store')), 'nothing was made');
    }
  });

  test('a deprecated feature gate is a warning', async () => {
    const { program } = await start('serve', '--storage=memory', '--feature-gates=KMSv1=true');
    await program.printed(/ready/);
    const { stderr } = await program.stop();
    assert.match(
      stderr,
      /Setting deprecated feature gate KMSv1=true\. It will be removed in a future release\./,
    );
  });

  test('dev prints its URLs and example commands in six lines; Ctrl-C exits with 0', async () => {
    const { program, url, data, ports } = await start('dev');
    await program.printed(/kubectl .*\n/);
    const answer = await fetch(`${url}/api/v1/namespaces/default`);
    assert.equal(answer.status, 200);
    const { code, stdout, stderr } = await program.stop('SIGINT');
    assert.equal(code, 0);
    assert.equal(stderr, '');
    const lines = stdout.trimEnd().split('\n');
    assert.equal(lines.length, 7, 'six lines, and one when it stops');
    assert.ok(stdout.includes(url));
    assert.ok(stdout.includes(`https://127.0.0.1:${ports.secure}`));
    assert.ok(stdout.includes(`${url}/console/`));
    assert.ok(stdout.includes(`curl ${url}/api/v1/namespaces`));
    assert.ok(stdout.includes(join(data, 'kubeconfig')));
  });

  test('dev keeps its data across restarts', async () => {
    const first = await start('dev');
    await first.program.printed(/kubectl .*\n/);
    const made = await fetch(`${first.url}/api/v1/namespaces`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ metadata: { name: 'kept' } }),
    });
    assert.equal(made.status, 201);
    assert.equal((await first.program.stop('SIGTERM')).code, 0);

    const second = await start('dev');
    await second.program.printed(/kubectl .*\n/);
    assert.equal((await fetch(`${second.url}/api/v1/namespaces/kept`)).status, 200);
    assert.equal((await second.program.stop()).code, 0);

    const check = await orch('store', 'check', second.data).ended();
    assert.equal(check.code, 0);
    assert.match(check.stdout, /no errors/);
    const stat = await orch('store', 'stat', second.data).ended();
    assert.match(stat.stdout, /^dialect +orch$/m);

    const [backup, copy] = [join(folder, 'backup'), join(folder, 'copy')];
    assert.equal((await orch('store', 'backup', second.data, backup).ended()).code, 0);
    assert.match(await failure(orch('store', 'backup', second.data, backup)), /already exists/);
    assert.equal((await orch('store', 'restore', backup, copy).ended()).code, 0);
    assert.match((await orch('store', 'check', copy).ended()).stdout, /no errors/);
  });

  test('dev --http-port 0 disables plain HTTP', async () => {
    const { program, url } = await start('dev', '--http-port', '0');
    await program.printed(/kubectl .*\n/);
    await assert.rejects(fetch(url));
    const { stdout } = await program.stop();
    assert.doesNotMatch(stdout, /http:/);
  });

  test('serve serves HTTPS only and writes an admin kubeconfig', async () => {
    const { program, data, url, ports } = await start('serve');
    await program.printed(/ready/);
    await assert.rejects(fetch(url));
    const config = parse(readFileSync(join(data, 'kubeconfig'), 'utf8'));
    assert.equal(config.clusters[0].cluster.server, `https://127.0.0.1:${ports.secure}`);
    assert.ok(config.users[0].user['client-certificate-data']);
    assert.equal((await program.stop('SIGTERM')).code, 0);
  });

  test('a port in use is one line of error that names the flag', async () => {
    const occupant = createServer();
    await new Promise<void>((resolve) => {
      occupant.listen(0, '127.0.0.1', resolve);
    });
    try {
      const address = occupant.address();
      const port = String(typeof address === 'object' ? address?.port : '');
      const plain = await start('dev', '--http-port', port);
      assert.equal(
        await failure(plain.program),
        `orch: 127.0.0.1:${port} is already in use; choose another port with --http-port`,
      );
      const secure = await start('dev', '--secure-port', port);
      assert.match(
        await failure(secure.program),
        /is already in use; choose another port with --secure-port/,
      );
    } finally {
      occupant.close();
    }
  });

  test('a directory with foreign files is rejected and unchanged', async () => {
    writeFileSync(join(folder, 'diary.txt'), 'mine');
    const { program } = await start('dev', '--data-dir', folder);
    assert.match(await failure(program), /is not a data directory of Orch: it contains diary\.txt/);
    assert.ok(!existsSync(join(folder, 'store')));
  });

  test('an unwritable data directory is one line of error', async () => {
    writeFileSync(join(folder, 'file'), '');
    const { program } = await start('dev', '--data-dir', join(folder, 'file', 'data'));
    assert.match(await failure(program), /^orch: .*file/);
  });

  test('a data directory of the other dialect is rejected with a hint', async () => {
    const first = await start('dev');
    await first.program.printed(/kubectl .*\n/);
    await first.program.stop();
    const second = await start('dev', '--dialect', 'kubernetes');
    assert.match(await failure(second.program), /start with --dialect orch/);
  });

  test('a data directory in use is rejected', async () => {
    const first = await start('dev');
    await first.program.printed(/kubectl .*\n/);
    const second = await start('dev');
    assert.match(await failure(second.program), /in use/);
    assert.match(await failure(orch('store', 'check', first.data)), /in use by process/);
  });

  test('a missing file of a flag is an error', async () => {
    const tokens = await start('dev', '--token-auth-file', join(folder, 'none.csv'));
    assert.match(await failure(tokens.program), /none\.csv.*no such file or directory/);
    const certificate = await start('dev', '--tls-cert-file', 'c.pem', '--tls-private-key-file', 'k.pem');
    assert.match(await failure(certificate.program), /c\.pem.*no such file or directory/);
  });
});
