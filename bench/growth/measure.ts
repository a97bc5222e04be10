// The measurements of the scale benchmark at one number of objects.
import { execFile } from 'node:child_process';
import { rmSync, statSync } from 'node:fs';
import { request } from 'node:https';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { systemClock } from '../../src/base/clock.ts';
import { LmdbEnvironment } from '../../src/store/lmdb/environment.ts';
import { LmdbStore } from '../../src/store/lmdb/lmdb-store.ts';
import { ApiClient } from '../loads/api-client.ts';
import { residentMemory } from '../machine/memory.ts';
import { configMapsOf, nameOf, namespaceBody } from '../objects.ts';
import type { Progress } from '../progress.ts';
import type { Orch } from '../sides/orch.ts';
import { forSeconds, load } from './load.ts';
import { configMapBody, namespace, selectGroupOf } from './objects.ts';

const run = promisify(execFile);
const clients = 16;
/** Duration of each load of reads. */
const seconds = 4;
/** Events that a watch from an earlier revision replays. */
const replayedEvents = 1_000;
/** Idle time before memory is measured. */
const settleSeconds = 10;
/** An index of the label is complete if a list takes less than this. */
const indexedListMs = 50;
const indexTimeoutSeconds = 600;

/** The values of one number of objects, by the name of their row (rows.ts). */
export type Measured = Record<string, number>;

export interface Subject {
  readonly repository: string;
  readonly side: Orch;
  /** The directory of the server's data. */
  readonly dataFolder: string;
  readonly progress: Progress;
}

/** Creates the objects from number `from` on. The server runs. */
export async function fill({ side, progress }: Subject, from: number, to: number): Promise<Measured> {
  const client = new ApiClient(side, clients);
  try {
    await client.expect([201, 409], 'POST', '/api/v1/namespaces', namespaceBody(namespace));
    const create = (number: number) => {
      if (number % 1_000 === 0) progress.update('creating objects,', from + number, to);
      return client.expect([201, 409], 'POST', configMapsOf(namespace), configMapBody(from + number));
    };
    const cost = await load(side.pids(), (sent) => from + sent >= to, create);
    return { 'create-rate': cost.rate, create: cost.cpuMicroseconds };
  } finally {
    client.close();
  }
}

/** Measures a server that has `count` objects. It runs before and after. */
export async function measureAt(subject: Subject, count: number): Promise<Measured> {
  const { side, progress, dataFolder } = subject;
  const results: Measured = {};
  const add = (values: Measured): void => {
    Object.assign(results, values);
    for (const [name, value] of Object.entries(values))
      progress.step(`${count}: ${name} ${value.toFixed(2)}`);
  };
  await sleep(settleSeconds * 1000);
  const filled = residentMemory(side.pids());
  add({ 'memory-after-writes': filled.anonymousMB });
  add(await measureReads(side, count));
  add({ watch: await measureReplay(side) });
  add({ 'file-size': statSync(join(dataFolder, 'store', 'data.mdb')).size / 2 ** 20 });
  await side.stop();
  add({ backup: await measureBackup(subject) });
  add({ compaction: await measureCompaction(dataFolder) });
  add({ restart: await side.start() });
  add({ 'first-page-after-restart': await timed(side, `${configMapsOf(namespace)}?limit=500`) });
  await sleep(settleSeconds * 1000);
  const reopened = residentMemory(side.pids());
  add({ 'memory-reopened': reopened.anonymousMB, 'memory-mapped': reopened.mappedMB });
  return results;
}

async function measureReads(side: Orch, count: number): Promise<Measured> {
  const client = new ApiClient(side, clients);
  const path = configMapsOf(namespace);
  const randomIndex = () => Math.floor(Math.random() * count);
  const get = (target: string) => client.expect([200], 'GET', target);
  const measure = (target: () => string) => load(side.pids(), forSeconds(seconds), () => get(target()));
  try {
    const gets = await measure(() => `${path}/${nameOf(randomIndex())}`);
    await get(`${path}?limit=500`);
    const pages = await measure(() => `${path}?limit=500`);
    // The first list by label reads all objects, and has the server build an index.
    const listByLabel = () => `${path}?${selectGroupOf(randomIndex())}`;
    const indexSeconds = await untilFast(() => get(listByLabel()));
    const labelLists = await measure(listByLabel);
    return {
      'get-rate': gets.rate,
      get: gets.cpuMicroseconds,
      'page-rate': pages.rate,
      page: pages.cpuMicroseconds,
      'index-build': indexSeconds,
      'label-list-rate': labelLists.rate,
      'label-list': labelLists.cpuMicroseconds,
    };
  } finally {
    client.close();
  }
}

/** Repeats a request until it is fast three times in a row. Returns the seconds until then. */
async function untilFast(send: () => Promise<unknown>): Promise<number> {
  const startMs = performance.now();
  for (let fast = 0; fast < 3; ) {
    const sentMs = performance.now();
    await send();
    const isFast = performance.now() - sentMs < indexedListMs;
    fast = isFast ? fast + 1 : 0;
    if (!isFast) await sleep(500);
    if (performance.now() - startMs > indexTimeoutSeconds * 1000)
      throw new Error('lists by label are still slow: was no index built?');
  }
  return (performance.now() - startMs) / 1000;
}

async function timed(side: Orch, path: string): Promise<number> {
  const client = new ApiClient(side, 1);
  try {
    const startMs = performance.now();
    await client.expect([200], 'GET', path);
    return performance.now() - startMs;
  } finally {
    client.close();
  }
}

/** Creates events, and watches from the revision before them: milliseconds until all have been replayed. */
async function measureReplay(side: Orch): Promise<number> {
  const client = new ApiClient(side, clients);
  try {
    const list = await client.expect([200], 'GET', `${configMapsOf(namespace)}?limit=1`);
    const { metadata } = JSON.parse(list.body) as { readonly metadata: { readonly resourceVersion: string } };
    const patch = (number: number) =>
      client.expect(
        [200],
        'PATCH',
        `${configMapsOf(namespace)}/${nameOf(number)}`,
        `{"metadata":{"annotations":{"at":"${Date.now()}-${number}"}}}`,
        { 'content-type': 'application/merge-patch+json' },
      );
    await load(side.pids(), (sent) => sent >= replayedEvents, patch);
    return await replay(side, metadata.resourceVersion);
  } finally {
    client.close();
  }
}

/** Reads lines of a watch until it has sent all events. */
function replay(side: Orch, resourceVersion: string): Promise<number> {
  const startMs = performance.now();
  return new Promise((resolve, reject) => {
    const watch = request({
      host: '127.0.0.1',
      port: side.port,
      path: `${configMapsOf(namespace)}?watch=true&resourceVersion=${resourceVersion}`,
      headers: { authorization: `Bearer ${side.token}` },
      rejectUnauthorized: false,
    });
    watch.once('error', reject);
    watch.once('response', (response) => {
      let events = 0;
      response.on('data', (chunk: Buffer) => {
        for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, at + 1)) events++;
        if (events < replayedEvents) return;
        resolve(performance.now() - startMs);
        response.destroy();
      });
      response.once('end', () => reject(new Error('the watch ended before all events were replayed')));
      response.once('error', () => {});
    });
    watch.end();
  });
}

/** Seconds of `orch store backup`. */
async function measureBackup({ repository, dataFolder }: Subject): Promise<number> {
  const file = join(dataFolder, '..', 'scale.backup');
  rmSync(file, { force: true });
  const startMs = performance.now();
  await run(process.execPath, [join(repository, 'dist/main.js'), 'store', 'backup', dataFolder, file]);
  rmSync(file);
  return (performance.now() - startMs) / 1000;
}

/** Discards the history of a stopped server: microseconds of CPU time per change. */
async function measureCompaction(dataFolder: string): Promise<number> {
  const dir = join(dataFolder, 'store');
  const before = process.cpuUsage();
  const store = LmdbStore.open({ dir, clock: systemClock, dialect: 'kubernetes' });
  try {
    const { changes } = store.stats();
    if (changes === 0) return 0;
    await store.compact(store.revision);
    // Log entries are removed after the compacted revision has advanced.
    while (await hasLogEntries(dir)) await sleep(100);
    const { user, system } = process.cpuUsage(before);
    return (user + system) / changes;
  } finally {
    await store.close();
  }
}

async function hasLogEntries(dir: string): Promise<boolean> {
  const environment = LmdbEnvironment.openForReading(dir);
  const [oldest] = environment.snapshot.tables.order.getKeys({ start: 0, limit: 1 });
  await environment.close();
  return oldest !== undefined;
}
