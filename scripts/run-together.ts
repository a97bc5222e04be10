// Runs test files one after the other in this process, and tells the one that began it what becomes of them.
import { run } from 'node:test';
import { pathToFileURL } from 'node:url';
import { inspect } from 'node:util';
import { readEvent, type TestEvent } from './test-events.ts';

const tell = (event: TestEvent) => process.send!(event);

const files = process.argv.slice(2);
for await (const event of run({ files, isolation: 'none', timeout: 300_000 })) {
  const told = readEvent(event);
  if (told) tell(told);
}
// The runner says nothing of a file that cannot be loaded; asking for it again does.
for (const file of files) {
  await import(pathToFileURL(file).href).catch((error: unknown) =>
    tell({ type: 'failed', file, what: ' it cannot be loaded', error: inspect(error) }),
  );
}
process.disconnect();
