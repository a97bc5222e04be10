// The Markdown document with the results of a benchmark run.
import type { Machine } from '../machine/describe.ts';
import type { Results, Row } from '../rows.ts';
import type { Scale } from '../scale.ts';
import { formatNumber } from './format.ts';
import { asMarkdown, detailTable, memoryTable, ratioTable } from './tables.ts';

export interface RunConditions {
  readonly title: string;
  readonly date: string;
  readonly command: string;
  readonly machine: Machine;
  readonly scale: Scale;
  readonly generator: string;
  /** The versions and then the command lines of each side. */
  readonly sides: readonly (readonly string[])[];
  readonly chartFile: string | undefined;
  readonly remarks: readonly string[];
}

export function resultsDocument(rows: readonly Row[], results: Results, conditions: RunConditions): string {
  const { machine, scale } = conditions;
  const memory = asMarkdown(memoryTable(rows, results));
  const parts = [
    `# ${conditions.title}`,
    ...conditions.remarks.map((remark) => `**${remark}**`),
    asMarkdown(ratioTable(rows, results)),
    '*Better by* is the ratio of Orch to the reference where more is better, and of the reference to Orch where less is better. Each number is the median of its rounds.',
    ...(conditions.chartFile === undefined ? [] : [`![The ratios as bars](${conditions.chartFile})`]),
    ...(memory === ''
      ? []
      : [
          '## Memory',
          memory,
          'The kernel can drop mapped pages, which belong to files (programs and databases), at any time, but not anonymous pages.',
        ]),
    '## Details',
    asMarkdown(detailTable(rows, results)),
    `Server and load generator share the processors. *Server cores* and *client cores* are CPU time divided by elapsed time: a client well below one core is not the bottleneck. *CPU µs* is the CPU time of the server per response or event, including its etcd. The bare server sends prebuilt bytes with \`node:https\` or \`node:http2\`; its rows are the limit of the client on this machine. *Other cores* is the CPU usage of all other processes${scale.attempts === 1 ? '' : `; a disturbed measurement was repeated up to ${scale.attempts} times, and the least disturbed one counts`}. *Bytes* is the size of one response.`,
    '## Method',
    rows.map((row) => `- **${row.title}**: ${row.method}`).join('\n'),
    [
      `Unless stated otherwise, an object is a ConfigMap with 1 KB of data and three labels; lists have ${scale.listObjects.toLocaleString('en-US')} objects, the rows of memory and start time ${scale.memoryObjects.toLocaleString('en-US')}.`,
      `Both sides run on the same machine at the same time, serve TLS with a bearer token (HTTP/1.1 unless a row says HTTP/2), and acknowledge a write when it is on disk. Sides alternate: ${scale.rounds} round${scale.rounds === 1 ? '' : 's'} of ${scale.seconds} s per side after a warm-up of ${scale.warmUpSeconds} s; the first side changes with every round.`,
      `Memory is read after ${scale.settleSeconds} s without load, from \`smaps_rollup\` of all processes of a side.`,
      'The reference writes no audit log, which is its default. Both sides maintain `managedFields`.',
    ].join('\n'),
    '## Environment',
    [
      `- Date: ${conditions.date}`,
      `- Command: \`${conditions.command}\``,
      `- Machine: ${machine.cores} × ${machine.processor}, ${formatNumber(machine.memoryGB)} GB, Linux ${machine.kernel}`,
      `- A write of 4 KB with fsync takes ${formatNumber(machine.fsyncMilliseconds)} ms${machine.dataInMemory ? ' (the data is on tmpfs and not durable)' : ''}`,
      `- Load generator: ${conditions.generator}, one thread; watchers and their writer: Node ${process.version}`,
      ...conditions.sides.map(([version, ...commands]) =>
        [`- ${version}`, ...commands.map((command) => `  - \`${command}\``)].join('\n'),
      ),
    ].join('\n'),
  ];
  return `${parts.join('\n\n')}\n`;
}
