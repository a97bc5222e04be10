// Tests of the sink that spreads large events over turns of the event loop.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { WatchSink } from '../../../store/watch/hub.ts';
import { PacedSink } from './paced-sink.ts';

/** A connection whose client reads when the test says so. */
class Client implements WatchSink {
  readonly received: number[] = [];
  unread = 0;
  end: string | undefined;
  isReading = true;

  write(frame: Buffer): boolean {
    this.received.push(frame[0]!);
    if (!this.isReading) this.unread += frame.length;
    return this.isReading;
  }

  buffered(): number {
    return this.unread;
  }

  close(reason: string): void {
    this.end = reason;
  }
}

const frame = (number: number, bytes: number) => Buffer.alloc(bytes, number);
const signal = new AbortController().signal;

test('events keep their order, whatever their size, and are sent before the end', async () => {
  const client = new Client();
  const sink = new PacedSink(client, signal);
  for (let number = 0; number < 20; number++) sink.write(frame(number, number % 3 === 0 ? 100_000 : 10));
  sink.close('timeout');
  assert.deepEqual(client.received, [...Array(20).keys()]);
  assert.equal(client.end, 'timeout');
});

test('many large events are sent in several turns of the event loop', async () => {
  const clients = Array.from({ length: 200 }, () => new Client());
  const event = frame(1, 100_000);
  const perTurn: number[] = [];
  const isSent = () => clients.every(({ received }) => received.length === 1);
  for (const client of clients) {
    const write = client.write.bind(client);
    client.write = (bytes) => {
      // As long as a turn has time for.
      for (const end = performance.now() + 1; performance.now() < end; );
      return write(bytes);
    };
    new PacedSink(client, signal).write(event);
  }
  while (!isSent()) {
    perTurn.push(clients.filter(({ received }) => received.length === 1).length);
    await new Promise(setImmediate);
  }
  assert.ok(perTurn.length > 10, `${perTurn}`);
});

test('a client gets no more than it reads; what waits counts as buffered, and is dropped if it is too slow', async () => {
  const client = new Client();
  client.isReading = false;
  const sink = new PacedSink(client, signal);
  for (let number = 0; number < 20; number++) {
    sink.write(frame(number, 100_000));
    await sleep(1);
  }
  assert.equal(sink.buffered(), 2_000_000);
  assert.ok(client.received.length < 8, `${client.received}`);
  client.isReading = true;
  client.unread = 0;
  for (let tries = 0; client.received.length < 20 && tries < 500; tries++) await sleep(5);
  assert.deepEqual(client.received, [...Array(20).keys()]);
  assert.equal(sink.buffered(), 0);
  client.isReading = false;
  client.unread = 1_000_000;
  sink.write(frame(20, 10));
  sink.write(frame(21, 10));
  sink.close('slow');
  assert.deepEqual(client.received.slice(20), [20]);
});

test('events for a client that is gone are dropped', async () => {
  const client = new Client();
  client.isReading = false;
  client.unread = 1_000_000;
  const watch = new AbortController();
  const sink = new PacedSink(client, watch.signal);
  sink.write(frame(0, 10));
  sink.write(frame(1, 10));
  watch.abort();
  await sleep(50);
  client.unread = 0;
  await sleep(50);
  assert.deepEqual(client.received, [0]);
});
