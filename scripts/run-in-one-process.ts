// Runs test files one after the other in this process, and sends their events to the parent process.
import { resolve } from 'node:path';
import { run } from 'node:test';
import { convertEvent, type TestEvent } from './test-events.ts';

const send = (event: TestEvent) => process.send!(event);

const files = [resolve(import.meta.dirname, 'suite-per-file.ts')];
for await (const event of run({ files, isolation: 'none', timeout: 300_000 })) {
  const converted = convertEvent(event);
  if (converted) send(converted);
}
process.disconnect();
