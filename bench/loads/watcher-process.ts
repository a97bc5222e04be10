/**
 * The receiving end of the fan-out: watcher-process.ts PORT TOKEN PATH COUNT, started with an IPC channel.
 * Raw TLS sockets and one shared buffer: this is as little work per event as Node can do.
 */
import type { OnReadOpts } from 'node:net';
import { type ConnectionOptions, connect } from 'node:tls';
import { percentile } from '../report/statistics.ts';
import { WatchStream } from './watch-stream.ts';
import type { FromWatchers, ToWatchers } from './watcher-messages.ts';

const [port, token, path, countText] = process.argv.slice(2);
const count = Number(countText);
const openingAtOnce = 50;

// The other process may already be gone; then there is nobody to tell, and `disconnect` ends this one.
const tell = (message: FromWatchers): void => void process.send?.(message, () => undefined);

let delays = new Float64Array(1 << 16);
let delivered = 0;
const received = new Map<number, number>();

function onTick(microseconds: number, sequence: number): void {
  if (delivered === delays.length) {
    const larger = new Float64Array(delays.length * 2);
    larger.set(delays);
    delays = larger;
  }
  // hrtime is the monotonic clock of the machine, the same for the process that wrote the tick.
  delays[delivered++] = Number(process.hrtime.bigint() / 1000n) - microseconds;
  const soFar = (received.get(sequence) ?? 0) + 1;
  if (soFar < count) {
    received.set(sequence, soFar);
  } else {
    received.delete(sequence);
    tell({ type: 'complete', sequence });
  }
}

const sharedBuffer = Buffer.allocUnsafe(1 << 16);

function openWatch(): Promise<void> {
  return new Promise((resolve, reject) => {
    const stream = new WatchStream({
      opened: (head) => {
        if (head.startsWith('HTTP/1.1 200')) resolve();
        else reject(new Error(`a watch was answered: ${head}`));
      },
      tick: onTick,
      ended: () => tell({ type: 'lost', reason: 'the server ended a watch' }),
    });
    const callback = (length: number): boolean => {
      stream.push(sharedBuffer.subarray(0, length));
      return true;
    };
    const options: ConnectionOptions & { onread: OnReadOpts } = {
      host: '127.0.0.1',
      port: Number(port),
      rejectUnauthorized: false,
      onread: { buffer: sharedBuffer, callback },
    };
    const socket = connect(options);
    socket.once('secureConnect', () => {
      socket.write(
        `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${token}\r\n\r\n`,
      );
    });
    socket.once('error', (error) => {
      reject(error);
      tell({ type: 'lost', reason: error.message });
    });
    socket.once('end', () => tell({ type: 'lost', reason: 'the server closed a connection' }));
  });
}

process.on('message', (message: ToWatchers) => {
  if (message.type !== 'report') return;
  const sorted = delays.slice(0, delivered).sort();
  const at = (share: number): number => (delivered === 0 ? Number.NaN : percentile(sorted, share) / 1000);
  tell({ type: 'delays', delivered, p50: at(0.5), p99: at(0.99) });
  delivered = 0;
});
process.on('disconnect', () => process.exit(0));
// Ctrl-C in a terminal reaches this process too; it ends when the one that started it lets go.
process.on('SIGINT', () => {});

let opened = 0;
async function lane(): Promise<void> {
  while (opened < count) {
    opened++;
    await openWatch();
  }
}
await Promise.all(Array.from({ length: openingAtOnce }, lane));
tell({ type: 'open' });
