/** Attacks a started server from outside, and prints what held; see README.md. */
import { parseArgs } from 'node:util';
import { referenceKit, startOrch, startReference, type Undo } from '../parity/servers.ts';
import { aggregatedServers } from './aggregated-servers.ts';
import {
  type Answers,
  type AttackClass,
  type ClassResult,
  runClass,
  type Side,
  toMegabytes,
} from './attack.ts';
import { backups } from './backups.ts';
import { certificates } from './certificates.ts';
import { compareAnswers, groupsOf } from './comparison.ts';
import { continueTokens } from './continue-tokens.ts';
import { escalation } from './escalation.ts';
import { etcdResponses } from './etcd-responses.ts';
import { http2 } from './http2.ts';
import { identityHeaders } from './identity-headers.ts';
import { runLoad } from './load/run.ts';
import { logs } from './logs.ts';
import { mutatedObjects } from './mutated-objects.ts';
import { paths } from './paths.ts';
import { slowClients } from './slow-clients.ts';
import { smuggling } from './smuggling.ts';
import { tokens } from './tokens.ts';
import { webSockets } from './web-sockets.ts';
import { webhooks } from './webhooks.ts';

const classes: readonly AttackClass[] = [
  paths,
  smuggling,
  slowClients,
  http2,
  certificates,
  identityHeaders,
  webSockets,
  webhooks,
  aggregatedServers,
  backups,
  etcdResponses,
  logs,
  continueTokens,
  tokens,
  escalation,
  mutatedObjects,
];

const { values: options } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    server: { type: 'string', default: '' },
    seed: { type: 'string', default: '1' },
    verbose: { type: 'boolean', default: false },
    load: { type: 'boolean', default: false },
    seconds: { type: 'string', default: '60' },
  },
});

async function main(): Promise<number> {
  const kit = referenceKit();
  const sides = (['orch', 'reference'] as const).filter((side) => side.includes(options.server));
  const undo: Undo = [];
  const stop = async () => {
    for (const step of undo.splice(0).reverse()) await step();
  };
  for (const signal of ['SIGINT', 'SIGTERM'])
    process.once(signal, () => stop().finally(() => process.exit(130)));
  let failed = 0;
  const answers = new Map<Side, ClassAnswers>();
  try {
    if (options.load) {
      const available = sides.filter((side) => side === 'orch' || kit);
      const seconds = Number(options.seconds);
      const over = await runLoad({ sides: available, kit, only: new RegExp(options.only), seconds }, undo);
      return over === 0 ? 0 : 1;
    }
    for (const side of sides) {
      if (side === 'reference' && !kit) {
        console.log('the reference is skipped: there is none (set ORCH_REFERENCE)');
        continue;
      }
      const ofSide: ClassAnswers = new Map();
      answers.set(side, ofSide);
      const effects = await attack(side, kit, undo, ofSide);
      // What the reference does is for comparison.
      if (side === 'orch') failed += effects;
    }
  } finally {
    await stop();
  }
  failed += printComparisons(answers.get('orch'), answers.get('reference'));
  console.log(failed === 0 ? 'everything held on Orch' : `${failed} attacks had an effect on Orch`);
  return failed === 0 ? 0 : 1;
}

/** By the name of the class. */
type ClassAnswers = Map<string, Answers>;

/** Runs all classes on one server; resolves to the number of problems. */
async function attack(
  side: Side,
  kit: string | undefined,
  undo: Undo,
  answers: ClassAnswers,
): Promise<number> {
  const server =
    side === 'reference'
      ? await startReference(kit!, 'defaults', undo)
      : await startOrch('memory', 'defaults', undo);
  printRow('class', 'server', 'attacks', 'held', 'slowest honest request', 'memory before', 'after');
  let failed = 0;
  for (const each of classes) {
    if (!each.sides.includes(side) || !new RegExp(options.only).test(each.name)) continue;
    const ownUndo: Undo = [];
    try {
      const result = await runClass(
        await each.prepare({ side, server, undo: ownUndo, seed: Number(options.seed) }),
      );
      printResult(each.name, side, result);
      if (result.answers) answers.set(each.name, result.answers);
      failed += result.problems.length;
    } finally {
      for (const step of ownUndo.reverse()) await step();
    }
  }
  server.agent.destroy();
  return failed;
}

function printResult(name: string, side: Side, result: ClassResult): void {
  const { attacks, problems, slowestMs, memoryBefore, memoryAfter } = result;
  const held = Math.max(0, attacks - problems.length);
  const [before, after] = [memoryBefore, memoryAfter].map((bytes) => `${toMegabytes(bytes)} MB`);
  printRow(name, side, `${attacks}`, `${held}`, `${Math.round(slowestMs)} ms`, before!, after!);
  for (const problem of options.verbose ? problems : problems.slice(0, 20)) console.log(`  ✗ ${problem}`);
}

/** Compares both servers; returns the number of differences that fail the run. */
function printComparisons(orch: ClassAnswers = new Map(), reference: ClassAnswers = new Map()): number {
  let failed = 0;
  for (const { name, accepted } of classes) {
    const [ours, theirs] = [orch.get(name), reference.get(name)];
    if (!ours || !theirs) continue;
    const comparison = compareAnswers(ours, theirs, accepted);
    const { compared, otherClass, differences } = comparison;
    const known = comparison.accepted > 0 ? `, ${comparison.accepted} differ for a known reason` : '';
    console.log(`${name}: ${compared} answers compared, ${otherClass} of another class of status${known}`);
    for (const [group, tries] of groupsOf(differences)) {
      const shown = tries.slice(0, options.verbose ? tries.length : 3);
      console.log(`  ${tries.length} × ${group}: ${shown.join(' · ')}`);
    }
    if (accepted) failed += differences.length;
  }
  return failed;
}

const widths = [20, 10, 8, 6, 23, 14, 8];
function printRow(...cells: string[]): void {
  console.log(cells.map((cell, index) => cell.padEnd(widths[index]!)).join(' '));
}

process.exitCode = await main().catch((error: unknown) => {
  console.error(error);
  return 1;
});
