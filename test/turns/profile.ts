// CPU profile of one request on the server's thread: the functions in which the longest turn spent its time.
import { Session } from 'node:inspector/promises';

interface ProfileNode {
  readonly id: number;
  readonly callFrame: { readonly functionName: string; readonly url: string; readonly lineNumber: number };
  readonly children?: readonly number[];
}

/** Time between samples. Microseconds. */
const samplingInterval = 500;
/** Functions of the measurement itself, and of waiting. */
const notWork = new Set(['(idle)', '(program)', 'spentMs', 'threadCpuUsage']);

/** Runs `work` with a profiler, and returns the path of functions with the largest share of the longest busy period. */
export async function profileOf(work: () => Promise<unknown>): Promise<string> {
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.setSamplingInterval', { interval: samplingInterval });
  await session.post('Profiler.start');
  await work();
  const { profile } = await session.post('Profiler.stop');
  session.disconnect();
  const nodes = new Map((profile.nodes as ProfileNode[]).map((node) => [node.id, node]));
  return describe(nodes, longestBusyPeriod(nodes, profile.samples ?? []));
}

/** The longest run of samples in which the thread worked. */
function longestBusyPeriod(
  nodes: ReadonlyMap<number, ProfileNode>,
  samples: readonly number[],
): readonly number[] {
  let best: readonly number[] = [];
  for (let start = 0; start < samples.length; ) {
    let end = start;
    while (end < samples.length && !notWork.has(nodes.get(samples[end]!)!.callFrame.functionName)) end++;
    if (end - start > best.length) best = samples.slice(start, end);
    start = end + 1;
  }
  return best;
}

function describe(nodes: ReadonlyMap<number, ProfileNode>, samples: readonly number[]): string {
  const parents = new Map<number, number>();
  for (const { id, children = [] } of nodes.values()) for (const child of children) parents.set(child, id);
  const inclusive = new Map<string, number>();
  const own = new Map<string, number>();
  for (const sample of samples) {
    const names = new Set<string>();
    for (let id: number | undefined = sample; id !== undefined; id = parents.get(id)) {
      const name = nameOf(nodes.get(id)!);
      if (id === sample) own.set(name, (own.get(name) ?? 0) + 1);
      names.add(name);
    }
    for (const name of names) inclusive.set(name, (inclusive.get(name) ?? 0) + 1);
  }
  const ms = Math.round((samples.length * samplingInterval) / 1000);
  return `${ms} ms: ${top(inclusive, samples.length, 12, true)} | self: ${top(own, samples.length, 5, false)}`;
}

function top(
  counts: ReadonlyMap<string, number>,
  total: number,
  most: number,
  isSourceOnly: boolean,
): string {
  return [...counts]
    .filter(([name, count]) => count > total / 10 && (!isSourceOnly || name.includes('.ts')))
    .sort(([, a], [, b]) => b - a)
    .slice(0, most)
    .map(([name, count]) => `${name} ${Math.round((100 * count) / total)}%`)
    .join(', ');
}

function nameOf({ callFrame: { functionName, url, lineNumber } }: ProfileNode): string {
  const file = url.replace(/^.*\/src\//, '');
  return url === '' ? functionName : `${functionName || 'anonymous'}@${file}:${lineNumber + 1}`;
}
