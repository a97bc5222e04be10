// Runs the program of the single executable for a few requests, and writes the code that V8 has compiled meanwhile:
// `node scripts/executable/compile-program.ts FOLDER`. Without it, half of the start time of the executable is compilation.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire, isBuiltin } from 'node:module';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { Script } from 'node:vm';
import { lmdbAddon } from './lmdb-addon.ts';

type Program = (require: (name: string) => unknown) => void;

const folder = process.argv[2]!;
const data = mkdtempSync(join(tmpdir(), 'orch-compile-'));
const [httpPort, securePort] = [await freePort(), await freePort()];
const url = `http://127.0.0.1:${httpPort}`;

const script = new Script(readFileSync(join(folder, 'program.js'), 'utf8'), { filename: 'orch.js' });
process.argv = [
  ...[process.execPath, 'orch', 'dev', '--dialect', 'kubernetes', '--data-dir', data],
  ...['--http-port', String(httpPort), '--secure-port', String(securePort)],
];
(script.runInThisContext() as Program)(requireForProgram);
await untilReady();
await sendRequests();
// V8 rejects code that was compiled with other flags than those of the process that loads it. The program sets this one.
setFlagsFromString('--heap-growing-percent=0');
writeFileSync(join(folder, 'program.cache'), script.createCachedData());
rmSync(data, { recursive: true, force: true });
process.exit();

/** As in the executable, with files instead of assets. */
function requireForProgram(name: string): unknown {
  const read = (asset: string) => readFileSync(asset === 'lmdb.node' ? lmdbAddon() : join(folder, asset));
  if (name === 'node:sea') return { getAsset: (asset: string) => read(asset).toString(), getRawAsset: read };
  if (!isBuiltin(name)) throw new Error(`the executable has no module ${name}`);
  return createRequire(import.meta.url)(name);
}

async function untilReady(): Promise<void> {
  for (let attempt = 0; attempt < 600; attempt++) {
    const response = await fetch(`${url}/readyz`).catch(() => undefined);
    if (response?.ok) return;
    await sleep(50);
  }
  throw new Error('the program did not become ready');
}

/** What clients do in their first seconds. */
async function sendRequests(): Promise<void> {
  const configMaps = `${url}/api/v1/namespaces/default/configmaps`;
  const json = { 'content-type': 'application/json' };
  const body = JSON.stringify({ metadata: { name: 'a' }, data: { key: 'value' } });
  const apply = JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' } });
  const requests: [path: string, init?: RequestInit][] = [
    [`${url}/api`],
    [`${url}/apis`],
    [`${url}/openapi/v3`],
    [configMaps, { method: 'POST', headers: json, body }],
    [`${configMaps}/a`],
    [configMaps],
    [`${configMaps}/a`, { method: 'PUT', headers: json, body }],
    [
      `${configMaps}/a?fieldManager=m&force=true`,
      { method: 'PATCH', headers: { 'content-type': 'application/apply-patch+yaml' }, body: apply },
    ],
    [`${configMaps}?watch=true&timeoutSeconds=1`],
    [`${configMaps}/a`, { method: 'DELETE' }],
  ];
  for (const [path, init] of requests) {
    const response = await fetch(path, init);
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    await response.arrayBuffer();
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}
