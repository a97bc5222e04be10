// Runs test files, prints each result, and prints the totals at the end. Skipped tests do not count as passed.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { relative, resolve } from 'node:path';
import { run } from 'node:test';
import { convertEvent, type TestEvent } from './test-events.ts';
import { groupTestFiles } from './test-groups.ts';

export interface ExcludedTests {
  readonly name: RegExp;
  /** Printed at the end: the tests, and the reason for which they do not run. */
  readonly reason: string;
}

export interface TestRunOptions {
  readonly excluded?: readonly ExcludedTests[];
  /** Number of concurrent processes; by default the number of processors. */
  readonly concurrency?: number;
  /** Whether test files share processes (test-groups.ts). */
  readonly shareProcesses?: boolean;
}

interface TestCounts {
  readonly passed: number;
  readonly failed: number;
}

const root = resolve(import.meta.dirname, '..');
/** Timeouts of a shared process: for its tests, and for its exit after them. */
const runTimeoutMs = 30 * 60_000;
const exitTimeoutMs = 60_000;

/** Adds the results to `others`, which may run beside the unit tests, and sets the exit code. */
export async function runTestFiles(
  files: readonly string[],
  others: TestCounts | Promise<TestCounts>,
  { excluded = [], concurrency = availableParallelism(), shareProcesses = false }: TestRunOptions = {},
): Promise<void> {
  const reporter = new TestReporter(excluded);
  const { shared, isolated } = shareProcesses
    ? groupTestFiles(root, files, concurrency)
    : { shared: [], isolated: files };
  await Promise.all([
    Promise.resolve(others).then((counts) => reporter.add(counts)),
    ...shared.map((group) => runInOneProcess(group, reporter)),
  ]);
  for await (const event of run({
    files: [...isolated],
    concurrency,
    timeout: 300_000,
    testSkipPatterns: excluded.map(({ name }) => name),
  })) {
    const converted = convertEvent(event);
    if (converted) reporter.report(converted);
  }
  const failed = reporter.end();
  process.exitCode = failed === 0 && files.length > 0 ? 0 : 1;
}

async function runInOneProcess(files: readonly string[], reporter: TestReporter): Promise<void> {
  const startMs = Date.now();
  const counts = new Map(files.map((file) => [file, { passed: 0, failed: 0 }]));
  const child = fork(resolve(root, 'scripts/run-in-one-process.ts'), files);
  const title = `${files.length} files in one process`;
  reporter.report({ type: 'started', file: title });
  const fail = (error: string) => reporter.report({ type: 'failed', file: title, test: '', error });
  child.on('message', (event: TestEvent) => {
    reporter.report(event);
    if (event.type !== 'passed' && event.type !== 'failed') return;
    // A test that several files import is counted for the file that declares it.
    const count = counts.get(event.file) ?? { passed: 0, failed: 0 };
    counts.set(event.file, count);
    count[event.type]++;
  });
  const kill = () => child.kill('SIGKILL');
  let timeout = setTimeout(kill, runTimeoutMs);
  child.once('disconnect', () => {
    clearTimeout(timeout);
    timeout = setTimeout(kill, exitTimeoutMs);
  });
  const [code, signal] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null];
  clearTimeout(timeout);
  reporter.report({ type: 'finished', file: title });
  for (const [file, { passed, failed }] of counts) {
    reporter.report({ type: 'summary', file, passed, hasFailed: failed > 0 });
  }
  if (signal) fail(`the process was ended by ${signal}`);
  else if (code !== 0 && ![...counts.values()].some(({ failed }) => failed > 0))
    fail(`the process exited with code ${code}`);
  console.log(`  ${title}: ${formatSeconds(Date.now() - startMs)}`);
}

/** Counts and prints results. */
class TestReporter {
  #passed = 0;
  #failed = 0;
  readonly #skipped: string[];
  readonly #failures: string[] = [];
  readonly #running = new Map<string, number>();
  readonly #progressTimer: NodeJS.Timeout;

  constructor(excluded: readonly ExcludedTests[]) {
    this.#skipped = excluded.map(({ reason }) => reason);
    this.#progressTimer = setInterval(() => {
      for (const [file, startMs] of this.#running) {
        console.log(`… ${relativePath(file)} (running for ${Math.round((Date.now() - startMs) / 1000)} s)`);
      }
    }, 30_000).unref();
  }

  add({ passed, failed }: TestCounts): void {
    this.#passed += passed;
    this.#failed += failed;
  }

  report(event: TestEvent): void {
    switch (event.type) {
      case 'started':
        this.#running.set(event.file, Date.now());
        break;
      case 'finished':
        this.#running.delete(event.file);
        break;
      case 'passed':
        this.#passed += 1;
        break;
      case 'skipped':
        this.#skipped.push(`${relativePath(event.file)}: ${event.name}: ${event.reason}`);
        break;
      case 'failed': {
        this.#failed += 1;
        const failure = `✗ ${relativePath(event.file)}:${event.test}\n${indent(event.error)}`;
        this.#failures.push(failure);
        console.log(failure);
        break;
      }
      case 'summary':
        console.log(summaryLine(event));
        break;
      case 'output':
        process.stdout.write(event.text);
        break;
    }
  }

  /** Prints the totals and returns the number of failed tests. */
  end(): number {
    clearInterval(this.#progressTimer);
    // Failures are printed again, so that they need not be searched in the output.
    if (this.#failures.length > 0) console.log(`\nFAILED:\n${this.#failures.join('\n')}\n`);
    const skipped = this.#skipped;
    if (skipped.length > 0) console.log(`\nNOT RUN:\n${skipped.map((line) => `  ${line}`).join('\n')}\n`);
    const more = skipped.length > 0 ? `, ${skipped.length} skipped` : '';
    console.log(`${this.#passed} passed, ${this.#failed} failed${more}`);
    return this.#failed;
  }
}

const relativePath = (file: string) => (file.startsWith(root) ? relative(root, file) : file);

const formatSeconds = (milliseconds: number) => `${(milliseconds / 1000).toFixed(1)} s`;

function summaryLine({ file, passed, hasFailed, durationMs }: TestEvent & { type: 'summary' }): string {
  const duration = durationMs === undefined ? '' : `, ${formatSeconds(durationMs)}`;
  return `${hasFailed ? '✗' : '✓'} ${relativePath(file)} (${passed} passed${duration})`;
}

function indent(text: string): string {
  return text.replace(/^/gm, '    ');
}
