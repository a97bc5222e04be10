// The process of the HTTP/2 load generator: load-process.ts SETTINGS (JSON of LoadSettings), with an IPC channel.
import { setTimeout as sleep } from 'node:timers/promises';
import { percentile } from '../../report/statistics.ts';
import { Http2Connection } from './connection.ts';
import type { FromGenerator, LoadSettings, ToGenerator } from './load-messages.ts';
import { createTask, type Task } from './workloads.ts';

const settings = JSON.parse(process.argv[2] ?? '') as LoadSettings;
const slots = settings.connections * settings.streams;
/** Tasks read only the beginning of a body. */
const maxKeptBytes = 2_048;

const send = (message: FromGenerator): void => void process.send?.(message, () => undefined);

class Counters {
  units = 0;
  requests = 0;
  failures = 0;
  bytes = 0;
  firstFailure: string | undefined;
  readonly milliseconds: number[] = [];
}

/** Resolves once the response is complete. */
function perform(connection: Http2Connection, task: Task, counters: Counters): Promise<void> {
  return new Promise((resolve) => {
    const startedAt = performance.now();
    const kept: Buffer[] = [];
    let keptBytes = 0;
    connection.request(task.next(), {
      data(bytes) {
        counters.bytes += bytes.length;
        if (keptBytes >= maxKeptBytes) return;
        // The connection reuses its buffer.
        kept.push(Buffer.from(bytes.subarray(0, maxKeptBytes - keptBytes)));
        keptBytes += kept.at(-1)!.length;
      },
      end(status) {
        const body = Buffer.concat(kept).toString('latin1');
        counters.requests++;
        counters.milliseconds.push(performance.now() - startedAt);
        if (status >= 200 && status < 300) counters.units += task.complete(body);
        else {
          counters.failures++;
          counters.firstFailure ??= `${status} ${body.slice(0, 300)}`;
        }
        resolve();
      },
    });
  });
}

async function run(connections: readonly Http2Connection[], seconds: number): Promise<void> {
  const counters = new Counters();
  const startedAt = performance.now();
  const endsAt = startedAt + seconds * 1000;
  const intervalMs = settings.perSecond === undefined ? 0 : (1000 * slots) / settings.perSecond;
  const runSlot = async (slot: number): Promise<void> => {
    const connection = connections[slot % connections.length]!;
    const task = tasks[slot]!;
    for (let sent = 0; performance.now() < endsAt; sent++) {
      if (intervalMs > 0) {
        const dueAt = startedAt + (sent + slot / slots) * intervalMs;
        await sleep(Math.max(0, Math.min(dueAt, endsAt) - performance.now()));
      }
      await perform(connection, task, counters);
    }
  };
  await Promise.all(Array.from({ length: slots }, (_, slot) => runSlot(slot)));
  const sorted = Float64Array.from(counters.milliseconds).sort();
  const { units, requests, failures, firstFailure, bytes } = counters;
  send({
    type: 'result',
    ...{ units, requests, failures, firstFailure, bytes },
    seconds: (performance.now() - startedAt) / 1000,
    p50: percentile(sorted, 0.5),
    p99: percentile(sorted, 0.99),
  });
}

const connections = await Promise.all(
  Array.from({ length: settings.connections }, () => Http2Connection.open(settings.port, settings.token)),
);
const tasks = Array.from({ length: slots }, (_, slot) => createTask(settings.workload, slot, slots));
await Promise.all(
  tasks.map(async (task, slot) => {
    const counters = new Counters();
    while (task.isReady?.() === false) {
      await perform(connections[slot % connections.length]!, task, counters);
      if (counters.failures > 0) throw new Error(`the load cannot be prepared: ${counters.firstFailure}`);
    }
  }),
);
process.on('message', (message: ToGenerator) => {
  if (message.type === 'start') void run(connections, message.seconds);
});
process.on('disconnect', () => process.exit(0));
// Ctrl-C in a terminal reaches this process too, which exits when its parent disconnects.
process.on('SIGINT', () => {});
send({ type: 'ready' });
