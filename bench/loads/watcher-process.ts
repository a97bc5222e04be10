// The process that holds the watches of the benchmark: watcher-process.ts SETTINGS (JSON of WatcherSettings), with an IPC
// channel. It uses TLS sockets and one shared buffer to spend little CPU time per event.
import type { OnReadOpts } from 'node:net';
import { type ConnectionOptions, connect } from 'node:tls';
import { percentile } from '../report/statistics.ts';
import { Http2Connection } from './http2/connection.ts';
import { TickScanner } from './tick-scanner.ts';
import { WatchStream } from './watch-stream.ts';
import {
  type FromWatchers,
  type ToWatchers,
  type WatcherSettings,
  watcherNumber,
} from './watcher-messages.ts';

const settings = JSON.parse(process.argv[2] ?? '') as WatcherSettings;
const { port, token, count, streams } = settings;
const concurrentOpens = 50;

const pathOf = (index: number): string => settings.path.replace(watcherNumber, String(index));

// Ignores errors: if the parent process has exited, `disconnect` ends this one.
const send = (message: FromWatchers): void => void process.send?.(message, () => undefined);

let delays = new Float64Array(1 << 16);
let delivered = 0;
const received = new Map<number, number>();

function onTick(microseconds: number, sequence: number): void {
  if (delivered === delays.length) {
    const larger = new Float64Array(delays.length * 2);
    larger.set(delays);
    delays = larger;
  }
  // hrtime is the monotonic clock of the machine, which the writing process uses too.
  delays[delivered++] = Number(process.hrtime.bigint() / 1000n) - microseconds;
  const receivers = (received.get(sequence) ?? 0) + 1;
  if (receivers < settings.receivers) {
    received.set(sequence, receivers);
  } else {
    received.delete(sequence);
    send({ type: 'complete', sequence });
  }
}

const sharedBuffer = Buffer.allocUnsafe(1 << 16);

function openWatch(index: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const stream = new WatchStream({
      opened: (head) => {
        if (head.startsWith('HTTP/1.1 200')) resolve();
        else reject(new Error(`a watch failed: ${head}`));
      },
      tick: onTick,
      ended: () => send({ type: 'lost', reason: 'the server ended a watch' }),
    });
    const callback = (length: number): boolean => {
      stream.push(sharedBuffer.subarray(0, length));
      return true;
    };
    const options: ConnectionOptions & { onread: OnReadOpts } = {
      host: '127.0.0.1',
      port,
      rejectUnauthorized: false,
      onread: { buffer: sharedBuffer, callback },
    };
    const socket = connect(options);
    socket.once('secureConnect', () => {
      socket.write(
        `GET ${pathOf(index)} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${token}\r\n\r\n`,
      );
    });
    socket.once('error', (error) => {
      reject(error);
      send({ type: 'lost', reason: error.message });
    });
    socket.once('end', () => send({ type: 'lost', reason: 'the server closed a connection' }));
  });
}

process.on('message', (message: ToWatchers) => {
  if (message.type !== 'report') return;
  const sorted = delays.slice(0, delivered).sort();
  const delayAt = (share: number): number =>
    delivered === 0 ? Number.NaN : percentile(sorted, share) / 1000;
  send({ type: 'delays', delivered, p50: delayAt(0.5), p99: delayAt(0.99) });
  delivered = 0;
});
process.on('disconnect', () => process.exit(0));
// Ctrl-C in a terminal reaches this process too, which exits when its parent disconnects.
process.on('SIGINT', () => {});

/** The HTTP/2 connections, each with up to `streams` watches. */
const connections: Promise<Http2Connection>[] = [];

async function openStream(index: number, perConnection: number): Promise<void> {
  const number = Math.floor(index / perConnection);
  connections[number] ??= Http2Connection.open(port, token);
  const connection = await connections[number];
  const scanner = new TickScanner(onTick);
  await new Promise<void>((resolve, reject) => {
    connection.request(
      { method: 'GET', path: pathOf(index) },
      {
        head: (status) => (status === 200 ? resolve() : reject(new Error(`a watch failed: ${status}`))),
        data: (bytes) => scanner.push(bytes),
        end: () => send({ type: 'lost', reason: 'the server ended a watch' }),
      },
    );
  });
}

let opened = 0;
async function openWatches(): Promise<void> {
  while (opened < count) {
    const index = opened++;
    await (streams === undefined ? openWatch(index) : openStream(index, streams));
  }
}
await Promise.all(Array.from({ length: concurrentOpens }, openWatches));
send({ type: 'open' });
