// Runs the load generator wrk and reads its summary.
import { execFileSync, spawn } from 'node:child_process';
import { join } from 'node:path';
import { cpuSeconds } from '../machine/process-tree.ts';
import { measureUsage, type Usage } from '../machine/usage.ts';
import { loadUrlOf, type Side } from '../sides/side.ts';
import { requireProgram } from './require-program.ts';

const scripts = join(import.meta.dirname, 'lua');

/** Returns the version of wrk. Installs it with apt-get if it is missing and the user is root. */
export const requireWrk = (): string => requireProgram('wrk', 'wrk', wrkVersion);

function wrkVersion(): string | undefined {
  try {
    execFileSync('wrk', ['-v'], { stdio: ['ignore', 'pipe', 'ignore'] });
    return undefined;
  } catch (error) {
    // wrk -v prints its version and exits with code 1.
    const output = (error as { stdout?: Buffer }).stdout?.toString() ?? '';
    return /^wrk \S+/.exec(output)?.[0];
  }
}

/** A load with one request per object name, in order (walk.lua). */
export interface ObjectWalk {
  readonly method: string;
  readonly path: string;
  readonly bodyFile?: string;
  /** Default: application/json. */
  readonly contentType?: string;
  readonly count: number;
  readonly once?: boolean;
}

export interface Load {
  readonly connections: number;
  readonly seconds: number;
  /** One path that is requested repeatedly, or a walk over object names. */
  readonly target: string | ObjectWalk;
  /** Default: JSON. */
  readonly accept?: string | undefined;
  /** Default: the admin's token; none for plain HTTP. */
  readonly token?: string | undefined;
}

export interface LoadResult extends Usage {
  readonly perSecond: number;
  readonly bytesPerSecond: number;
  readonly bytesPerRequest: number;
  /** Responses with status 400 and above, and socket errors. */
  readonly failures: number;
  readonly p50Milliseconds: number;
  readonly p99Milliseconds: number;
  /** The number of requests of a walk that were sent. */
  readonly issued: number;
}

interface WrkSummary {
  requests: number;
  microseconds: number;
  bytes: number;
  errorStatuses: number;
  socketErrors: number;
  p50: number;
  p99: number;
  issued: number;
}

export async function runLoad(side: Side, load: Load): Promise<LoadResult> {
  const { target } = load;
  const walk = typeof target === 'string' ? undefined : target;
  const token = load.token ?? (side.httpPort === undefined ? side.token : undefined);
  const args = [
    ...['-t', '1', '-c', String(load.connections), '-d', `${load.seconds}s`, '--timeout', '60s'],
    ...(token === undefined ? [] : ['-H', `Authorization: Bearer ${token}`]),
    ...(load.accept === undefined ? [] : ['-H', `Accept: ${load.accept}`]),
    ...['-s', join(scripts, walk ? 'walk.lua' : 'report.lua')],
    typeof target === 'string' ? loadUrlOf(side) + target : loadUrlOf(side),
    ...(walk ? ['--', walk.method, walk.path, walk.bodyFile ?? '-', String(walk.count)] : []),
    ...(walk ? [walk.once ? 'once' : 'again', walk.contentType ?? 'application/json'] : []),
  ];
  let generatorSeconds = 0;
  const usage = measureUsage(side, () => generatorSeconds);
  const summary = await runWrk(args, (seconds) => {
    generatorSeconds = seconds;
  });
  const seconds = summary.microseconds / 1e6;
  return {
    ...usage(),
    perSecond: (summary.requests - summary.errorStatuses) / seconds,
    bytesPerSecond: summary.bytes / seconds,
    bytesPerRequest: summary.bytes / Math.max(1, summary.requests),
    failures: summary.errorStatuses + summary.socketErrors,
    p50Milliseconds: summary.p50 / 1000,
    p99Milliseconds: summary.p99 / 1000,
    issued: summary.issued,
  };
}

function runWrk(args: readonly string[], usedSeconds: (seconds: number) => void): Promise<WrkSummary> {
  return new Promise((resolve, reject) => {
    const child = spawn('wrk', args, {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, LUA_PATH: `${scripts}/?.lua;;` },
    });
    const killOnExit = (): boolean => child.kill('SIGKILL');
    process.once('exit', killOnExit);
    let output = '';
    // The CPU time of a process can only be read while it runs.
    const cpuTimer = setInterval(() => {
      const seconds = child.pid === undefined ? 0 : cpuSeconds([child.pid]);
      if (seconds > 0) usedSeconds(seconds);
    }, 100);
    child.stdout.on('data', (chunk: Buffer) => {
      const previousLength = output.length;
      output += chunk.toString();
      if (output.indexOf('EXHAUSTED', Math.max(0, previousLength - 10)) !== -1) child.kill('SIGINT');
    });
    child.once('error', reject);
    child.once('close', (code) => {
      clearInterval(cpuTimer);
      process.removeListener('exit', killOnExit);
      const line = /^BENCH (.*)$/m.exec(output)?.[1];
      if (line === undefined)
        reject(new Error(`wrk exited with code ${code} and printed no summary: ${output}`));
      else resolve(JSON.parse(line) as WrkSummary);
    });
  });
}
