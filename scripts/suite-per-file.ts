// The test files of the command line, each in a suite of its own, so that its hooks run for its own tests only.
import { describe } from 'node:test';
import { pathToFileURL } from 'node:url';

for (const file of process.argv.slice(2)) {
  describe(file, async () => {
    await import(pathToFileURL(file).href);
  });
}
