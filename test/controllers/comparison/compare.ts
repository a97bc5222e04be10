// npm run test:controllers -- --compare: plays scenarios on kube-apiserver with kube-controller-manager, kube-scheduler and kwok and on
// Orch alone, and compares objects, conditions, Events and the order of steps.
import type { Undo } from '../../parity/servers.ts';
import { acceptedDifferences } from './accepted.ts';
import { NeverReached, type Scenario, Stage } from './scenario.ts';
import { scenarios } from './scenarios/index.ts';
import { type Side, startKubernetes, startOrchAlone } from './sides.ts';

/** Scenarios that run at the same time on each side. */
const concurrency = 12;

export interface CompareOptions {
  readonly only: RegExp;
  /** Also prints the lines that are the same. */
  readonly verbose: boolean;
}

/** Resolves to the number of scenarios with differences that are not accepted. */
export async function compareClusters(kit: string, options: CompareOptions, undo: Undo): Promise<number> {
  const chosen = scenarios.filter(({ name }) => options.only.test(name));
  if (chosen.length === 0) return 0;
  const [theirs, ours] = await playOnBoth(kit, chosen, undo);
  const used = new Set<object>();
  let failed = 0;
  for (const { name } of chosen) {
    const [reference, orch] = [theirs.get(name)!, ours.get(name)!];
    const differences = [
      ...reference.filter((line) => !orch.includes(line)).map((line) => `- ${line}`),
      ...orch.filter((line) => !reference.includes(line)).map((line) => `+ ${line}`),
    ];
    const open = differences.filter((line) => {
      const found = acceptedDifferences.find(
        (accepted) => accepted.scenario.test(name) && accepted.line.test(line),
      );
      if (found) used.add(found);
      return !found;
    });
    if (open.length > 0) failed++;
    const accepted = differences.length - open.length;
    const note = accepted > 0 ? `, ${accepted} accepted differences` : '';
    console.log(`${open.length > 0 ? '✗' : '✓'} ${name}: ${reference.length} lines${note}`);
    for (const line of options.verbose ? differences : open) console.log(`    ${line}`);
  }
  const unused =
    options.only.source === '(?:)'
      ? acceptedDifferences.filter((each) => !each.isTimed && !used.has(each))
      : [];
  for (const { scenario, line } of unused) console.log(`✗ accepted, but never seen: ${scenario} ${line}`);
  console.log(`${chosen.length} scenarios compared, ${failed} with differences`);
  return failed + unused.length;
}

type Outcomes = Map<string, string[]>;

/** Plays scenarios that need devices on clusters of their own, after the others. */
async function playOnBoth(
  kit: string,
  chosen: readonly Scenario[],
  undo: Undo,
): Promise<readonly [Outcomes, Outcomes]> {
  const [theirs, ours]: [Outcomes, Outcomes] = [new Map(), new Map()];
  for (const hasDevices of [false, true]) {
    const played = chosen.filter(({ needsDevices = false }) => needsDevices === hasDevices);
    if (played.length === 0) continue;
    const own: Undo = [];
    const stop = async () => {
      for (const step of own.splice(0)) await step();
    };
    undo.unshift(stop);
    const outcomes = await Promise.all([
      startKubernetes(kit, own, hasDevices).then((side) => playAll(side, played)),
      startOrchAlone(own, hasDevices).then((side) => playAll(side, played)),
    ]);
    await stop();
    for (const [name, lines] of outcomes[0]) theirs.set(name, lines);
    for (const [name, lines] of outcomes[1]) ours.set(name, lines);
  }
  return [theirs, ours];
}

async function playAll(side: Side, chosen: readonly Scenario[]): Promise<Map<string, string[]>> {
  const outcomes = new Map<string, string[]>();
  const together = chosen.filter(({ runsAlone }) => !runsAlone);
  for (const addsNodes of [false, true]) {
    const waiting = together.filter((scenario) => (scenario.addsNodes ?? false) === addsNodes);
    const playNext = async (): Promise<void> => {
      for (let next = waiting.shift(); next; next = waiting.shift())
        outcomes.set(next.name, await play(side, next));
    };
    await Promise.all(Array.from({ length: concurrency }, playNext));
  }
  for (const scenario of chosen.filter(({ runsAlone }) => runsAlone))
    outcomes.set(scenario.name, await play(side, scenario));
  return outcomes;
}

async function play(side: Side, scenario: Scenario): Promise<string[]> {
  const stage = new Stage(side, scenario);
  const { api, namespace } = stage;
  await api.create('api/v1 namespaces', '', { metadata: { name: namespace } });
  const hasAccount = async () =>
    (await api.get('api/v1 serviceaccounts', namespace, 'default')) !== undefined;
  while (!(await hasAccount())) await new Promise((resolve) => setTimeout(resolve, 50));
  let failure: string[] = [];
  try {
    await scenario.run(stage);
  } catch (error) {
    failure = [error instanceof NeverReached ? `never reached: ${error.message}` : String(error)];
  }
  return [...failure, ...(await stage.end())];
}
