// npm run test:turns: what hostile requests cost in one turn of the event loop, on a machine that has nothing else to do.
import { globSync } from 'node:fs';
import { resolve } from 'node:path';
import { runTestFiles } from './run-test-files.ts';

process.env.ORCH_MEASURE_TURNS = 'yes';
const files = globSync('test/hardening/{loop,many-kinds,large-objects,schemas}.test.ts').map((file) =>
  resolve(file),
);
await runTestFiles(files.sort(), { passed: 0, failed: 0 }, { atOnce: 1 });
