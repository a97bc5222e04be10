import assert from 'node:assert/strict';
import { test } from 'node:test';
import { configMap, tickOf } from '../objects.ts';
import { WatchStream } from './watch-stream.ts';

const head = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n';
const ticks: readonly (readonly [number, number])[] = [
  [1_234_567_890_123_456, 1],
  [1_234_567_890_123_457, 2],
  [42, 99_999_999],
];
const events = ticks
  .map(([at, sequence]) => `{"type":"MODIFIED","object":${configMap(7, tickOf(at, sequence))}}\n`)
  .join('');

/** The answer with its body in chunks of this size. */
function answer(chunkSize: number): Buffer {
  let body = '';
  for (let from = 0; from < events.length; from += chunkSize) {
    const chunk = events.slice(from, from + chunkSize);
    body += `${chunk.length.toString(16)}\r\n${chunk}\r\n`;
  }
  return Buffer.from(head + body);
}

function ticksOf(reads: readonly Buffer[]): { heads: string[]; found: [number, number][]; ends: number } {
  const heads: string[] = [];
  const found: [number, number][] = [];
  let ends = 0;
  const stream = new WatchStream({
    opened: (head) => heads.push(head),
    tick: (at, sequence) => found.push([at, sequence]),
    ended: () => ends++,
  });
  for (const read of reads) stream.push(read);
  return { heads, found, ends };
}

test('finds every tick once, wherever a read ends', () => {
  const bytes = answer(1200);
  for (let cut = 0; cut <= bytes.length; cut++) {
    const { heads, found } = ticksOf([bytes.subarray(0, cut), bytes.subarray(cut)]);
    assert.deepEqual(found, ticks, `cut at ${cut}`);
    assert.equal(heads.length, 1);
  }
});

test('finds every tick once, wherever a chunk ends', () => {
  for (let size = 1; size < 300; size++) {
    assert.deepEqual(ticksOf([answer(size)]).found, ticks, `chunks of ${size}`);
  }
});

test('finds every tick in a stream that arrives byte by byte', () => {
  const reads = Array.from(answer(100), (byte) => Buffer.of(byte));
  assert.deepEqual(ticksOf(reads).found, ticks);
});

test('only the last chunk ends the watch', () => {
  const bytes = answer(256);
  assert.equal(ticksOf([bytes]).ends, 0);
  assert.equal(ticksOf([bytes, Buffer.from('0\r\n\r\n')]).ends, 1);
});
