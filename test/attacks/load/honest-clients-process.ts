// The honest clients of the load test, in a process of their own: four users that read, list, watch and write small objects.
// Each sends on a fixed schedule, and a latency counts from the scheduled time: requests that a stall delays are counted as slow.
import { setTimeout as sleep } from 'node:timers/promises';
import { LoadClient } from './client.ts';
import { summarize } from './latencies.ts';
import type { HonestCheck, HonestCommand, HonestReport } from './messages.ts';
import { ProcessorWaits } from './processor-waits.ts';
import { adminToken, honestClients, honestListNamespace, honestNamespace, tokenOf } from './users.ts';

const intervalMs = 50;
const listedObjects = 20;
const [, , url, servingPid] = process.argv as [string, string, string, string?];
/** Only of a server with one serving thread. */
const processorWaits = servingPid ? new ProcessorWaits(Number(servingPid)) : undefined;
const configMaps = `/api/v1/namespaces/${honestNamespace}/configmaps`;
const listed = `/api/v1/namespaces/${honestListNamespace}/configmaps`;

/** What the server acknowledged last of each object: its value, or that it is deleted. Unknown after a failed write. */
const acknowledged = new Map<string, string | 'deleted' | 'unknown'>();
/** When each object was sent, until the watch has delivered it. */
const undelivered = new Map<string, number>();
let latencies: number[] = [];
/** The latencies without waits for a processor. */
let unwaited: number[] = [];
let watchLatencies: number[] = [];
let failures: Record<string, number> = {};
let watchEnds = 0;
let isEnding = false;
let isPaused = false;

class HonestClient {
  readonly #client: LoadClient;
  readonly #user: string;
  #cycle = 0;

  constructor(user: string) {
    this.#user = user;
    this.#client = new LoadClient(url, tokenOf(user));
  }

  async run(): Promise<void> {
    const steps = this.#steps();
    for (let due = performance.now(); !isEnding; due += intervalMs) {
      while (isPaused) {
        await sleep(intervalMs);
        due = performance.now();
      }
      const wait = due - performance.now();
      if (wait > 0) await sleep(wait);
      await steps[this.#cycle % steps.length]!().catch((error: Error) => fail(error.message));
      this.#cycle++;
      const now = performance.now();
      latencies.push(now - due);
      if (processorWaits) unwaited.push(Math.max(0, now - due - processorWaits.between(due, now)));
    }
    this.#client.close();
  }

  #steps(): (() => Promise<void>)[] {
    return [
      () => this.#read('/version'),
      () => this.#write('POST', 'created'),
      () => this.#read(`${configMaps}/${this.#name()}`),
      () => this.#read(`${listed}/listed-${this.#cycle % listedObjects}`),
      () => this.#write('PUT', 'updated'),
      () => this.#read(listed),
      // Every second object stays until the check at the end.
      () =>
        Math.floor(this.#cycle / 8) % 2 === 0 ? this.#write('DELETE', 'deleted') : this.#read('/version'),
      () => this.#read(`/api/v1/namespaces/${honestNamespace}`),
    ];
  }

  /** The object of this round through the steps. */
  #name(): string {
    return `${this.#user}-${Math.floor(this.#cycle / 8)}`;
  }

  async #read(path: string): Promise<void> {
    const status = await this.#client.status({ path });
    if (status !== 200) fail(`GET ${status}`);
  }

  async #write(method: 'POST' | 'PUT' | 'DELETE', value: string): Promise<void> {
    const name = this.#name();
    const path = method === 'POST' ? configMaps : `${configMaps}/${name}`;
    const body = JSON.stringify({ metadata: { name }, data: { value } });
    const known = acknowledged.get(name);
    acknowledged.set(name, 'unknown');
    const sentAt = performance.now();
    if (method === 'POST') undelivered.set(name, sentAt);
    const status = await this.#client.status({ method, path, ...(method !== 'DELETE' && { body }) });
    if (status === 200 || status === 201) {
      acknowledged.set(name, value);
      return;
    }
    // A rejected write changed nothing.
    if (status === 429) {
      if (known) acknowledged.set(name, known);
      else acknowledged.delete(name);
    }
    fail(`${method} ${status}`);
    if (method === 'POST') undelivered.delete(name);
  }
}

function fail(reason: string): void {
  failures[reason] = (failures[reason] ?? 0) + 1;
}

function watch(): void {
  const client = new LoadClient(url, tokenOf(honestClients[0]!));
  let rest = '';
  client.watch(
    `${configMaps}?watch=true`,
    (text) => {
      const lines = (rest + text).split('\n');
      rest = lines.pop()!;
      for (const line of lines) deliver(JSON.parse(line) as WatchEvent);
    },
    () => {
      watchEnds++;
      if (!isEnding) setTimeout(watch, 100);
    },
  );
}

interface WatchEvent {
  readonly type: string;
  readonly object: { readonly metadata: { readonly name: string } };
}

function deliver({ type, object }: WatchEvent): void {
  const { name } = object.metadata;
  const sentAt = undelivered.get(name);
  if (type !== 'ADDED' || sentAt === undefined) return;
  undelivered.delete(name);
  watchLatencies.push(performance.now() - sentAt);
}

/** Compares what was acknowledged with a list and with single reads. */
async function check(): Promise<HonestCheck> {
  isEnding = true;
  await running;
  const admin = new LoadClient(url, adminToken);
  const { text } = await admin.send({ path: configMaps });
  const items = (JSON.parse(text) as { items: { metadata: { name: string }; data: { value: string } }[] })
    .items;
  const present = new Map(items.map((item) => [item.metadata.name, item.data?.value]));
  const lost: string[] = [];
  for (const [name, value] of acknowledged) {
    if (value === 'unknown') continue;
    const expected = value === 'deleted' ? undefined : value;
    if (present.get(name) !== expected) lost.push(`list: ${name} is ${present.get(name)}, not ${expected}`);
    const status = await admin.status({ path: `${configMaps}/${name}` });
    if (status !== (expected ? 200 : 404)) lost.push(`get: ${name} is ${status}`);
  }
  const missed = [...undelivered.keys()].filter((name) => acknowledged.get(name) !== 'unknown');
  for (const name of missed) lost.push(`watch: ${name} was not delivered`);
  admin.close();
  return { acknowledged: acknowledged.size, lost };
}

function report(): HonestReport {
  const result = {
    latencies: summarize(latencies),
    ...(processorWaits && { unwaited: summarize(unwaited) }),
    watch: summarize(watchLatencies),
    failures,
    watchEnds,
  };
  latencies = [];
  unwaited = [];
  watchLatencies = [];
  failures = {};
  return result;
}

const admin = new LoadClient(url, adminToken);
for (let index = 0; index < listedObjects; index++) {
  const body = JSON.stringify({ metadata: { name: `listed-${index}` }, data: { key: 'value' } });
  await admin.status({ method: 'POST', path: listed, body });
}
admin.close();
watch();
const running = Promise.all(honestClients.map((user) => new HonestClient(user).run()));

process.on('message', async (message: HonestCommand) => {
  if (message === 'pause' || message === 'resume') isPaused = message === 'pause';
  process.send!(message === 'check' ? await check() : report());
});
// The coordinator may have ended.
process.on('disconnect', () => process.exit());
process.send!('ready');
