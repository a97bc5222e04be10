import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, readlink, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { Pod } from '../../src/apis/core/pod.ts';
import { plainAccess } from '../../src/cli/cluster/access.ts';
import { Connection } from '../../src/cli/cluster/connection.ts';
import { main } from '../../src/cli/main.ts';
import { ClusterReader } from '../../src/cli/volume/cluster-reader.ts';
import { type ApiObject, type EmbeddedServer, startServer } from '../../src/index.ts';
import { keepVolume } from '../../src/volumes/keep-volume.ts';
import { renderVolume } from '../../src/volumes/render-volume.ts';
import { TokenKeeper } from '../../src/volumes/token-keeper.ts';
import type { VolumeFile } from '../../src/volumes/volume-files.ts';
import { authority, otherAuthority } from '../parity/corpus/certificates-data.ts';

let server: EmbeddedServer;
let connection: Connection;
const bundles = 'certificates.orch.io/v1beta1';

before(async () => {
  server = await startServer({
    featureGates: { ClusterTrustBundle: true, ClusterTrustBundleProjection: true },
    runtimeConfig: { [bundles]: true },
  });
  connection = new Connection(plainAccess(server.url));
  await make('v1', 'ConfigMap', 'settings', {
    data: { 'app.conf': 'port = 1\n', mode: 'fast' },
    binaryData: { logo: Buffer.from([0, 255, 7]).toString('base64') },
  });
  await make('v1', 'Secret', 'login', { stringData: { user: 'ada', password: 'hush' } });
  await make('v1', 'Node', 'n1', {});
  await make(bundles, 'ClusterTrustBundle', 'plain', { spec: { trustBundle: authority } });
  await make(bundles, 'ClusterTrustBundle', 'example.com:ca:one', {
    metadata: { labels: { use: 'web' } },
    spec: { signerName: 'example.com/ca', trustBundle: authority },
  });
  await make(bundles, 'ClusterTrustBundle', 'example.com:ca:two', {
    metadata: { labels: { use: 'web' } },
    spec: { signerName: 'example.com/ca', trustBundle: otherAuthority + authority },
  });
  await make(bundles, 'ClusterTrustBundle', 'example.com:ca:three', {
    spec: { signerName: 'example.com/ca', trustBundle: otherAuthority },
  });
});

after(async () => {
  connection.close();
  await server.stop();
});

function make(apiVersion: string, kind: string, name: string, object: Partial<ApiObject>) {
  const metadata = { ...object.metadata, name, namespace: 'default' };
  return server.client.create({ ...object, apiVersion, kind, metadata } as ApiObject);
}

let pods = 0;

/** A pod with one volume, `v`. */
async function podWith(volume: object, spec: object = {}, metadata: object = {}): Promise<string> {
  const name = `pod-${pods++}`;
  await make('v1', 'Pod', name, {
    metadata,
    spec: {
      serviceAccountName: 'default',
      containers: [{ name: 'c', image: 'i:1' }],
      volumes: [{ name: 'v', ...volume }],
      ...spec,
    },
  } as Partial<ApiObject>);
  return name;
}

const read = (pod: string) =>
  server.client.get({
    apiVersion: 'v1',
    kind: 'Pod',
    name: pod,
    namespace: 'default',
  }) as unknown as Promise<Pod>;

async function filesOf(pod: string): Promise<Record<string, string>> {
  const reader = new ClusterReader(connection);
  const { files } = await renderVolume(await read(pod), 'v', reader, new TokenKeeper(reader, server.clock));
  return shown(files);
}

const shown = (files: readonly VolumeFile[]) =>
  Object.fromEntries(
    files.map(({ path, mode, content }) => [path, `${mode.toString(8)} ${content.toString('latin1')}`]),
  );

async function orch(...args: string[]): Promise<{ code: number; out: string; err: string }> {
  const [out, err]: [string[], string[]] = [[], []];
  const terminal = { out: (line: string) => void out.push(line), err: (line: string) => void err.push(line) };
  const code = await main([...args, '--server', server.url], terminal as never);
  return { code, out: out.join('\n'), err: err.join('\n') };
}

test('a configMap volume has a file for each key, or for each of items with its mode', async () => {
  const all = await podWith({ configMap: { name: 'settings' } });
  assert.deepEqual(await filesOf(all), {
    'app.conf': '644 port = 1\n',
    logo: '644 \0\xff\x07',
    mode: '644 fast',
  });
  const items = [
    { key: 'mode', path: 'deep/er/mode', mode: 0o400 },
    { key: 'app.conf', path: 'conf' },
  ];
  const some = await podWith({ configMap: { name: 'settings', defaultMode: 0o440, items } });
  assert.deepEqual(await filesOf(some), { conf: '440 port = 1\n', 'deep/er/mode': '400 fast' });
});

test('a missing object or key is an error unless the volume source is optional', async () => {
  const items = [{ key: 'nope', path: 'nope' }];
  const noKey = await podWith({ configMap: { name: 'settings', items } });
  await assert.rejects(filesOf(noKey), /ConfigMap "settings" has no key "nope"/);
  const noObject = await podWith({ secret: { secretName: 'gone' } });
  await assert.rejects(filesOf(noObject), /Secret "gone" not found/);
  for (const optional of [
    { configMap: { name: 'settings', items, optional: true } },
    { secret: { secretName: 'gone', optional: true } },
  ]) {
    assert.deepEqual(await filesOf(await podWith(optional)), {});
  }
});

test('a secret volume has decoded values', async () => {
  const pod = await podWith({ secret: { secretName: 'login', defaultMode: 0o400 } });
  assert.deepEqual(await filesOf(pod), { password: '400 hush', user: '400 ada' });
});

test('a path cannot leave the volume', async () => {
  const pod = await read(
    await podWith({ configMap: { name: 'settings', items: [{ key: 'mode', path: 'a' }] } }),
  );
  const reader = new ClusterReader(connection);
  for (const path of ['../a', 'a/../../b', '/etc/passwd', '', '..data']) {
    pod.spec.volumes![0]!.configMap!.items![0]!.path = path;
    const rendering = renderVolume(pod, 'v', reader, new TokenKeeper(reader, server.clock));
    await assert.rejects(rendering, /is outside the volume/);
  }
});

test('a downwardAPI volume has pod fields and container resources', async () => {
  const metadata = { labels: { b: 'two', a: 'one' }, annotations: { note: 'say "x"' } };
  const resources = { limits: { memory: '100Mi' }, requests: { cpu: '1500m', memory: '10Mi' } };
  const spec = { containers: [{ name: 'c', image: 'i:1', resources }], nodeName: 'n1' };
  const field = (path: string, fieldPath: string) => ({ path, fieldRef: { fieldPath } });
  const resource = (path: string, name: string, divisor?: string) => ({
    path,
    resourceFieldRef: { containerName: 'c', resource: name, ...(divisor && { divisor }) },
  });
  const items = [
    field('name', 'metadata.name'),
    field('namespace', 'metadata.namespace'),
    field('labels', 'metadata.labels'),
    { ...field('b', "metadata.labels['b']"), mode: 0o600 },
    field('notes', 'metadata.annotations'),
    field('note', "metadata.annotations['note']"),
    resource('cpu', 'requests.cpu'),
    resource('millis', 'requests.cpu', '1m'),
    resource('memory', 'limits.memory', '1Mi'),
    resource('bytes', 'requests.memory'),
    resource('most', 'limits.cpu'),
  ];
  const pod = await podWith({ downwardAPI: { items } }, spec, metadata);
  const node = await server.client.get({ apiVersion: 'v1', kind: 'Node', name: 'n1' });
  await server.client.updateStatus({
    ...node,
    status: { allocatable: { cpu: '3500m' } },
  } as unknown as ApiObject);
  assert.deepEqual(await filesOf(pod), {
    b: '600 two',
    bytes: '644 10485760',
    cpu: '644 2',
    labels: '644 a="one"\nb="two"',
    memory: '644 100',
    millis: '644 1500',
    most: '644 4',
    name: `644 ${pod}`,
    namespace: '644 default',
    note: '644 say "x"',
    notes: '644 note="say \\"x\\""',
  });
});

test('a projected volume combines sources; trust anchors are deduplicated', async () => {
  const bundle = (source: object) => ({ clusterTrustBundle: source });
  const signer = { signerName: 'example.com/ca' };
  const sources = [
    { configMap: { name: 'settings', items: [{ key: 'mode', path: 'mode' }] } },
    { secret: { name: 'login', items: [{ key: 'user', path: 'login/user', mode: 0o400 }] } },
    { downwardAPI: { items: [{ path: 'name', fieldRef: { fieldPath: 'metadata.name' } }] } },
    bundle({ path: 'by-name.pem', name: 'plain' }),
    bundle({ path: 'web.pem', ...signer, labelSelector: { matchLabels: { use: 'web' } } }),
    bundle({ path: 'all.pem', ...signer, labelSelector: {} }),
    bundle({ path: 'none.pem', ...signer, optional: true }),
    bundle({ path: 'absent.pem', name: 'absent', optional: true }),
  ];
  const pod = await podWith({ projected: { sources, defaultMode: 0o640 } });
  const files = await filesOf(pod);
  const anchors = (path: string) => files[path]!.match(/BEGIN CERTIFICATE/g)?.length ?? 0;
  assert.deepEqual(
    ['by-name.pem', 'web.pem', 'all.pem', 'none.pem', 'absent.pem'].map(anchors),
    [1, 2, 2, 0, 0],
  );
  assert.equal(files.mode, '640 fast');
  assert.equal(files['login/user'], '400 ada');
  assert.equal(files.name, `640 ${pod}`);
  const absent = [
    { configMap: { name: 'gone' } },
    { configMap: { name: 'settings', items: [{ key: 'nope', path: 'nope' }] } },
    { secret: { name: 'gone' } },
    { secret: { name: 'login', items: [{ key: 'nope', path: 'nope-too' }] } },
  ];
  for (const source of absent) {
    await assert.rejects(filesOf(await podWith({ projected: { sources: [source] } })), /gone|nope/);
  }
  const optional = absent.map(({ configMap, secret }) =>
    configMap ? { configMap: { ...configMap, optional: true } } : { secret: { ...secret, optional: true } },
  );
  assert.deepEqual(await filesOf(await podWith({ projected: { sources: optional } })), {});
  for (const missing of [
    { path: 'a', ...signer },
    { path: 'a', name: 'absent' },
  ]) {
    await assert.rejects(
      filesOf(await podWith({ projected: { sources: [bundle(missing)] } })),
      /not optional/,
    );
  }
});

const tokenSource = (source: object = {}) => ({
  projected: { sources: [{ serviceAccountToken: { path: 'token', ...source } }] },
});

interface Claims {
  readonly aud: string[];
  readonly exp: number;
  readonly iat: number;
  readonly sub: string;
}

const claimsOf = (file: string) =>
  JSON.parse(Buffer.from(file.split(' ')[1]!.split('.')[1]!, 'base64url').toString()) as Claims;

test('a token is requested with audience and expiration, bound to the pod, and readable only by its user', async () => {
  const source = tokenSource({ audience: 'vault', expirationSeconds: 7200 });
  const { token } = await filesOf(await podWith(source));
  const { aud, exp, iat, sub } = claimsOf(token!);
  assert.deepEqual([aud, exp - iat, sub], [['vault'], 7200, 'system:serviceaccount:default:default']);
  assert.match(token!, /^644 /);
  const own = await filesOf(await podWith(source, { securityContext: { runAsUser: 1000 } }));
  assert.match(own.token!, /^600 /);
  const usual = claimsOf((await filesOf(await podWith(tokenSource()))).token!);
  assert.deepEqual([usual.aud.length, usual.exp - usual.iat], [1, 3600]);
  await assert.rejects(
    podWith(tokenSource({ expirationSeconds: 599 })),
    /may not specify a duration less than 10 minutes/,
  );
});

test('a token is rotated after 80 % of its lifetime, or after 24 hours', async () => {
  for (const { life, after } of [
    { life: 3600, after: 0.8 * 3600 },
    { life: 40 * 3600, after: 24 * 3600 },
  ]) {
    const pod = await read(await podWith(tokenSource({ expirationSeconds: life })));
    const reader = new ClusterReader(connection);
    const tokens = new TokenKeeper(reader, server.clock);
    const shownFiles: string[] = [];
    const kept = await keepVolume({
      clock: server.clock,
      render: () => renderVolume(pod, 'v', reader, tokens),
      onFiles: (files) => void shownFiles.push(files[0]!.content.toString()),
      onProblem: assert.ifError,
    });
    server.clock.advance((after - 60) * 1000);
    await kept.refresh();
    assert.equal(shownFiles.length, 1);
    server.clock.advance(61_000);
    await kept.refresh();
    assert.equal(shownFiles.length, 2);
    assert.notEqual(shownFiles[0], shownFiles[1]);
    kept.close();
  }
});

test('keepVolume renders again after changes', async () => {
  await make('v1', 'ConfigMap', 'moving', { data: { a: '1' } });
  const pod = await read(await podWith({ configMap: { name: 'moving' } }));
  const reader = new ClusterReader(connection);
  const seen: object[] = [];
  const problems: unknown[] = [];
  const kept = await keepVolume({
    clock: server.clock,
    render: () => renderVolume(pod, 'v', reader, new TokenKeeper(reader, server.clock)),
    onFiles: (files) => void seen.push(shown(files)),
    onProblem: (problem) => void problems.push(problem),
  });
  await kept.refresh();
  const reference = { apiVersion: 'v1', kind: 'ConfigMap', name: 'moving', namespace: 'default' };
  const current = await server.client.get(reference);
  await server.client.update({ ...current, data: { a: '2' } } as unknown as ApiObject);
  await kept.refresh();
  await server.client.delete(reference);
  await kept.refresh();
  kept.close();
  assert.deepEqual(seen, [{ a: '644 1' }, { a: '644 2' }]);
  assert.match(String(problems[0]), /ConfigMap "moving" not found/);
});

test('orch volume render prints the files, and errors that keep a pod waiting', async () => {
  const pod = await podWith({ configMap: { name: 'settings' } });
  const { code, out } = await orch('volume', 'render', pod, 'v');
  assert.equal(code, 0);
  assert.equal(
    out,
    '# app.conf  0644  9 bytes\nport = 1\n\n# logo  0644  3 bytes\n(binary content, not shown)\n\n# mode  0644  4 bytes\nfast',
  );
  const other = await orch('volume', 'render', pod, 'w');
  assert.deepEqual([other.code, other.err.includes('no volume "w" (it has v')], [1, true]);
  const waiting = await orch('volume', 'render', await podWith({ secret: { secretName: 'gone' } }), 'v');
  assert.match(waiting.err, /Secret "gone" not found, and it is not optional/);
  const own = await orch('volume', 'render', await podWith({ emptyDir: {} }), 'v');
  assert.match(own.err, /is not a configMap, secret, downwardAPI or projected volume/);
});

test('--out writes the files as the kubelet does, and replaces them atomically', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'volume-'));
  try {
    const items = [{ key: 'mode', path: 'deep/mode', mode: 0o400 }];
    const first = await podWith({ configMap: { name: 'settings', items } });
    assert.equal((await orch('volume', 'render', first, 'v', '--out', folder)).code, 0);
    assert.equal(await readFile(join(folder, 'deep/mode'), 'utf8'), 'fast');
    assert.equal((await stat(join(folder, 'deep/mode'))).mode & 0o777, 0o400);
    assert.equal(await readlink(join(folder, 'deep')), '..data/deep');
    const second = await podWith({ secret: { secretName: 'login' } });
    assert.equal((await orch('volume', 'render', second, 'v', '--out', folder)).code, 0);
    const names = (await readdir(folder)).filter((name) => !/^\.\.\d/.test(name)).sort();
    assert.deepEqual(names, ['..data', 'password', 'user']);
    assert.equal((await readdir(folder)).length, 4);
  } finally {
    await rm(folder, { recursive: true });
  }
});
