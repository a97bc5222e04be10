import assert from 'node:assert/strict';
import { test } from 'node:test';
import { configMap, tickOf } from '../objects.ts';
import { scanTicks } from './tick-scanner.ts';

function chunkOf(microseconds: number, sequence: number): Buffer {
  const event = `{"type":"MODIFIED","object":${configMap(7, tickOf(microseconds, sequence))}}\n`;
  return Buffer.from(`${event.length.toString(16)}\r\n${event}\r\n`);
}

test('scanTicks finds every tick exactly once wherever the stream is cut', () => {
  const expected = [
    [1_234_567_890_123_456, 1],
    [1_234_567_890_123_457, 2],
    [42, 99_999_999],
  ] as const;
  const stream = Buffer.concat(expected.map(([at, sequence]) => chunkOf(at, sequence)));
  for (let cut = 0; cut <= stream.length; cut++) {
    const found: [number, number][] = [];
    const keep = (at: number, sequence: number): void => void found.push([at, sequence]);
    const carry = scanTicks(stream.subarray(0, cut), undefined, keep);
    scanTicks(stream.subarray(cut), carry, keep);
    assert.deepEqual(found, expected, `cut at ${cut}`);
  }
});

test('scanTicks finds ticks in a stream that comes byte by byte', () => {
  const stream = Buffer.concat([chunkOf(5, 6), chunkOf(7, 8)]);
  const found: number[] = [];
  let carry: Buffer | undefined;
  for (const byte of stream) carry = scanTicks(Buffer.of(byte), carry, (_, sequence) => found.push(sequence));
  assert.deepEqual(found, [6, 8]);
});
