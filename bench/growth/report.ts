// The report of the scale benchmark: a table with a column per number of objects, and the plot's lines.
import type { Machine } from '../machine/describe.ts';
import { formatNumber } from '../report/format.ts';
import type { Line } from '../report/line-chart.ts';
import type { Measured } from './measure.ts';
import { scaleRows } from './rows.ts';

/** The measurements by the number of objects, ascending. */
export type ScaleResults = ReadonlyMap<number, Measured>;

export function scaleTable(results: ScaleResults): string {
  const sizes = [...results.keys()];
  const cells = (values: readonly string[]) => `| ${values.join(' | ')} |`;
  return [
    cells(['objects', ...sizes.map((size) => size.toLocaleString('en-US'))]),
    cells(['---', ...sizes.map(() => '--:')]),
    ...scaleRows.map(({ name, title, unit }) =>
      cells([`${title}, ${unit}`, ...sizes.map((size) => format(results.get(size)?.[name]))]),
    ),
  ].join('\n');
}

export function plotLines(results: ScaleResults): Line[] {
  return scaleRows
    .filter(({ isPlotted }) => isPlotted)
    .map(({ name }) => ({
      title: name,
      points: [...results].flatMap(([size, measured]) => {
        const y = measured[name];
        return y === undefined ? [] : [{ x: size, y }];
      }),
    }));
}

export function scaleDocument(results: ScaleResults, machine: Machine, date: string): string {
  const { processor, cores, memoryGB, kernel } = machine;
  return `# Cost against the number of objects

\`npm run bench:scale -- --write\`, ${date}: ConfigMaps of 1 KB in one LMDB file. ${processor}, ${cores} processors, ${formatNumber(memoryGB)} GB,
Linux ${kernel}.

![CPU time per request against the number of objects](scale.svg)

${scaleTable(results)}

Server and load generator share the machine, so that CPU times are steadier than rates. A list by label selects 10 objects. Its first
request reads all objects, and the server then builds an index of the label.
`;
}

const format = (value: number | undefined): string => (value === undefined ? '' : formatNumber(value));
