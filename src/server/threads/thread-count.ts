// How many serving threads a server has.
import { availableParallelism } from 'node:os';
import type { ServerOptions } from '../options.ts';
import type { ServerParts } from '../server-parts.ts';

/** Bounds the share of a thread in the reader slots of the store. */
const maxThreads = 32;

/** Throws if the options ask for more than one thread where that is not supported. */
export function servingThreadCount(options: ServerOptions, parts: ServerParts): number {
  const { servingThreads } = options;
  if (servingThreads === 1) return 1;
  if (servingThreads === 0) throw new Error('--serving-threads 0: a server has at least one');
  const problem = problemOf(options, parts);
  if (servingThreads === 'auto')
    return problem === undefined ? Math.min(availableParallelism(), maxThreads) : 1;
  if (problem !== undefined) throw new Error(`--serving-threads ${servingThreads}: ${problem}; use 1`);
  if (servingThreads > maxThreads)
    throw new Error(`--serving-threads ${servingThreads}: there are at most ${maxThreads}`);
  return servingThreads;
}

function problemOf({ storage }: ServerOptions, { store, clock, plugins }: ServerParts): string | undefined {
  if (storage === 'memory' || store) return 'threads cannot share the storage memory';
  if (clock || plugins?.length)
    return 'a clock or plugins of the program cannot be shared with other threads';
  if (!sharesPorts) return 'threads share a port only on Linux, with Node.js 22.12, 23.1 or newer';
  return undefined;
}

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
const sharesPorts =
  process.platform === 'linux' &&
  (major > 23 || (major === 23 && minor >= 1) || (major === 22 && minor >= 12));
