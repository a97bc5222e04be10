// npm run test:turns: measures how long hostile requests block the event loop. Needs an idle machine.
import { globSync } from 'node:fs';
import { resolve } from 'node:path';
import { runTestFiles } from './run-test-files.ts';

process.env.ORCH_MEASURE_EVENT_LOOP = 'yes';
const files = globSync('test/hardening/{loop,many-kinds,large-objects,schemas}.test.ts').map((file) =>
  resolve(file),
);
await runTestFiles(files.sort(), { passed: 0, failed: 0 }, { concurrency: 1 });
