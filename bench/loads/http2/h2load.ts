// Runs the HTTP/2 load generator h2load (nghttp2) and reads its summary.
import { execFileSync, spawn } from 'node:child_process';
import { cpuSeconds } from '../../machine/process-tree.ts';
import { measureUsage, type Usage } from '../../machine/usage.ts';
import { http2PortOf, type Side } from '../../sides/side.ts';
import { requireProgram } from '../require-program.ts';

/** Returns the version of h2load. Installs it with apt-get if it is missing and the user is root. */
export const requireH2load = (): string =>
  requireProgram('h2load', 'nghttp2-client', () =>
    execFileSync('h2load', ['--version'], { stdio: ['ignore', 'pipe', 'ignore'] })
      .toString()
      .trim(),
  );

export interface H2loadLoad {
  readonly connections: number;
  /** Concurrent requests of each connection. */
  readonly streams: number;
  readonly seconds: number;
  /** One path that is requested repeatedly, or a file with one URL per line, which are requested in order. */
  readonly target: { readonly path: string } | { readonly urlFile: string };
}

export interface H2loadResult extends Usage {
  readonly perSecond: number;
  readonly bytesPerSecond: number;
  readonly failures: number;
}

export async function runH2load(side: Side, load: H2loadLoad): Promise<H2loadResult> {
  const { target } = load;
  const args = [
    ...['-t', '1', '-c', String(load.connections), '-m', String(load.streams), '-D', String(load.seconds)],
    // The flow control windows of Go's client: 4 MB per stream, 1 GB per connection.
    ...['-w', '22', '-W', '30'],
    ...['-H', `authorization: Bearer ${side.token}`, '-H', 'accept: application/json'],
    ...('path' in target ? [`https://127.0.0.1:${http2PortOf(side)}${target.path}`] : ['-i', target.urlFile]),
  ];
  for (let attempt = 1; ; attempt++) {
    let generatorSeconds = 0;
    const usage = measureUsage(side, () => generatorSeconds);
    const output = await run(args, load.seconds, (seconds) => {
      generatorSeconds = seconds;
    });
    const cpuUsage = usage();
    if (output !== undefined) return { ...cpuUsage, ...readSummary(output) };
    if (attempt === maxAttempts) throw new Error('h2load did not end in time');
  }
}

/** h2load 1.52 sometimes does not end after its load on a busy machine: it is killed, and the load repeated. */
const maxAttempts = 3;
const maxEndSeconds = 10;

/** h2load ends a load with responses in flight: they are neither done nor failed. */
function readSummary(output: string): Omit<H2loadResult, keyof Usage> {
  const numberIn = (pattern: RegExp): number => {
    const text = pattern.exec(output)?.[1];
    if (text === undefined) throw new Error(`h2load printed no summary: ${output.slice(0, 500)}`);
    return Number(text);
  };
  const amount = numberIn(/^finished in ([\d.]+)(?:s|ms|us)/m);
  const scale = /^finished in [\d.]+ms/m.test(output)
    ? 1e-3
    : /^finished in [\d.]+us/m.test(output)
      ? 1e-6
      : 1;
  const seconds = amount * scale;
  const bad = numberIn(/^status codes: .* (\d+) 4xx/m) + numberIn(/^status codes: .* (\d+) 5xx/m);
  const succeeded = numberIn(/^requests: .* (\d+) succeeded/m);
  return {
    perSecond: succeeded / seconds,
    bytesPerSecond: numberIn(/^traffic: .*\((\d+)\) data/m) / seconds,
    failures: bad + numberIn(/^requests: .* (\d+) errored/m) + numberIn(/^requests: .* (\d+) timeout/m),
  };
}

/** Resolves with the output, or with undefined if it had to be killed. */
function run(
  args: readonly string[],
  loadSeconds: number,
  usedSeconds: (seconds: number) => void,
): Promise<string | undefined> {
  return new Promise((resolve, reject) => {
    const child = spawn('h2load', args, { stdio: ['ignore', 'pipe', 'pipe'] });
    const killOnExit = (): boolean => child.kill('SIGKILL');
    process.once('exit', killOnExit);
    let output = '';
    // The CPU time of a process can only be read while it runs.
    const cpuTimer = setInterval(() => {
      const seconds = child.pid === undefined ? 0 : cpuSeconds([child.pid]);
      if (seconds > 0) usedSeconds(seconds);
    }, 100);
    let isKilled = false;
    const endTimer = setTimeout(
      () => {
        isKilled = child.kill('SIGKILL');
      },
      (loadSeconds + maxEndSeconds) * 1000,
    );
    const append = (chunk: Buffer) => {
      output += chunk.toString();
    };
    child.stdout.on('data', append);
    child.stderr.on('data', append);
    child.once('error', reject);
    child.once('close', (code) => {
      clearInterval(cpuTimer);
      clearTimeout(endTimer);
      process.removeListener('exit', killOnExit);
      if (isKilled) resolve(undefined);
      else if (code === 0) resolve(output);
      else reject(new Error(`h2load exited with code ${code}: ${output.slice(-500)}`));
    });
  });
}
