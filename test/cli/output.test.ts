// -o json|yaml: every command that prints a result prints it as a document too.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { parse } from 'yaml';
import { main } from '../../src/cli/main.ts';
import { type EmbeddedServer, startServer } from '../../src/index.ts';

let server: EmbeddedServer;
let folder: string;
let kubeconfig: string;

before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'orch-output-'));
  server = await startServer({ dataDir: join(folder, 'data') });
  kubeconfig = join(folder, 'kubeconfig');
  writeFileSync(kubeconfig, server.kubeconfig);
  const metadata = { namespace: 'default' };
  await server.client.create({
    ...{ apiVersion: 'v1', kind: 'ConfigMap', metadata: { ...metadata, name: 'settings' } },
    ...{ data: { mode: 'fast' }, binaryData: { logo: 'AP8H' } },
  });
  await server.client.create({
    ...{ apiVersion: 'v1', kind: 'Pod', metadata: { ...metadata, name: 'web' } },
    spec: {
      containers: [{ name: 'web', image: 'web' }],
      volumes: [{ name: 'v', configMap: { name: 'settings' } }],
    },
  });
});
after(async () => {
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** The document that a command prints in each format: it must be the same. */
async function documentOf<T>(args: readonly string[], exitCode = 0): Promise<T> {
  const documents: unknown[] = [];
  for (const [output, read] of [
    ['json', (text: string) => JSON.parse(text)],
    ['yaml', (text: string) => parse(text)],
  ] as const) {
    const lines: string[] = [];
    const terminal = { out: (line: string) => void lines.push(line), err: () => {}, inColor: false };
    assert.equal(await main([...args, '-o', output], terminal), exitCode, lines.join('\n'));
    documents.push(read(lines.join('\n')));
  }
  assert.deepEqual(documents[0], documents[1]);
  return documents[0] as T;
}

const connected = (...args: string[]) => [...args, '--kubeconfig', kubeconfig];

test('version', async () => {
  const { kubernetes, node } = await documentOf<Record<string, string>>(['version']);
  assert.deepEqual([kubernetes, node], ['1.33', process.versions.node]);
});

test('auth', async () => {
  assert.deepEqual(
    await documentOf(connected('auth', 'can-i', 'get', 'pods')).then((status) =>
      Object.keys(status as object),
    ),
    ['allowed'],
  );
  const { resourceRules } = await documentOf<{ resourceRules: object[] }>(
    connected('auth', 'can-i', '--list'),
  );
  assert.ok(resourceRules.length > 0);
  const grantees = await documentOf<{ subject: string }[]>(connected('auth', 'who-can', 'get', 'pods'));
  assert.ok(grantees.some(({ subject }) => subject === 'Group system:masters'));
  assert.deepEqual(
    await documentOf(connected('auth', 'who-can', 'sing', 'songs.example.com/a'), 0),
    grantees.filter(({ subject }) => subject === 'Group system:masters'),
  );
});

test('volume render', async () => {
  assert.deepEqual(await documentOf(connected('volume', 'render', 'web', 'v')), [
    { path: 'logo', mode: '0644', size: 3, contentBase64: 'AP8H' },
    { path: 'mode', mode: '0644', size: 4, content: 'fast' },
  ]);
});

test('store', async () => {
  const data = join(folder, 'data');
  const statistics = await documentOf<Record<string, unknown>>(['store', 'stat', data]);
  assert.equal(statistics.inUseByProcess, process.pid);
  const file = join(folder, 'backup');
  const lines: string[] = [];
  const terminal = { out: (line: string) => void lines.push(line), err: () => {}, inColor: false };
  assert.equal(await main(['store', 'backup', data, file, '-o', 'json'], terminal), 0);
  const { objects, ...backup } = JSON.parse(lines.splice(0).join('\n'));
  assert.deepEqual([backup.file, backup.dialect], [file, 'orch']);
  const checked = await documentOf<Record<string, unknown>>(['store', 'check', file]);
  assert.deepEqual([checked.objects, checked.errors], [objects, []]);
  const copy = join(folder, 'copy');
  assert.equal(await main(['store', 'restore', file, copy, '-o', 'yaml'], terminal), 0);
  assert.equal(parse(lines.join('\n')).objects, objects);
  const restored = await documentOf<Record<string, unknown>>(['store', 'check', copy]);
  assert.deepEqual([restored.objects, restored.errors], [objects, []]);
});

test('envtest', async () => {
  const out = join(folder, 'assets');
  const { folder: written } = await documentOf<{ folder: string }>(['envtest', '--out', out]);
  assert.equal(written, out);
});

test('another format is an error that lists the formats', async () => {
  const lines: string[] = [];
  const terminal = { out: () => {}, err: (line: string) => void lines.push(line), inColor: false };
  assert.equal(await main(['version', '-o', 'wide'], terminal), 1);
  assert.match(lines.join('\n'), /--output: "wide" is not one of text, json, yaml$/);
});
