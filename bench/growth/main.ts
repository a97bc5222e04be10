/** npm run bench:scale: the cost of requests on one LMDB file with a thousand to ten million objects. */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { Cleanup } from '../cleanup.ts';
import { describeMachine } from '../machine/describe.ts';
import { Progress } from '../progress.ts';
import { lineChart } from '../report/line-chart.ts';
import { Orch } from '../sides/orch.ts';
import { fill, type Measured, measureAt, type Subject } from './measure.ts';
import { plotLines, scaleDocument, scaleTable } from './report.ts';

const help = `npm run bench:scale -- [options]
  --max N      the largest number of objects, 1e3 to 1e7 (default 1e6)
  --data DIR   keep data and measurements there; the next run continues after the largest number that was measured
  --write      write bench/results/scale.md and scale.svg
`;
const { values: options } = parseArgs({
  options: {
    max: { type: 'string', default: '1e6' },
    data: { type: 'string' },
    write: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});
const repository = join(import.meta.dirname, '..', '..');
const sizes = [1e3, 1e4, 1e5, 1e6, 1e7].filter((size) => size <= Number(options.max));
const cleanup = new Cleanup();

/** The measurements of earlier runs in the same folder, by the number of objects. */
function readResults(file: string): Map<number, Measured> {
  if (!existsSync(file)) return new Map();
  return new Map(JSON.parse(readFileSync(file, 'utf8')) as [number, Measured][]);
}

async function measureSizes(folder: string, results: Map<number, Measured>, file: string): Promise<void> {
  const progress = new Progress();
  const side = await Orch.prepare(repository, folder);
  cleanup.add(() => side.stop());
  const subject: Subject = { repository, side, dataFolder: join(folder, 'data'), progress };
  let filled = Math.max(0, ...results.keys());
  await (filled === 0 ? side.startEmpty() : side.start());
  for (const size of sizes) {
    if (results.has(size)) continue;
    progress.step(`${size} objects`);
    const written = await fill(subject, filled, size);
    filled = size;
    results.set(size, { ...written, ...(await measureAt(subject, size)) });
    // After each size, so that an interrupted run can be continued.
    writeFileSync(file, JSON.stringify([...results]));
  }
  await side.stop();
}

async function main(): Promise<void> {
  const folder = options.data ? resolve(options.data) : mkdtempSync(join(tmpdir(), 'orch-bench-scale-'));
  mkdirSync(folder, { recursive: true });
  if (!options.data) cleanup.add(() => rmSync(folder, { recursive: true, force: true }));
  cleanup.onSignals();
  try {
    const file = join(folder, 'results.json');
    const results = readResults(file);
    await measureSizes(folder, results, file);
    console.log(scaleTable(results));
    if (!options.write) return;
    const date = new Date().toISOString().slice(0, 10);
    const machine = describeMachine(folder);
    const target = join(repository, 'bench', 'results');
    writeFileSync(join(target, 'scale.md'), scaleDocument(results, machine, date));
    const chart = lineChart(plotLines(results), {
      title: 'CPU time per request against the number of objects',
      subtitle: `ConfigMaps of 1 KB on LMDB, ${machine.cores} cores shared with the load generator, ${date}`,
      xTitle: 'objects',
      yTitle: 'µs',
    });
    writeFileSync(join(target, 'scale.svg'), chart);
  } finally {
    await cleanup.run();
  }
}

if (options.help) console.log(help);
else await main();
