// Runs tests of one file by their names, in a process of its own.
import { spawn } from 'node:child_process';
import { once } from 'node:events';

export interface NamedTest {
  readonly file: string;
  readonly name: string;
}

/** `absent` if no test of that name reported a result, for instance because the file could not be loaded. */
type TestResult = 'passed' | 'failed' | 'absent';

export interface TestRun {
  readonly results: ReadonlyMap<string, TestResult>;
  /** The output of the process, to explain an unexpected result. */
  readonly output: string;
}

/** The timeouts of a test, and of the process beside its tests: it starts and stops servers too. */
const testTimeoutMs = 60_000;
const processTimeoutMs = 60_000;

export async function runNamedTests(
  folder: string,
  file: string,
  names: readonly string[],
): Promise<TestRun> {
  const child = spawn(
    process.execPath,
    [
      '--test-reporter=tap',
      `--test-timeout=${testTimeoutMs}`,
      // A test that fails may leave a server or a watch open.
      '--test-force-exit',
      ...names.map((name) => `--test-name-pattern=^${name.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')}$`),
      file,
    ],
    { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'], detached: true },
  );
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (bytes) => {
      output += String(bytes);
    });
  }
  let isOverdue = false;
  const patience = setTimeout(
    () => {
      isOverdue = true;
      process.kill(-child.pid!, 'SIGKILL');
    },
    processTimeoutMs + names.length * testTimeoutMs,
  );
  await once(child, 'close');
  clearTimeout(patience);
  const told = resultsIn(output);
  // A test that times out does not pass either.
  const otherwise = isOverdue ? 'failed' : 'absent';
  return { results: new Map(names.map((name) => [name, told.get(name) ?? otherwise])), output };
}

function resultsIn(tap: string): Map<string, TestResult> {
  const results = new Map<string, TestResult>();
  for (const line of tap.split('\n')) {
    const [, not, text] = /^ *(not )?ok \d+ - (.*)$/.exec(line) ?? [];
    if (text !== undefined) results.set(unescapeTap(text), not ? 'failed' : 'passed');
  }
  return results;
}

const unescapeTap = (text: string) => text.replace(/\\([\\#])/g, '$1');
