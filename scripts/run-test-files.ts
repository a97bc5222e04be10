// Runs test files, says how it goes, and counts at the end: nothing that did not run counts as passed.
import { availableParallelism } from 'node:os';
import { relative } from 'node:path';
import { run } from 'node:test';
import { inspect } from 'node:util';

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
}

/** `before` counts what has passed and failed already. Sets the exit code. */
export async function runTestFiles(
  files: readonly string[],
  before: { readonly passed: number; readonly failed: number },
  { leftOut = [], atOnce = availableParallelism() }: HowToRun = {},
): Promise<void> {
  let { passed, failed } = before;
  const skipped = leftOut.map(({ why }) => why);
  const failures: string[] = [];
  const running = new Map<string, number>();

  const stillRunning = setInterval(() => {
    for (const [file, since] of running) {
      console.log(`… ${short(file)} (running for ${Math.round((Date.now() - since) / 1000)} s)`);
    }
  }, 30_000).unref();

  for await (const { type, data } of run({
    files: [...files],
    concurrency: atOnce,
    timeout: 300_000,
    testSkipPatterns: leftOut.map(({ name }) => name),
  })) {
    switch (type) {
      case 'test:dequeue':
        if (data.name === data.file) running.set(data.file, Date.now());
        break;
      case 'test:complete':
        if (data.name === data.file) running.delete(data.file);
        break;
      case 'test:pass': {
        const why = data.skip ?? data.todo;
        if (why !== undefined)
          skipped.push(`${short(data.file)}: ${data.name}: ${why === true ? 'no reason given' : why}`);
        else if (data.details.type !== 'suite') passed += 1;
        break;
      }
      case 'test:fail': {
        const { error } = data.details;
        // A suite that fails only because something in it did is not one more failure.
        if (data.details.type === 'suite' && 'failureType' in error && error.failureType === 'subtestsFailed')
          break;
        failed += 1;
        const what = `✗ ${short(data.file)}:${data.line} ${data.name}\n${indent(inspect(error.cause ?? error))}`;
        failures.push(what);
        console.log(what);
        break;
      }
      case 'test:summary':
        if (data.file !== undefined) console.log(fileLine(data.file, data.counts, data.duration_ms));
        break;
      case 'test:stdout':
      case 'test:stderr':
        process.stdout.write(data.message);
        break;
    }
  }
  clearInterval(stillRunning);

  // Again, where they are looked for first.
  if (failures.length > 0) console.log(`\nFAILED:\n${failures.join('\n')}\n`);
  if (skipped.length > 0) console.log(`\nNOT RUN:\n${skipped.map((line) => `  ${line}`).join('\n')}\n`);
  console.log(`${passed} passed, ${failed} failed${skipped.length > 0 ? `, ${skipped.length} skipped` : ''}`);
  process.exitCode = failed === 0 && files.length > 0 ? 0 : 1;
}

const short = (file = '') => relative(process.cwd(), file);

function fileLine(file: string, counts: { passed: number; failed: number }, milliseconds: number): string {
  const mark = counts.failed === 0 ? '✓' : '✗';
  return `${mark} ${short(file)} (${counts.passed} passed, ${(milliseconds / 1000).toFixed(1)} s)`;
}

function indent(text: string): string {
  return text.replace(/^/gm, '    ');
}
