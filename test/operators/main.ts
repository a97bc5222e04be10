/** Installs the CustomResourceDefinitions of well-known operators on Orch, and creates their example objects; see README.md. */
import { parseArgs } from 'node:util';
import { referenceKit, type StartedServer, startOrch, startReference, type Undo } from '../parity/servers.ts';
import { Cluster } from './cluster.ts';
import { folderOf, hasGo, NotDownloaded } from './module.ts';
import { type Operator, operators } from './operators.ts';
import { testOperator } from './test-operator.ts';

const { values: options } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    server: { type: 'string', default: 'orch' },
    verbose: { type: 'boolean', default: false },
  },
});

function skip(why: string): number {
  const mark = '!'.repeat(20);
  console.log(`${mark} OPERATORS SKIPPED: ${why} ${mark}`);
  return 0;
}

async function main(): Promise<number> {
  const kit = referenceKit();
  if (options.server === 'reference' && !kit) return skip('there is no reference (set ORCH_REFERENCE).');
  if (!(await hasGo())) return skip('there is no Go on this machine, which downloads the modules.');
  const chosen = operators.filter(({ name }) => new RegExp(options.only).test(name));
  const { folders, problems } = await download(chosen);
  for (const problem of problems) console.log(`✗ not downloaded: ${problem}`);
  if (folders.size === 0) return skip('no module can be downloaded.');
  const undo: Undo = [];
  const stop = async () => {
    for (const step of undo.splice(0)) await step();
  };
  for (const signal of ['SIGINT', 'SIGTERM'])
    process.once(signal, () => stop().finally(() => process.exit(130)));
  try {
    const server =
      options.server === 'reference'
        ? await startReference(kit!, 'defaults', undo)
        : await startOrch('memory', 'defaults', undo);
    const wrong = await tryAll(server, folders);
    server.agent.destroy();
    return wrong + problems.length === 0 ? 0 : 1;
  } finally {
    await stop();
  }
}

async function download(
  chosen: readonly Operator[],
): Promise<{ folders: Map<Operator, string>; problems: string[] }> {
  const folders = new Map<Operator, string>();
  const problems: string[] = [];
  for (const operator of chosen) {
    try {
      folders.set(operator, await folderOf(operator.module));
    } catch (error) {
      if (!(error instanceof NotDownloaded)) throw error;
      problems.push(error.message);
    }
  }
  return { folders, problems };
}

/** Prints the result of each operator; returns the number of unexpected results. */
async function tryAll(server: StartedServer, folders: ReadonlyMap<Operator, string>): Promise<number> {
  const from = performance.now();
  const cluster = new Cluster(server, options.server === 'orch');
  let wrong = 0;
  for (const [operator, folder] of folders) {
    const outcome = await testOperator(cluster, operator, folder);
    for (const problem of outcome.problems) console.log(`✗ ${operator.name}: ${problem}`);
    if (options.verbose) for (const note of outcome.notes) console.log(`  ${operator.name}: ${note}`);
    console.log(`${outcome.problems.length === 0 ? '✓' : '✗'} ${operator.name}: ${outcome.summary}`);
    wrong += outcome.problems.length;
  }
  const seconds = Math.round((performance.now() - from) / 1000);
  console.log(`${folders.size} operators, ${wrong} not as expected, ${seconds} s`);
  return wrong;
}

process.exitCode = await main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  return 1;
});
