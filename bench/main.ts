// npm run bench: compares Orch with kube-apiserver and etcd under the same load. See README.md.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Cleanup } from './cleanup.ts';
import { measureControllers } from './loads/controllers.ts';
import { measureFilters } from './loads/filters.ts';
import { requireH2load } from './loads/http2/h2load.ts';
import { loadGroups } from './loads/load-groups.ts';
import { requireWrk } from './loads/wrk.ts';
import { describeMachine } from './machine/describe.ts';
import { type Options, readOptions, usage } from './options.ts';
import { Progress } from './progress.ts';
import { publish } from './report/publish.ts';
import { type Row, rowNames, rowsOf } from './rows.ts';
import { Run } from './run.ts';
import { type Scale, scaleOf } from './scale.ts';
import { BareServer } from './sides/bare-side.ts';
import { prepareSides } from './sides/prepare.ts';
import type { Side } from './sides/side.ts';

const repository = resolve(import.meta.dirname, '..');

function selectRows(options: Options, scale: Scale): readonly Row[] {
  const unknown = options.only.filter((name) => !rowNames.some((rowName) => rowName === name));
  if (unknown.length > 0) {
    throw new Error(`unknown row ${unknown.join(', ')}; the rows are ${rowNames.join(', ')}`);
  }
  const rows = rowsOf(scale).filter((row) => options.storage === 'lmdb' || !isOrchOnly(row));
  return options.only.length === 0 ? rows : rows.filter((row) => options.only.includes(row.name));
}

/** Filters and controllers are measured on Orch only, with LMDB, for the rows with these prefixes. */
const orchOnlyMeasurements = [
  { prefix: 'get-', measure: measureFilters },
  { prefix: 'controllers-', measure: measureControllers },
] as const;

const isOrchOnly = (row: Row): boolean =>
  orchOnlyMeasurements.some(({ prefix }) => row.name.startsWith(prefix));
const isMeasured = (row: Row, side: Side): boolean => side.key === 'orch' || !isOrchOnly(row);

async function main(cleanup: Cleanup): Promise<void> {
  const options = readOptions(process.argv.slice(2));
  const scale = scaleOf(options);
  if (options.help) {
    console.log(
      `${usage}\n\n${rowsOf(scale)
        .map((row) => `  ${row.name.padEnd(22)} ${row.title}`)
        .join('\n')}`,
    );
    return;
  }
  const rows = selectRows(options, scale);
  const generator = `${requireWrk()} and ${requireH2load()}`;
  const progress = new Progress();
  const folder = mkdtempSync(join(tmpdir(), 'orch-bench-'));
  cleanup.add(() => rmSync(folder, { recursive: true, force: true }));
  const machine = describeMachine(folder);
  const sides = await prepareSides(options, repository, folder, cleanup, progress);
  const bareFolder = join(folder, 'bare');
  mkdirSync(bareFolder);
  const bare = await BareServer.prepare(bareFolder, scale.listObjects);
  cleanup.add(() => bare.stop());

  const run = new Run(sides, scale, rows, progress);
  await run.runAll(loadGroups(scale, folder), bare);
  const { results, failures } = run;
  for (const { prefix, measure } of orchOnlyMeasurements) {
    if (options.sides === 'reference' || !rows.some(({ name }) => name.startsWith(prefix))) continue;
    try {
      await measure(repository, folder, scale, { results, progress, cleanup });
    } catch (error) {
      // The results measured so far are still published.
      const failure = `${prefix}…: ${error instanceof Error ? error.message : error}`;
      run.failures.push(failure);
      progress.step(`FAILED: ${failure}`);
    }
  }
  const measured = { rows, results, failures, sides, options, scale, machine, generator };
  await publish(measured, join(import.meta.dirname, 'results'));
  const missing = rows.some((row) =>
    sides.some((side) => isMeasured(row, side) && results.of(row.name, side.key).length === 0),
  );
  if (missing) process.exitCode = 1;
}

const cleanup = new Cleanup();
cleanup.onSignals();
try {
  await main(cleanup);
} catch (error) {
  if (!cleanup.interrupted) console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
} finally {
  await cleanup.run();
}
