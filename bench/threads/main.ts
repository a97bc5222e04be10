// npm run bench:threads: the loads of the benchmark on servers that are held to one and to two processors.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { Cleanup } from '../cleanup.ts';
import { concurrentUpdates } from '../loads/fan-out.ts';
import { requireH2load } from '../loads/http2/h2load.ts';
import type { LoadGroup } from '../loads/load-group.ts';
import { loadGroups } from '../loads/load-groups.ts';
import { seed } from '../loads/seed.ts';
import { requireWrk } from '../loads/wrk.ts';
import { describeMachine } from '../machine/describe.ts';
import { churnNamespace, listNamespace, watchNamespace } from '../objects.ts';
import { readOptions } from '../options.ts';
import { Progress } from '../progress.ts';
import { formatNumber } from '../report/format.ts';
import { median } from '../report/statistics.ts';
import { asMarkdown, asText, cpuMicroseconds, type Table } from '../report/tables.ts';
import { type Row, type RowName, rowNames, rowsOf, type Sample } from '../rows.ts';
import { scaleOf } from '../scale.ts';
import { prepareSides } from '../sides/prepare.ts';
import type { Side } from '../sides/side.ts';
import { type Configuration, configurations, startHeld, titleOf } from './configurations.ts';

const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    only: { type: 'string', multiple: true, default: [] },
    rounds: { type: 'string', default: '2' },
    'orch-only': { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
  },
});

const measuredRows: readonly RowName[] = [
  ...(['get', 'list-page', 'create', 'update', 'fan-out'] as const),
  ...(['h2-get-16x8', 'h2-page-16x8', 'h2-create-16x8', 'h2-update-16x8', 'h2-fan-out'] as const),
  ...(['lease-renewals', 'pod-churn', 'watch-selectors', 'pages-while-writing'] as const),
];
const unknown = values.only.filter((name) => !rowNames.some((rowName) => rowName === name));
if (unknown.length > 0) {
  throw new Error(`unknown row ${unknown.join(', ')}; the rows are ${rowNames.join(', ')}`);
}
const rounds = Number(values.rounds);
const scale = scaleOf(readOptions(values.quick ? ['--quick'] : []));
const selected = rowsOf(scale).filter(({ name }) =>
  values.only.length === 0 ? measuredRows.includes(name) : values.only.includes(name),
);
const repository = resolve(import.meta.dirname, '../..');
const cleanup = new Cleanup();
const progress = new Progress();

type Samples = ReadonlyMap<RowName, readonly Sample[]>;

async function measureConfiguration(
  configuration: Configuration,
  side: Side,
  groups: readonly LoadGroup[],
): Promise<Samples> {
  await startHeld(configuration.cores, () => side.startEmpty());
  const samples = new Map<RowName, Sample[]>();
  try {
    await seed(side, listNamespace, scale.listObjects, progress);
    await seed(side, churnNamespace, 0, progress);
    await seed(side, watchNamespace, concurrentUpdates, progress);
    for (const group of groups) {
      await group.prepare?.(side, progress);
      await group.measure(side, scale.warmUpSeconds);
      for (let round = 1; round <= rounds; round++) {
        const measured = await group.measure(side, scale.seconds);
        for (const [i, name] of group.rows.entries()) {
          samples.set(name, [...(samples.get(name) ?? []), measured[i]!]);
        }
      }
      progress.step(`${titleOf(configuration)}: ${group.rows.join(', ')}`);
    }
  } finally {
    await side.stop();
  }
  return samples;
}

/** The rate of a row, and the CPU time of the server for each request. */
function cellOf(row: Row, samples: readonly Sample[]): string {
  if (samples.length === 0) return '–';
  const value = formatNumber(median(samples.map((sample) => sample.value)));
  const costs = samples.flatMap((sample) => cpuMicroseconds(row, sample, sample.serverCores) ?? []);
  return costs.length === 0 ? value : `${value} (${formatNumber(median(costs))} µs)`;
}

function tableOf(results: readonly (readonly [Configuration, Samples])[]): Table {
  return [
    ['', 'unit', ...results.map(([configuration]) => titleOf(configuration))],
    ...selected.map((row) => [
      row.title,
      row.unit,
      ...results.map(([, samples]) => cellOf(row, samples.get(row.name) ?? [])),
    ]),
  ];
}

function documentOf(table: Table, folder: string): string {
  const { processor, cores, kernel } = describeMachine(folder);
  return `# Serving threads and processors

\`npm run bench:threads -- --write\`, ${new Date().toISOString().slice(0, 10)}: ${processor}, ${cores} processors, Linux ${kernel}.

${asMarkdown(table)}

Each server runs alone, held to its processors with \`taskset\`; the load generators have the others, or share them where there are
none. In brackets: CPU time of the server per response or event, with its etcd. Medians of ${rounds} rounds of ${scale.seconds} s. The rows are
those of [latest.md](latest.md).
`;
}

async function main(): Promise<void> {
  requireWrk();
  requireH2load();
  const folder = mkdtempSync(join(tmpdir(), 'orch-bench-threads-'));
  cleanup.add(() => rmSync(folder, { recursive: true, force: true }));
  const results: [Configuration, Samples][] = [];
  for (const configuration of configurations) {
    const { side: key, threads } = configuration;
    if (key === 'reference' && values['orch-only']) continue;
    const ownFolder = join(folder, `server-${results.length}`);
    mkdirSync(ownFolder);
    const options = readOptions([
      `--${key}-only`,
      ...(threads === undefined ? [] : [`--orch-flag=--serving-threads=${threads}`]),
    ]);
    const [side] = await prepareSides(options, repository, ownFolder, cleanup, progress);
    const groups = loadGroups(scale, ownFolder).filter((group) =>
      group.rows.some((name) => selected.some((row) => row.name === name)),
    );
    results.push([configuration, await measureConfiguration(configuration, side!, groups)]);
  }
  const table = tableOf(results);
  console.log(`\n${asText(table)}`);
  if (values.write) {
    writeFileSync(join(repository, 'bench', 'results', 'threads.md'), documentOf(table, folder));
  }
}

cleanup.onSignals();
try {
  await main();
} catch (error) {
  if (!cleanup.interrupted) console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
} finally {
  await cleanup.run();
}
