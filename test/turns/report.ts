// Prints progress, the slowest turns, and the number of cases above the limit.
import { appendFileSync, writeFileSync } from 'node:fs';
import type { Result } from './result.ts';

const mostShown = 10;
/** Milliseconds between lines of progress. */
const progressMs = 15_000;

export class Report {
  readonly #limitMs: number;
  readonly #out: string | undefined;
  readonly #startMs = Date.now();
  #lastProgressMs = Date.now();
  #cases = 0;
  #slowest: Result[] = [];
  #over: Result[] = [];
  #unanswered = 0;

  /** `out`: a file that gets every result as a line of JSON. */
  constructor(limitMs: number, out: string | undefined) {
    this.#limitMs = limitMs;
    this.#out = out;
    if (out !== undefined) writeFileSync(out, '');
  }

  add(result: Result): void {
    this.#cases++;
    if (this.#out !== undefined) appendFileSync(this.#out, `${JSON.stringify(result)}\n`);
    this.#slowest = [...this.#slowest, result].sort((a, b) => b.ms - a.ms).slice(0, mostShown);
    if (result.ms > this.#limitMs) {
      this.#over.push(result);
      console.log(`✗ ${describe(result)}${result.profile && `\n    ${result.profile}`}`);
    }
    if (result.code === 0) {
      this.#unanswered++;
      console.log(`✗ no response: ${describe(result)}`);
    }
    const now = Date.now();
    if (now - this.#lastProgressMs < progressMs) return;
    this.#lastProgressMs = now;
    console.log(
      `… ${this.#cases} cases, ${this.#over.length} over, ${seconds(now - this.#startMs)}: ${result.resource}`,
    );
  }

  /** Prints the table. Returns the number of cases above the limit or without response. */
  end(): number {
    console.log(`\nThe slowest turns:\n${table(this.#slowest)}\n`);
    const over = this.#over.length;
    const unanswered = this.#unanswered > 0 ? `, ${this.#unanswered} without response` : '';
    console.log(
      `${this.#cases} cases in ${seconds(Date.now() - this.#startMs)}, ${over} over ${this.#limitMs} ms${unanswered}`,
    );
    return over + this.#unanswered;
  }
}

const seconds = (ms: number) => `${Math.round(ms / 1000)} s`;

function describe({ resource, verb, format, place, filling, bytes, code, ms, isLater }: Result): string {
  const when = isLater ? ' after the response' : '';
  return `${ms.toFixed(0)} ms${when}: ${verb} ${resource}, ${place} ${filling}, ${format}, ${bytes} bytes, ${code}`;
}

const columns: readonly (readonly [string, (result: Result) => string])[] = [
  ['resource', ({ resource }) => resource],
  ['filled field', ({ place, filling }) => `${place} (${filling})`],
  ['verb', ({ verb }) => verb],
  ['format', ({ format }) => format],
  ['bytes', ({ bytes }) => bytes.toLocaleString('en')],
  ['ms', ({ ms }) => ms.toFixed(1)],
];

/** A Markdown table. */
function table(results: readonly Result[]): string {
  const rows = [
    columns.map(([title]) => title),
    ...results.map((result) => columns.map(([, text]) => text(result))),
  ];
  const widths = columns.map((_, i) => Math.max(...rows.map((row) => row[i]!.length)));
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, i) => cell.padEnd(widths[i]!)).join(' | ')} |`;
  return [
    line(rows[0]!),
    `|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`,
    ...rows.slice(1).map(line),
  ].join('\n');
}
