import assert from 'node:assert/strict';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { checkDirectory } from '../../src/store/lmdb/check.ts';
import type { TestResponse, WatchReader } from '../support/client.ts';
import { ServerProcess } from '../support/server-process.ts';
import { smallDisk } from './small-disk.ts';

const MEGABYTE = 1024 * 1024;
const WRITERS = 8;

/** The acknowledged data of every object, by name. */
type Contents = Map<string, string>;

const objectOf = (name: string, content: string) => ({ metadata: { name }, data: { content } });

/** More than can be free when writes of 20 KB are rejected. */
const tooLarge = objectOf('first-0', 'y'.repeat(900_000));

function assertRefused({ code, body }: TestResponse): void {
  assert.equal(code, 500);
  assert.deepEqual([body.kind, body.status, body.reason], ['Status', 'Failure', undefined]);
  assert.match(body.message, /database space exceeded/);
}

/** Creates objects of 20 KB from several clients until each is rejected; returns the acknowledged ones. */
async function fill(server: ServerProcess, path: string, run: string): Promise<Contents> {
  const acknowledged: Contents = new Map();
  let number = 0;
  const write = async () => {
    for (;;) {
      const name = `${run}-${number++}`;
      const content = `${name} ${'x'.repeat(20_000)}`;
      const response = await server.post(path, objectOf(name, content));
      if (response.code !== 201) return assertRefused(response);
      acknowledged.set(name, content);
    }
  };
  await Promise.all(Array.from({ length: WRITERS }, write));
  return acknowledged;
}

async function assertServes(server: ServerProcess, path: string, contents: Contents): Promise<void> {
  const { body } = await server.get(path);
  assert.deepEqual(new Map(body.items.map(({ metadata, data }) => [metadata.name, data.content])), contents);
  const [name, content] = [...contents].at(-1)!;
  assert.equal((await server.get(`${path}/${name}`)).body.data.content, content);
}

/** The watch sends every object once. */
async function assertHears(watch: WatchReader, contents: Contents): Promise<void> {
  const heard: Contents = new Map();
  while (heard.size < contents.size) {
    const event = (await watch.next())!;
    assert.equal(event.type, 'ADDED');
    assert.ok(!heard.has(event.object.metadata.name));
    heard.set(event.object.metadata.name, event.object.data.content!);
  }
  assert.deepEqual(heard, contents);
}

test('a server on a full disk rejects writes with 500, serves reads and watches, and recovers by itself', async (t) => {
  const server = await ServerProcess.prepare(t);
  const disk = await smallDisk(t, 8);
  if (disk === undefined) return;
  const ballast = join(disk, 'ballast');
  await writeFile(ballast, Buffer.alloc(4 * MEGABYTE));
  server.dataDir = join(disk, 'data');
  await server.start();
  const path = await server.namespace();
  const watch = await server.watch(`${path}?watch=1`);

  const first = await fill(server, path, 'first');
  assert.ok(first.size > 10);
  assertRefused(await server.put(`${path}/first-0`, tooLarge));
  await assertServes(server, path, first);
  await assertHears(watch, first);
  const late = await server.watch(`${path}?watch=1`);
  await assertHears(late, first);
  assert.equal((await server.get('/livez')).code, 200);

  await rm(ballast);
  const all = new Map(first);
  for (;;) {
    const response = await server.post(path, objectOf('recovered', 'after'));
    if (response.code === 201) break;
    assertRefused(response);
    await setTimeout(20);
  }
  const rest = new Map([['recovered', 'after'], ...(await fill(server, path, 'second'))]);
  assert.ok(rest.size > 10);
  for (const [name, content] of rest) all.set(name, content);
  await assertServes(server, path, all);
  await assertHears(watch, rest);
  await assertHears(late, rest);
  watch.close();
  late.close();

  assert.equal((await server.end('SIGTERM')).code, 0);
  assert.deepEqual((await checkDirectory(server.storeDir)).findings, []);
  await server.start();
  await assertServes(server, path, all);
  assertRefused(await server.put(`${path}/first-0`, tooLarge));
});
