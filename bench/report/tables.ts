import type { Results, Row, Sample } from '../rows.ts';
import { aimReached, formatAim, formatNumber, formatRatio, middle, ratioOf } from './format.ts';
import { median } from './statistics.ts';

/** Cells, the first line being the heading; the first column is text and the others are numbers. */
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
      ratio === undefined ? '–' : formatRatio(ratio),
      formatAim(row),
      reached === undefined ? '' : reached ? 'yes' : 'no',
    ];
  });
  return [['', 'unit', 'Orch', 'kube-apiserver + etcd', 'better by', 'aim', 'reached'], ...body];
}

function valueCell(samples: readonly Sample[]): string {
  return samples.length === 0 ? '–' : formatNumber(middle(samples));
}

/** What stands behind the medians: spread, latency, and who used the processors. */
export function detailTable(rows: readonly Row[], results: Results): Table {
  const body: string[][] = [];
  for (const row of rows) {
    for (const [key, title] of [
      ['orch', 'Orch'],
      ['reference', 'reference'],
      ['bare', 'bare node:https'],
    ] as const) {
      const samples = results.of(row.name, key);
      if (samples.length === 0) continue;
      body.push([
        row.title,
        title,
        spread(samples),
        middleOf(samples, (sample) => sample.p50Milliseconds),
        middleOf(samples, (sample) => sample.p99Milliseconds),
        middleOf(samples, (sample) => sample.serverCores),
        middleOf(samples, (sample) => microseconds(row, sample, sample.serverCores)),
        middleOf(samples, (sample) => microseconds(row, sample, sample.etcdCores || undefined)),
        middleOf(samples, (sample) => sample.clientCores),
        middleOf(samples, (sample) => sample.otherCores),
        middleOf(samples, (sample) => sample.bytesPerAnswer),
        middleOf(samples, (sample) => sample.failures),
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

/** Processor time for one answer or event. */
function microseconds(row: Row, { value }: Sample, cores: number | undefined): number | undefined {
  return cores === undefined || !row.unit.endsWith('/s') ? undefined : (cores * 1e6) / value;
}

function spread(samples: readonly Sample[]): string {
  const values = samples.map((sample) => sample.value);
  return `${formatNumber(Math.min(...values))} – ${formatNumber(Math.max(...values))}`;
}

function middleOf(samples: readonly Sample[], pick: (sample: Sample) => number | undefined): string {
  const values = samples.map(pick).filter((value) => value !== undefined);
  return values.length === 0 ? '' : formatNumber(median(values));
}

export function memoryTable(rows: readonly Row[], results: Results): Table {
  const body: string[][] = [];
  for (const row of rows) {
    const orch = results.of(row.name, 'orch')[0];
    const reference = results.of(row.name, 'reference')[0];
    if (orch?.anonymousMB === undefined && reference?.anonymousMB === undefined) continue;
    for (const [part, pick] of [
      ['anonymous', (sample?: Sample) => sample?.anonymousMB],
      ['mapped files', (sample?: Sample) => sample?.mappedMB],
      ['together', (sample?: Sample) => sample?.value],
      ['of that etcd', (sample?: Sample) => sample?.etcdMB || undefined],
    ] as const) {
      const [ours, theirs] = [pick(orch), pick(reference)];
      body.push([
        row.title,
        part,
        ours === undefined ? '–' : formatNumber(ours),
        theirs === undefined ? '–' : formatNumber(theirs),
        ours === undefined || theirs === undefined ? '–' : formatRatio(theirs / ours),
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
