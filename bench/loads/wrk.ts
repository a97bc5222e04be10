import { execFileSync, spawn } from 'node:child_process';
import { join } from 'node:path';
import { cpuSeconds } from '../machine/process-tree.ts';
import { type Usage, watchUsage } from '../machine/usage.ts';
import { loadUrlOf, type Side } from '../sides/side.ts';

const scripts = join(import.meta.dirname, 'lua');

/** wrk is there, or is installed from Debian, or this throws and says what to do. */
export function requireWrk(): string {
  const found = wrkVersion();
  if (found !== undefined) return found;
  const advice = 'the load generator wrk is missing: apt-get install -y wrk';
  if (process.getuid?.() !== 0) throw new Error(advice);
  console.error('installing wrk');
  try {
    execFileSync('apt-get', ['install', '-y', 'wrk'], { stdio: ['ignore', 'ignore', 'inherit'] });
  } catch {
    throw new Error(advice);
  }
  const installed = wrkVersion();
  if (installed === undefined) throw new Error(advice);
  return installed;
}

function wrkVersion(): string | undefined {
  try {
    execFileSync('wrk', ['-v'], { stdio: ['ignore', 'pipe', 'ignore'] });
    return undefined;
  } catch (error) {
    // wrk -v prints its version and ends with 1.
    const output = (error as { stdout?: Buffer }).stdout?.toString() ?? '';
    return /^wrk \S+/.exec(output)?.[0];
  }
}

/** Names walked one after the other; see walk.lua. */
export interface Walk {
  readonly method: string;
  readonly path: string;
  readonly bodyFile?: string;
  /** What the body is written in, where it is not an object in JSON. */
  readonly contentType?: string;
  readonly count: number;
  readonly once?: boolean;
}

export interface Load {
  readonly connections: number;
  readonly seconds: number;
  /** One path asked for again and again, or a walk. */
  readonly target: string | Walk;
  /** What the answers are to be written in, where it is not JSON. */
  readonly accept?: string | undefined;
  /** Who asks, where it is not the administrator; nobody in particular on an open port. */
  readonly token?: string | undefined;
}

export interface LoadResult extends Usage {
  readonly perSecond: number;
  readonly bytesPerSecond: number;
  readonly bytesPerRequest: number;
  /** Answers of 400 and above, and connections that failed. */
  readonly failures: number;
  readonly p50Milliseconds: number;
  readonly p99Milliseconds: number;
  /** How many names of a walk were sent. */
  readonly issued: number;
}

interface Printed {
  requests: number;
  microseconds: number;
  bytes: number;
  refused: number;
  broken: number;
  p50: number;
  p99: number;
  issued: number;
}

export async function runLoad(side: Side, load: Load): Promise<LoadResult> {
  const { target } = load;
  const walk = typeof target === 'string' ? undefined : target;
  const token = load.token ?? (side.openPort === undefined ? side.token : undefined);
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
  const usage = watchUsage(side, () => generatorSeconds);
  const printed = await runWrk(args, (seconds) => {
    generatorSeconds = seconds;
  });
  const seconds = printed.microseconds / 1e6;
  return {
    ...usage(),
    perSecond: (printed.requests - printed.refused) / seconds,
    bytesPerSecond: printed.bytes / seconds,
    bytesPerRequest: printed.bytes / Math.max(1, printed.requests),
    failures: printed.refused + printed.broken,
    p50Milliseconds: printed.p50 / 1000,
    p99Milliseconds: printed.p99 / 1000,
    issued: printed.issued,
  };
}

function runWrk(args: readonly string[], usedSeconds: (seconds: number) => void): Promise<Printed> {
  return new Promise((resolve, reject) => {
    const child = spawn('wrk', args, {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, LUA_PATH: `${scripts}/?.lua;;` },
    });
    const endWithUs = (): boolean => child.kill('SIGKILL');
    process.once('exit', endWithUs);
    let output = '';
    // The processor time of a process can only be read while it lives.
    const sampling = setInterval(() => {
      const seconds = child.pid === undefined ? 0 : cpuSeconds([child.pid]);
      if (seconds > 0) usedSeconds(seconds);
    }, 100);
    child.stdout.on('data', (chunk: Buffer) => {
      const before = output.length;
      output += chunk.toString();
      if (output.indexOf('EXHAUSTED', Math.max(0, before - 10)) !== -1) child.kill('SIGINT');
    });
    child.once('error', reject);
    child.once('close', (code) => {
      clearInterval(sampling);
      process.removeListener('exit', endWithUs);
      const line = /^BENCH (.*)$/m.exec(output)?.[1];
      if (line === undefined) reject(new Error(`wrk ended with ${code} and measured nothing: ${output}`));
      else resolve(JSON.parse(line) as Printed);
    });
  });
}
