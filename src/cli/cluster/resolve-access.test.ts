// Tests of selecting a cluster from flags, kubeconfig and environment.
import assert from 'node:assert/strict';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { after, test } from 'node:test';
import { CommandError } from '../command.ts';
import { kubeconfig } from '../kubeconfig.ts';
import { resolveClusterAccess } from './resolve-access.ts';

const folder = mkdtempSync(join(tmpdir(), 'orch-access-'));
after(() => rmSync(folder, { recursive: true }));

function file(name: string, content: string): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

const home = { HOME: join(folder, 'nobody') };

/** A kubeconfig with one context `c` and the given user. */
const withUser = (user: object, cluster: object = {}) =>
  JSON.stringify({
    'current-context': 'c',
    contexts: [{ name: 'c', context: { cluster: 'k', user: 'u', namespace: 'shop' } }],
    clusters: [{ name: 'k', cluster: { server: 'https://one:6443', ...cluster } }],
    users: [{ name: 'u', user }],
  });

test('resolves a kubeconfig that Orch wrote', async () => {
  const credentials = { cert: 'C', key: 'K' };
  const access = { url: 'https://127.0.0.1:6443', caCertificate: 'CA', credentials };
  const path = file('own', kubeconfig(access));
  assert.deepEqual(await resolveClusterAccess({ kubeconfig: path }, home), {
    ...access,
    serverName: undefined,
    skipTlsVerify: false,
    namespace: 'default',
  });
});

test('supports all credentials of a kubeconfig user', async () => {
  file('token.txt', 'from-file\n');
  const base64 = (text: string) => Buffer.from(text).toString('base64');
  const ways: [user: object, credentials: object | undefined][] = [
    [{}, undefined],
    [{ token: 't' }, { token: 't' }],
    [{ token: 't', tokenFile: 'token.txt' }, { token: 'from-file' }],
    [
      { username: 'u', password: 'p' },
      { username: 'u', password: 'p' },
    ],
    [
      { 'client-certificate-data': base64('C'), 'client-key': 'token.txt' },
      { cert: 'C', key: 'from-file\n' },
    ],
  ];
  for (const [user, credentials] of ways) {
    const access = await resolveClusterAccess({ kubeconfig: file('way', withUser(user)) }, home);
    assert.deepEqual(access.credentials, credentials);
    assert.equal(access.namespace, 'shop');
  }
});

test('an exec credential plugin provides the credentials', async () => {
  const status = (fields: object) => JSON.stringify({ kind: 'ExecCredential', status: fields });
  const program = file('give.sh', `#!/bin/sh\nprintf '%s' "$ANSWER"\n`);
  chmodSync(program, 0o700);
  const exec = (answer: string) => ({
    exec: { apiVersion: 'x/v1', command: './give.sh', env: [{ name: 'ANSWER', value: answer }] },
  });
  const asked = (answer: string) =>
    resolveClusterAccess({ kubeconfig: file('exec', withUser(exec(answer))) }, home).then(
      ({ credentials }) => credentials,
    );
  assert.deepEqual(await asked(status({ token: 't' })), { token: 't' });
  assert.deepEqual(await asked(status({ clientCertificateData: 'C', clientKeyData: 'K' })), {
    cert: 'C',
    key: 'K',
  });
  await assert.rejects(asked('nonsense'), /returned neither a token nor a certificate/);
});

test('supports tls-server-name and insecure-skip-tls-verify', async () => {
  const path = file('tls', withUser({}, { 'tls-server-name': 'api', 'insecure-skip-tls-verify': true }));
  const { serverName, skipTlsVerify } = await resolveClusterAccess({ kubeconfig: path }, home);
  assert.deepEqual({ serverName, skipTlsVerify }, { serverName: 'api', skipTlsVerify: true });
});

test('KUBECONFIG may list several files: the first file with an entry wins', async () => {
  const two = file('two', withUser({ token: 'second' }).replace('one:6443', 'two:6443'));
  const one = file('one', JSON.stringify({ users: [{ name: 'u', user: { token: 'first' } }] }));
  const KUBECONFIG = [one, join(folder, 'absent'), two].join(delimiter);
  const { url, credentials } = await resolveClusterAccess({}, { ...home, KUBECONFIG });
  assert.deepEqual([url, credentials], ['https://two:6443', { token: 'first' }]);
});

test('the default is ~/.kube/config', async () => {
  const HOME = join(folder, 'home');
  mkdirSync(join(HOME, '.kube'), { recursive: true });
  writeFileSync(join(HOME, '.kube', 'config'), withUser({}));
  assert.equal((await resolveClusterAccess({}, { HOME })).url, 'https://one:6443');
});

test('--server needs no kubeconfig', async () => {
  const { url, credentials } = await resolveClusterAccess({ server: 'http://127.0.0.1:8080' }, home);
  assert.deepEqual([url, credentials], ['http://127.0.0.1:8080', undefined]);
  await assert.rejects(resolveClusterAccess({ server: '127.0.0.1:8080' }, home), {
    message: '"127.0.0.1:8080" is not a server URL such as http://127.0.0.1:8080',
  });
});

test('an invalid kubeconfig is rejected with a message of one line', async () => {
  const good = withUser({});
  const cases: [content: string, choice: object, message: RegExp][] = [
    ['a: [', {}, /is not YAML: yaml: /],
    ['- a', {}, /is not a kubeconfig$/],
    ['{}', {}, /has no current-context; choose a context with --context$/],
    [good, { context: 'd' }, /no context "d" \(did you mean c\?\)$/],
    [good.replace('"name":"k"', '"name":"other"'), {}, /no cluster "k" \(available: other\)$/],
    [good.replace('https://one:6443', 'ftp://one'), {}, /has no server with a URL$/],
    [withUser({ 'auth-provider': {} }), {}, /auth-provider is not supported/],
    [withUser({ tokenFile: 'none' }), {}, /cannot read none \(from /],
    [withUser({}, { 'proxy-url': 'http://p' }), {}, /proxy-url is not supported$/],
    [withUser({ exec: { command: 'x' } }), {}, /exec requires command and apiVersion$/],
    [withUser({ exec: { command: './none', apiVersion: 'v' } }), {}, /credential plugin \.\/none failed/],
  ];
  for (const [content, choice, message] of cases) {
    const path = file('bad', content);
    await assert.rejects(resolveClusterAccess({ kubeconfig: path, ...choice }, home), (error) => {
      assert.ok(error instanceof CommandError);
      assert.match(error.message, message);
      return true;
    });
  }
});

test('a missing kubeconfig is rejected with advice', async () => {
  const absent = join(folder, 'absent');
  await assert.rejects(resolveClusterAccess({ kubeconfig: absent }, home), {
    message: `--kubeconfig: ${absent} does not exist`,
  });
  await assert.rejects(resolveClusterAccess({}, { ...home, KUBECONFIG: absent }), {
    message: `no kubeconfig at ${absent} (from $KUBECONFIG)`,
  });
});

test('.orch/kubeconfig of the working directory runs no command and reads no file, unless it is named', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'orch-planted-'));
  const previousDirectory = process.cwd();
  const trace = join(directory, 'ran');
  mkdirSync(join(directory, '.orch'));
  writeFileSync(join(directory, 'secret'), 'S');
  const exec = { apiVersion: 'client.authentication.k8s.io/v1', command: 'touch', args: [trace] };
  process.chdir(directory);
  try {
    for (const [user, cluster] of [
      [{ exec }],
      [{ tokenFile: '../secret' }],
      [{ 'client-certificate': '../secret', 'client-key': '../secret' }],
      [{}, { 'certificate-authority': '../secret' }],
    ] as const) {
      writeFileSync('.orch/kubeconfig', withUser(user, cluster));
      await assert.rejects(resolveClusterAccess({}, home), /only used if you name the kubeconfig/);
    }
    assert.equal(existsSync(trace), false);
    assert.equal((await resolveClusterAccess({ kubeconfig: '.orch/kubeconfig' }, home)).caCertificate, 'S');
    writeFileSync('.orch/kubeconfig', withUser({ token: 't' }));
    assert.deepEqual((await resolveClusterAccess({}, home)).credentials, { token: 't' });
  } finally {
    process.chdir(previousDirectory);
    rmSync(directory, { recursive: true });
  }
});
