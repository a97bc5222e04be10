// The tables of the benchmark report.
import type { Results, Row, Sample } from '../rows.ts';
import { aimReached, formatAim, formatNumber, formatRatio, medianValue, ratioOf } from './format.ts';
import { median } from './statistics.ts';

/** Rows of cells. The first row is the heading; the first column is text, the others are numbers. */
export type Table = readonly (readonly string[])[];

export function ratioTable(rows: readonly Row[], results: Results): Table {
  const body = rows.map((row) => {
    const [orch, reference] = [results.of(row.name, 'orch'), results.of(row.name, 'reference')];
    const ratio = ratioOf(row, orch, reference);
    const reached = aimReached(row, orch, reference);
    return [
      row.title,
      row.unit,
      valueCell(orch),
      valueCell(reference),
      medianCell(orch, (sample) => cpuMicroseconds(row, sample, sample.serverCores)),
      medianCell(reference, (sample) => cpuMicroseconds(row, sample, sample.serverCores)),
      ratio === undefined ? '–' : formatRatio(ratio),
      formatAim(row),
      reached === undefined ? '' : reached ? 'yes' : 'no',
    ];
  });
  const heading = [
    '',
    'unit',
    'Orch',
    'kube-apiserver + etcd',
    'Orch CPU µs',
    'reference CPU µs',
    'better by',
  ];
  return [[...heading, 'aim', 'reached'], ...body];
}

function valueCell(samples: readonly Sample[]): string {
  return samples.length === 0 ? '–' : formatNumber(medianValue(samples));
}

/** The details of each median: spread, latency and CPU usage. */
export function detailTable(rows: readonly Row[], results: Results): Table {
  const body: string[][] = [];
  for (const row of rows) {
    for (const [key, title] of [
      ['orch', 'Orch'],
      ['reference', 'reference'],
      ['bare', 'bare Node'],
    ] as const) {
      const samples = results.of(row.name, key);
      if (samples.length === 0) continue;
      body.push([
        row.title,
        title,
        spread(samples),
        medianCell(samples, (sample) => sample.p50Milliseconds),
        medianCell(samples, (sample) => sample.p99Milliseconds),
        medianCell(samples, (sample) => sample.serverCores),
        medianCell(samples, (sample) => cpuMicroseconds(row, sample, sample.serverCores)),
        medianCell(samples, (sample) => cpuMicroseconds(row, sample, sample.etcdCores || undefined)),
        medianCell(samples, (sample) => sample.clientCores),
        medianCell(samples, (sample) => sample.otherCores),
        medianCell(samples, (sample) => sample.bytesPerResponse),
        medianCell(samples, (sample) => sample.failures),
      ]);
    }
  }
  const heading = [
    '',
    'side',
    'lowest – highest',
    'p50 ms',
    'p99 ms',
    'server cores',
    'CPU µs',
    'of that etcd',
    'client cores',
    'other cores',
    'bytes',
    'failed',
  ];
  return [heading, ...body];
}

/** CPU time per response or event. */
export function cpuMicroseconds(row: Row, { value }: Sample, cores: number | undefined): number | undefined {
  return cores === undefined || !row.unit.endsWith('/s') ? undefined : (cores * 1e6) / value;
}

function spread(samples: readonly Sample[]): string {
  const values = samples.map((sample) => sample.value);
  return `${formatNumber(Math.min(...values))} – ${formatNumber(Math.max(...values))}`;
}

function medianCell(samples: readonly Sample[], select: (sample: Sample) => number | undefined): string {
  const values = samples.map(select).filter((value) => value !== undefined);
  return values.length === 0 ? '' : formatNumber(median(values));
}

export function memoryTable(rows: readonly Row[], results: Results): Table {
  const body: string[][] = [];
  for (const row of rows) {
    const orch = results.of(row.name, 'orch')[0];
    const reference = results.of(row.name, 'reference')[0];
    if (orch?.anonymousMB === undefined && reference?.anonymousMB === undefined) continue;
    for (const [part, select] of [
      ['anonymous', (sample?: Sample) => sample?.anonymousMB],
      ['mapped files', (sample?: Sample) => sample?.mappedMB],
      ['together', (sample?: Sample) => sample?.value],
      ['of that etcd', (sample?: Sample) => sample?.etcdMB || undefined],
    ] as const) {
      const [orchValue, referenceValue] = [select(orch), select(reference)];
      body.push([
        row.title,
        part,
        orchValue === undefined ? '–' : formatNumber(orchValue),
        referenceValue === undefined ? '–' : formatNumber(referenceValue),
        orchValue === undefined || referenceValue === undefined
          ? '–'
          : formatRatio(referenceValue / orchValue),
      ]);
    }
  }
  return body.length === 0
    ? []
    : [['', 'pages', 'Orch MB', 'kube-apiserver + etcd MB', 'better by'], ...body];
}

export function asMarkdown(table: Table): string {
  const [heading, ...body] = table;
  if (!heading) return '';
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  const rule = `|${heading.map((_, column) => (column === 0 ? '---' : '--:')).join('|')}|`;
  return [line(heading), rule, ...body.map(line)].join('\n');
}

export function asText(table: Table): string {
  const widths = (table[0] ?? []).map((_, column) =>
    Math.max(...table.map((cells) => cells[column]!.length)),
  );
  return table
    .map((cells) =>
      cells.map((cell, i) => (i === 0 ? cell.padEnd(widths[i]!) : cell.padStart(widths[i]!))).join('  '),
    )
    .join('\n');
}
