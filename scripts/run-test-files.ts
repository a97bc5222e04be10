// Runs test files, says how it goes, and counts at the end: nothing that did not run counts as passed.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { relative, resolve } from 'node:path';
import { run } from 'node:test';
import { readEvent, type TestEvent } from './test-events.ts';
import { grouped } from './test-groups.ts';

/** Tests that are not to run. */
export interface LeftOut {
  readonly name: RegExp;
  /** Which they are, and why they are left out. */
  readonly why: string;
}

export interface HowToRun {
  readonly leftOut?: readonly LeftOut[];
  /** So many files; by default as many as there are processors. */
  readonly atOnce?: number;
  /** Whether files may share a process, where they are of those that can. */
  readonly isShared?: boolean;
}

const root = resolve(import.meta.dirname, '..');
/** How long the tests that share a process may take, and it to end once they are over. */
const longestRun = 15 * 60_000;
const longestEnd = 60_000;

/** `before` counts what has passed and failed already. Sets the exit code. */
export async function runTestFiles(
  files: readonly string[],
  before: { readonly passed: number; readonly failed: number },
  { leftOut = [], atOnce = availableParallelism(), isShared = false }: HowToRun = {},
): Promise<void> {
  const tally = new Tally(before, leftOut);
  const { together, apart } = isShared ? grouped(root, files, atOnce) : { together: [], apart: files };
  await Promise.all(together.map((group) => runTogether(group, tally)));
  for await (const event of run({
    files: [...apart],
    concurrency: atOnce,
    timeout: 300_000,
    testSkipPatterns: leftOut.map(({ name }) => name),
  })) {
    const told = readEvent(event);
    if (told) tally.take(told);
  }
  const failed = tally.end();
  process.exitCode = failed === 0 && files.length > 0 ? 0 : 1;
}

async function runTogether(files: readonly string[], tally: Tally): Promise<void> {
  const began = Date.now();
  const counts = new Map(files.map((file) => [file, { passed: 0, failed: 0 }]));
  const child = fork(resolve(root, 'scripts/run-together.ts'), files);
  const what = `${files.length} files in one process`;
  tally.take({ type: 'begun', file: what });
  const fail = (error: string) => tally.take({ type: 'failed', file: what, what: '', error });
  child.on('message', (told: TestEvent) => {
    tally.take(told);
    if (told.type !== 'passed' && told.type !== 'failed') return;
    // Tests that several files have in common are those of the file where they stand.
    const count = counts.get(told.file) ?? { passed: 0, failed: 0 };
    counts.set(told.file, count);
    count[told.type]++;
  });
  const end = () => child.kill('SIGKILL');
  let patience = setTimeout(end, longestRun);
  child.once('disconnect', () => {
    clearTimeout(patience);
    patience = setTimeout(end, longestEnd);
  });
  const [code, signal] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null];
  clearTimeout(patience);
  tally.take({ type: 'over', file: what });
  for (const [file, { passed, failed }] of counts) {
    tally.take({ type: 'counted', file, passed, hasFailed: failed > 0 });
  }
  if (signal) fail(`it did not end by itself: ${signal}`);
  else if (code !== 0 && ![...counts.values()].some(({ failed }) => failed > 0))
    fail(`it ended with ${code}`);
  console.log(`  ${what}: ${seconds(Date.now() - began)}`);
}

/** Counts, and says what it hears. */
class Tally {
  #passed: number;
  #failed: number;
  readonly #skipped: string[];
  readonly #failures: string[] = [];
  readonly #running = new Map<string, number>();
  readonly #stillRunning: NodeJS.Timeout;

  constructor(before: { readonly passed: number; readonly failed: number }, leftOut: readonly LeftOut[]) {
    this.#passed = before.passed;
    this.#failed = before.failed;
    this.#skipped = leftOut.map(({ why }) => why);
    this.#stillRunning = setInterval(() => {
      for (const [file, since] of this.#running) {
        console.log(`… ${short(file)} (running for ${Math.round((Date.now() - since) / 1000)} s)`);
      }
    }, 30_000).unref();
  }

  take(event: TestEvent): void {
    switch (event.type) {
      case 'begun':
        this.#running.set(event.file, Date.now());
        break;
      case 'over':
        this.#running.delete(event.file);
        break;
      case 'passed':
        this.#passed += 1;
        break;
      case 'skipped':
        this.#skipped.push(`${short(event.file)}: ${event.name}: ${event.why}`);
        break;
      case 'failed': {
        this.#failed += 1;
        const what = `✗ ${short(event.file)}:${event.what}\n${indent(event.error)}`;
        this.#failures.push(what);
        console.log(what);
        break;
      }
      case 'counted':
        console.log(fileLine(event));
        break;
      case 'said':
        process.stdout.write(event.text);
        break;
    }
  }

  /** How many have failed. */
  end(): number {
    clearInterval(this.#stillRunning);
    // Again, where they are looked for first.
    if (this.#failures.length > 0) console.log(`\nFAILED:\n${this.#failures.join('\n')}\n`);
    const skipped = this.#skipped;
    if (skipped.length > 0) console.log(`\nNOT RUN:\n${skipped.map((line) => `  ${line}`).join('\n')}\n`);
    const more = skipped.length > 0 ? `, ${skipped.length} skipped` : '';
    console.log(`${this.#passed} passed, ${this.#failed} failed${more}`);
    return this.#failed;
  }
}

const short = (file: string) => (file.startsWith(root) ? relative(root, file) : file);

const seconds = (milliseconds: number) => `${(milliseconds / 1000).toFixed(1)} s`;

function fileLine({ file, passed, hasFailed, milliseconds }: TestEvent & { type: 'counted' }): string {
  const took = milliseconds === undefined ? '' : `, ${seconds(milliseconds)}`;
  return `${hasFailed ? '✗' : '✓'} ${short(file)} (${passed} passed${took})`;
}

function indent(text: string): string {
  return text.replace(/^/gm, '    ');
}
