// Tests of audit the log backend.
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { MovableClock } from '../base/clock.ts';
import { LogFile, type LogFileOptions } from './log-file.ts';
import { RotatingFile } from './rotating-file.ts';

function open(path: string, options: Partial<LogFileOptions>) {
  const clock = new MovableClock();
  const lost: number[] = [];
  const onFailure = (error: unknown) => {
    throw error;
  };
  const limits = { maxBytes: 1e9, maxAgeDays: 0, maxBackups: 0, compress: false };
  const file = new RotatingFile({ path, ...limits, clock, onFailure });
  const settings = { mode: 'blocking' as const, maxWaitMs: 60_000, bufferSize: 10, clock };
  return {
    log: new LogFile(file, { ...settings, onLost: (events) => lost.push(events), ...options }),
    clock,
    lost,
  };
}

for (const mode of ['blocking', 'batch'] as const) {
  test(`${mode}: lines of any size arrive in order`, async (context) => {
    const folder = mkdtempSync(join(tmpdir(), 'orch-audit-'));
    context.after(() => rmSync(folder, { recursive: true }));
    const path = join(folder, 'audit.log');
    const { log, lost } = open(path, { mode, bufferSize: 10_000 });
    const lines = Array.from({ length: 3000 }, (_, i) => `${i} ${'é'.repeat(i % 700)}\n`);
    lines.splice(10, 0, `${'x'.repeat(300_000)}\n`);
    for (const line of lines) log.write(line, 1);
    await log.close();
    assert.deepEqual(lost, []);
    assert.equal(readFileSync(path, 'utf8'), lines.join(''));
  });
}

test('events are buffered and written together', async (context) => {
  const folder = mkdtempSync(join(tmpdir(), 'orch-audit-'));
  context.after(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'audit.log');
  const { log, clock } = open(path, { maxWaitMs: 5000 });
  log.write('a\n', 1);
  log.write('b\n', 1);
  assert.equal(readFileSync(path, 'utf8'), '');
  clock.advance(5000);
  assert.equal(readFileSync(path, 'utf8'), 'a\nb\n');
  log.write('c\n', 1);
  log.writeNow('d\n');
  assert.equal(readFileSync(path, 'utf8'), 'a\nb\nc\nd\n');
  await log.close();
});

test('mode batch drops events while the buffer is full', async (context) => {
  const folder = mkdtempSync(join(tmpdir(), 'orch-audit-'));
  context.after(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'audit.log');
  const { log, lost } = open(path, { mode: 'batch', bufferSize: 2 });
  for (const line of ['a\n', 'b\n', 'c\n']) log.write(line, 1);
  await log.close();
  assert.deepEqual(lost, [1]);
  assert.equal(readFileSync(path, 'utf8'), 'a\nb\n');
});

test('mode batch drops events while the buffer has too many bytes', async (context) => {
  const folder = mkdtempSync(join(tmpdir(), 'orch-audit-'));
  context.after(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'audit.log');
  const { log, lost } = open(path, { mode: 'batch', bufferSize: 10_000 });
  const line = `${'x'.repeat(999_999)}\n`;
  for (let i = 0; i < 40; i++) log.write(line, 1);
  // 16 MiB in total, before a turn of the event loop could write any.
  assert.equal(lost.length, 24);
  await log.close();
  assert.equal(readFileSync(path).length, 16_000_000);
});

test('events that cannot be written to a full disk are counted', {
  skip: process.platform !== 'linux',
}, async () => {
  for (const mode of ['blocking', 'batch'] as const) {
    const { log, lost } = open('/dev/full', { mode });
    log.write('a\n', 1);
    log.write('b\n', 1);
    await log.close();
    assert.deepEqual(lost, [2], mode);
  }
  const { log } = open('/dev/full', {});
  assert.throws(() => log.writeNow('a\n'), { code: 'ENOSPC' });
  await log.close();
});
