/** Runs the real kube-controller-manager on Orch and checks its results and its log; see README.md. */
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import {
  referenceKit,
  type StartedServer,
  startOrch,
  startReference,
  type Undo,
} from '../../parity/servers.ts';
import { compareClusters } from '../comparison/compare.ts';
import { runLeaderProperties, runProperties } from '../properties/many-runs.ts';
import { Api } from './api.ts';
import { compare } from './comparison/compare.ts';
import { type ControllerManager, startControllerManager } from './controller-manager.ts';
import { expectedLines } from './expected-lines.ts';
import { classifyProblems, problemLines } from './log.ts';
import { addNode, lostNode, readyNode, SimulatedNode } from './node.ts';
import { ExpectationTimeout, Progress } from './scenario.ts';
import { scenarios } from './scenarios/index.ts';

const { values: options } = parseArgs({
  options: {
    seconds: { type: 'string', default: '120' },
    only: { type: 'string', default: '' },
    server: { type: 'string', default: 'orch' },
    everything: { type: 'boolean', default: false },
    compare: { type: 'boolean', default: false },
    properties: { type: 'boolean', default: false },
    leaders: { type: 'boolean', default: false },
    runs: { type: 'string', default: '1000' },
    seed: { type: 'string', default: '1' },
    'keep-log': { type: 'string' },
    verbose: { type: 'boolean', default: false },
  },
});

async function main(): Promise<number> {
  if (options.properties) {
    const run = options.leaders ? runLeaderProperties : runProperties;
    return (await run(Number(options.runs), Number(options.seed))) > 0 ? 1 : 0;
  }
  const kit = referenceKit();
  if (!kit) {
    const mark = '!'.repeat(20);
    console.log(
      `${mark} CONTROLLERS SKIPPED: there is no kube-controller-manager on this machine (set ORCH_REFERENCE). ${mark}`,
    );
    return 0;
  }
  const undo: Undo = [];
  const stop = async () => {
    for (const step of undo.splice(0)) await step();
  };
  for (const signal of ['SIGINT', 'SIGTERM'])
    process.once(signal, () => stop().finally(() => process.exit(130)));
  try {
    if (options.compare) {
      const compareOptions = { only: new RegExp(options.only), verbose: options.verbose };
      const differing = [
        await compareClusters(kit, compareOptions, undo),
        await compare(kit, compareOptions, undo),
      ];
      return differing.some((count) => count > 0) ? 1 : 0;
    }
    const serving = options.everything ? 'everything' : 'defaults';
    console.log(`starting ${options.server} and kube-controller-manager`);
    const server =
      options.server === 'reference'
        ? await startReference(kit, serving, undo)
        : await startOrch('lmdb', serving, undo);
    return await watchControllers(kit, server, undo);
  } finally {
    await stop();
  }
}

async function watchControllers(kit: string, server: StartedServer, undo: Undo): Promise<number> {
  const manager = await startControllerManager(kit, server, undo);
  const progress = new Progress(Number(options.seconds));
  const missed = await playAll(new Api(server), progress, manager);
  const code = manager.ended();
  const log = manager.log();
  await manager.stop();
  server.agent.destroy();
  if (options['keep-log']) writeFileSync(options['keep-log'], log);
  for (const what of missed) console.log(`✗ never came: ${what}`);
  if (code !== undefined) console.log(`✗ kube-controller-manager ended by itself with ${code}`);
  const unexpected = report(log);
  console.log(
    `${progress.met} expectations met, ${missed.length} missed, ${unexpected} unexpected lines in the log, ${progress.seconds} s`,
  );
  return missed.length > 0 || unexpected > 0 || code !== undefined ? 1 : 0;
}

/** Runs all scenarios concurrently, then waits for the end of the run. Resolves to the unmet expectations. */
async function playAll(api: Api, progress: Progress, manager: ControllerManager): Promise<string[]> {
  const chosen = scenarios.filter(({ name }) => new RegExp(options.only).test(name));
  const node = new SimulatedNode(api);
  const ended = new AbortController();
  const watching = setInterval(() => manager.ended() !== undefined && ended.abort(), 1000);
  try {
    await Promise.all([addNode(api, readyNode), addNode(api, lostNode)]);
    node.begin();
    const [resting, ...plays] = [
      progress.rest(ended.signal),
      ...chosen.map(({ name, run }) => play(api, name, run, progress)),
    ];
    const outcomes = await Promise.race([Promise.all(plays), whenAborted(ended.signal)]);
    await resting;
    return outcomes ? outcomes.flat() : [...progress.awaited];
  } finally {
    clearInterval(watching);
    await node.stop();
  }
}

function whenAborted(signal: AbortSignal): Promise<undefined> {
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(undefined)));
}

async function play(
  api: Api,
  name: string,
  run: (typeof scenarios)[number]['run'],
  progress: Progress,
): Promise<string[]> {
  const namespace = `test-${name}`;
  const stage = progress.stage(api, namespace);
  try {
    await api.create('api/v1 namespaces', '', { metadata: { name: namespace } });
    await stage.until('the default ServiceAccount and the root certificate', async () => {
      const account = await api.get('api/v1 serviceaccounts', namespace, 'default');
      return !!account && !!(await api.get('api/v1 configmaps', namespace, 'kube-root-ca.crt'));
    });
    await run(stage);
    return [];
  } catch (error) {
    if (error instanceof ExpectationTimeout) return [error.message];
    progress.say(`✗ ${name}: ${error}`);
    return [`${namespace}: ${error}`];
  }
}

/** Prints the unexpected lines of the log; returns their number. */
function report(log: string): number {
  const { unexpected, counts } = classifyProblems(problemLines(log), expectedLines);
  for (const [{ says, because }, count] of counts) {
    if (options.verbose) console.log(`expected, ${count} times: ${says} (${because})`);
  }
  const repeated = new Map<string, number>();
  for (const { said } of unexpected) repeated.set(said, (repeated.get(said) ?? 0) + 1);
  for (const [said, count] of repeated) console.log(`✗ unexpected, ${count} times: ${said}`);
  return unexpected.length;
}

process.exitCode = await main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  return 1;
});
