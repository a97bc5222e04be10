// Runs test files one after the other in this process, and sends their events to the parent process.
import { run } from 'node:test';
import { pathToFileURL } from 'node:url';
import { inspect } from 'node:util';
import { convertEvent, type TestEvent } from './test-events.ts';

const send = (event: TestEvent) => process.send!(event);

const files = process.argv.slice(2);
for await (const event of run({ files, isolation: 'none', timeout: 300_000 })) {
  const converted = convertEvent(event);
  if (converted) send(converted);
}
// With `isolation: 'none'` the runner reports no event for a file that cannot be loaded; importing it again throws.
for (const file of files) {
  await import(pathToFileURL(file).href).catch((error: unknown) =>
    send({ type: 'failed', file, test: ' cannot be loaded', error: inspect(error) }),
  );
}
process.disconnect();
