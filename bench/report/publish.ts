// Writes the report of a benchmark run and prints its tables.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Machine } from '../machine/describe.ts';
import type { Options } from '../options.ts';
import type { Results, Row } from '../rows.ts';
import { quietCores } from '../run.ts';
import type { Scale } from '../scale.ts';
import type { Side } from '../sides/side.ts';
import { ratioChart } from './chart.ts';
import { resultsDocument } from './document.ts';
import { formatNumber } from './format.ts';
import { asText, memoryTable, ratioTable } from './tables.ts';

export interface BenchmarkRun {
  readonly rows: readonly Row[];
  readonly results: Results;
  readonly failures: readonly string[];
  readonly sides: readonly Side[];
  readonly options: Options;
  readonly scale: Scale;
  readonly machine: Machine;
  readonly generator: string;
}

/** Writes the document and the chart to the folder, and prints the tables. */
export async function publish(run: BenchmarkRun, folder: string): Promise<void> {
  const { rows, results, sides, options, machine } = run;
  const hasBothSides = sides.length === 2;
  // A partial run must not replace the results of a complete one.
  const isComplete =
    hasBothSides && !options.quick && options.only.length === 0 && options.orchFlags.length === 0;
  const name = !isComplete ? 'partial' : options.storage === 'etcd' ? 'latest-etcd' : 'latest';
  const date = new Date().toISOString().slice(0, 10);
  const disturbance = results.disturbance();
  const remarks = [
    ...(isComplete ? [] : ['A partial run: not for publishing.']),
    ...(hasBothSides ? [] : [`Only ${sides[0]?.title} was measured.`]),
    ...(disturbance < quietCores
      ? []
      : [`The machine was not idle: other processes used up to ${formatNumber(disturbance)} cores.`]),
    ...run.failures.map((failure) => `An attempt failed: ${failure}`),
  ];
  const document = resultsDocument(rows, results, {
    ...run,
    title: `${sides.find(({ key }) => key === 'orch')?.title ?? 'Orch'} beside kube-apiserver + etcd`,
    date,
    command: ['npm run bench', ...(process.argv.length > 2 ? ['--', ...process.argv.slice(2)] : [])].join(
      ' ',
    ),
    sides: await Promise.all(sides.map((side) => side.describe())),
    chartFile: hasBothSides ? `${name}.svg` : undefined,
    remarks,
  });
  writeFileSync(join(folder, `${name}.md`), document);
  if (hasBothSides) {
    const subtitle = `${machine.cores} cores shared with the load generator, TLS, bearer token, durable writes, ${date}`;
    writeFileSync(join(folder, `${name}.svg`), ratioChart(rows, results, subtitle));
  }
  for (const remark of remarks) console.log(`\n${remark}`);
  console.log(`\n${asText(ratioTable(rows, results))}`);
  const memory = memoryTable(rows, results);
  if (memory.length > 0) console.log(`\n${asText(memory)}`);
  console.log(`\nwritten: bench/results/${name}.md`);
}
