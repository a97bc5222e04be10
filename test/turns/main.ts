// npm run test:turns: measures how long hostile requests block the event loop; see README.md. Needs an idle machine.
import { globSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { runTestFiles } from '../../scripts/run-test-files.ts';
import { MeasuredServer } from './measured-server.ts';
import { Report } from './report.ts';
import { limitMs, Runner } from './run.ts';
import { allSubjects } from './subjects.ts';

const { values: options } = parseArgs({
  options: {
    only: { type: 'string' },
    field: { type: 'string', default: '' },
    quick: { type: 'boolean', default: false },
    profile: { type: 'boolean', default: false },
    out: { type: 'string' },
  },
});

/** The tests of test/hardening that measure turns. Sets the exit code. */
async function runHandWritten(): Promise<void> {
  process.env.ORCH_MEASURE_EVENT_LOOP = 'yes';
  const files = globSync('test/hardening/{loop,many-kinds,large-objects,schemas}.test.ts');
  await runTestFiles(files.map((file) => resolve(file)).sort(), { passed: 0, failed: 0 }, { concurrency: 1 });
}

/** Resolves to the number of cases above the limit or without response. */
async function runGenerated(): Promise<number> {
  const report = new Report(limitMs, options.out);
  const server = await MeasuredServer.start();
  try {
    const runner = new Runner(server, {
      only: new RegExp(options.only ?? ''),
      field: new RegExp(options.field),
      isQuick: options.quick,
      profiles: options.profile,
      onResult: (result) => report.add(result),
    });
    await runner.prepare();
    for (const subject of allSubjects()) await runner.run(subject);
  } finally {
    await server.stop();
  }
  return report.end();
}

if (options.only === undefined) await runHandWritten();
if ((await runGenerated()) > 0) process.exitCode = 1;
