import type { Machine } from '../machine/describe.ts';
import type { Results, Row } from '../rows.ts';
import type { Scale } from '../scale.ts';
import { formatNumber } from './format.ts';
import { asMarkdown, detailTable, memoryTable, ratioTable } from './tables.ts';

export interface Circumstances {
  readonly title: string;
  readonly date: string;
  readonly command: string;
  readonly machine: Machine;
  readonly scale: Scale;
  readonly generator: string;
  /** For each side: versions first, then command lines. */
  readonly sides: readonly (readonly string[])[];
  readonly chartFile: string | undefined;
  readonly remarks: readonly string[];
}

export function resultsDocument(rows: readonly Row[], results: Results, about: Circumstances): string {
  const { machine, scale } = about;
  const memory = asMarkdown(memoryTable(rows, results));
  const parts = [
    `# ${about.title}`,
    ...about.remarks.map((remark) => `**${remark}**`),
    asMarkdown(ratioTable(rows, results)),
    '*Better by* is how many times more of what there should be more of, or less of what there should be less of. Each number is the median of its rounds.',
    ...(about.chartFile === undefined ? [] : [`![The ratios as bars](${about.chartFile})`]),
    ...(memory === ''
      ? []
      : [
          '## Memory',
          memory,
          'Mapped pages belong to files (programs and databases) and can be dropped by the kernel at any time; anonymous pages cannot.',
        ]),
    '## Behind the medians',
    asMarkdown(detailTable(rows, results)),
    `Server and load generator share the processors. *Server cores* and *client cores* are processor time over elapsed time: where the client stays well below one core it did not hold the server back. *CPU µs* is the server's processor time for one answer or event, its etcd's included. The bare server answers ready-made bytes from \`node:https\`; its lines show what the client could take on this machine. *Other cores* is everything else that ran${scale.attempts === 1 ? '' : `; a measurement it disturbed was taken up to ${scale.attempts} times, and the least disturbed one counts`}. *Bytes* is one answer.`,
    '## How each number was taken',
    rows.map((row) => `- **${row.title}**: ${row.how}`).join('\n'),
    [
      `Where nothing else is said, an object is a ConfigMap with 1 KB of data and three labels; the lists have ${scale.listObjects.toLocaleString('en-US')} of them, memory and full start-up ${scale.memoryObjects.toLocaleString('en-US')}.`,
      `Both sides run on the same machine at the same time, are asked over HTTP/1.1 and TLS with a bearer token, and answer a write when it is on disk. Sides alternate: ${scale.rounds} round${scale.rounds === 1 ? '' : 's'} of ${scale.seconds} s per side after ${scale.warmUpSeconds} s that do not count, the other side first in every other round.`,
      `Memory is read after ${scale.settleSeconds} s of rest, from \`smaps_rollup\` of all processes of a side.`,
      'The reference keeps no audit log, as is its default. Both record who owns which field (`managedFields`) in every object.',
    ].join('\n'),
    '## Where and with what',
    [
      `- Date: ${about.date}`,
      `- Command: \`${about.command}\``,
      `- Machine: ${machine.cores} × ${machine.processor}, ${formatNumber(machine.memoryGB)} GB, Linux ${machine.kernel}`,
      `- A 4 KB write flushed to disk takes ${formatNumber(machine.flushMilliseconds)} ms${machine.dataInMemory ? ' (the data is on a memory file system: nothing here is durable)' : ''}`,
      `- Load generator: ${about.generator}, one thread; watchers and their writer: Node ${process.version}`,
      ...about.sides.map(([version, ...commands]) =>
        [`- ${version}`, ...commands.map((command) => `  - \`${command}\``)].join('\n'),
      ),
    ].join('\n'),
  ];
  return `${parts.join('\n\n')}\n`;
}
