// The control plane as its user runs it: over HTTP, and killed in the middle of its work.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';

const folder = mkdtempSync(join(tmpdir(), 'control-plane-'));
after(() => rmSync(folder, { recursive: true, force: true }));

async function start() {
  const env = { ...process.env, DATA_DIR: join(folder, 'data'), PORT: '0' };
  const child = spawn(process.execPath, ['main.js'], {
    cwd: import.meta.dirname,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = await once(child.stdout, 'data');
  const url = /ready at (http:\S+?)\/apis/.exec(String(line))[1];
  return { child, cakes: `${url}/apis/bakery.example.com/v1/namespaces/default/cakes` };
}

async function request(url, method = 'GET', body = undefined) {
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(url, { method, headers, ...(body && { body: JSON.stringify(body) }) });
  return { code: response.status, body: await response.json() };
}

const cake = (name, layers) => ({
  apiVersion: 'bakery.example.com/v1',
  kind: 'Cake',
  metadata: { name },
  spec: { layers },
});

async function untilBaked(url) {
  for (;;) {
    const { body } = await request(url);
    if (body.status?.phase === 'Baked') return body;
    await sleep(10);
  }
}

test('cakes are checked, baked, and survive kill -9', async () => {
  const first = await start();
  const created = await request(first.cakes, 'POST', cake('sacher', 2));
  assert.deepEqual([created.code, created.body.spec], [201, { layers: 2, flavour: 'vanilla' }]);
  const baked = await untilBaked(`${first.cakes}/sacher`);
  const smaller = await request(`${first.cakes}/sacher`, 'PUT', { ...baked, spec: { layers: 1 } });
  assert.equal(smaller.code, 403);
  assert.match(smaller.body.message, /a cake only grows/);
  assert.equal((await request(first.cakes, 'POST', cake('none', 0))).code, 422);

  // An acknowledged write is on disk. The controller may not have seen the last one.
  const names = Array.from({ length: 20 }, (_, index) => `cake-${index}`);
  for (const name of names) assert.equal((await request(first.cakes, 'POST', cake(name, 1))).code, 201);
  first.child.kill('SIGKILL');
  await once(first.child, 'exit');

  const second = await start();
  for (const name of ['sacher', ...names]) await untilBaked(`${second.cakes}/${name}`);
  second.child.kill('SIGTERM');
  assert.deepEqual(await once(second.child, 'exit'), [0, null]);
});
