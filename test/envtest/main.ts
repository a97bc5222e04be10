/** Runs envtest suites of operators on kube-apiserver with etcd and on Orch, and compares them; see README.md. */
import { writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { onPath } from '../aggregation/sample-apiserver/sample-server.ts';
import { referenceKit, type Undo } from '../parity/servers.ts';
import { orchAssets, referenceAssets } from './assets.ts';
import { exceptions } from './exceptions.ts';
import { type Project, projects } from './projects.ts';
import { runSuite, type Spec, type SuiteResult } from './run-suite.ts';

const { values: options } = parseArgs({
  options: {
    server: { type: 'string', default: '' },
    only: { type: 'string', default: '' },
    verbose: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
  },
});
const only = new RegExp(options.only, 'i');
const page = 'docs/reference/envtest-suites.md';

/**
 * What Orch must reach, of what kube-apiserver with etcd reaches. The wall time that the servers take is that of starting and stopping
 * them; the rest of a suite's time is that of its own waits and computations too.
 */
const bounds = { passed: 0.99, setup: 1 / 3, memory: 1 / 3 };

type Side = 'reference' | 'orch';

interface SuiteRun {
  readonly project: Project;
  readonly path: string;
  readonly results: Partial<Record<Side, SuiteResult>>;
}

async function main(): Promise<number> {
  const go = onPath('go');
  const kit = referenceKit();
  const sides = (['reference', 'orch'] as const).filter(
    (side) => (options.server === '' || options.server === side) && (side === 'orch' || kit !== undefined),
  );
  const mark = '!'.repeat(20);
  if (!go || sides.length === 0) {
    const missing = go ? 'no kube-apiserver (set ORCH_REFERENCE)' : 'no Go';
    console.log(`${mark} ENVTEST SUITES SKIPPED: there is ${missing} on this machine. ${mark}`);
    return 0;
  }
  if (!sides.includes('reference'))
    console.log(`${mark} Only on Orch: there is nothing to compare with. ${mark}`);
  const undo: Undo = [];
  const stop = async () => {
    for (const step of undo.splice(0)) await step();
  };
  for (const signal of ['SIGINT', 'SIGTERM'])
    process.once(signal, () => stop().finally(() => process.exit(130)));
  try {
    const orch = await orchAssets(undo);
    const reference = kit ? referenceAssets(kit) : '';
    const runs: SuiteRun[] = [];
    for (const project of projects) {
      for (const path of project.packages) {
        if (!only.test(`${project.name} ${path}`)) continue;
        const assets = { orch: project.needsNoControllers ? orch.withoutControllers : orch.usual, reference };
        const results: SuiteRun['results'] = {};
        for (const side of sides) {
          const result = await runSuite(go, project, path, assets[side]);
          results[side] = result;
          console.log(`${project.name} ${path}, ${side}: ${summaryOf(result)}`);
        }
        printFailures(results);
        runs.push({ project, path, results });
      }
    }
    const report = reportOf(runs, sides);
    console.log(report.text);
    if (options.write) writeFileSync(page, pageOf(report.text));
    const { passed, failed } = report;
    console.log(`${passed} passed, ${failed} failed`);
    return failed > 0 || report.isOverBound ? 1 : 0;
  } finally {
    await stop();
  }
}

const passedIn = ({ specs }: SuiteResult) => specs.filter(({ state }) => state === 'passed');
const failedIn = ({ specs }: SuiteResult) => specs.filter(({ state }) => state === 'failed');
const seconds = (ms: number) => (ms / 1000).toFixed(1);
const megabytes = (bytes: number) => Math.round(bytes / 1e6);

function summaryOf(result: SuiteResult): string {
  const counts = `${passedIn(result).length} passed, ${failedIn(result).length} failed`;
  const times = `${seconds(result.wallMs)} s, ${seconds(result.setupMs)} s of it setup`;
  const usage = `${seconds(result.processorMs)} s of processor, at most ${megabytes(result.peakBytes)} MB`;
  return `${counts}, ${times}, servers took ${usage}`;
}

const exceptionOf = ({ name }: Spec) => exceptions.find(({ spec }) => spec.test(name));

/** Specs that fail on Orch, unless they fail on the reference too or for a listed reason. */
function newFailures({ orch, reference }: SuiteRun['results']): Spec[] {
  if (!orch) return [];
  const expected = reference && new Set(passedIn(reference).map(({ name }) => name));
  return failedIn(orch).filter((spec) => !exceptionOf(spec) && (!expected || expected.has(spec.name)));
}

function printFailures(results: SuiteRun['results']): void {
  for (const { name, problem } of newFailures(results)) {
    console.log(`✗ ${name}\n    ${problem.trim().replaceAll('\n', '\n    ')}`);
  }
  if (!options.verbose || !results.reference) return;
  for (const { name } of failedIn(results.reference)) console.log(`- fails on the reference: ${name}`);
}

interface Totals {
  passed: number;
  wallMs: number;
  setupMs: number;
  processorMs: number;
  peakBytes: number;
}

/** Sums over suites; the peak is that of the suite with the highest. */
function totalsOf(runs: readonly SuiteRun[], side: Side): Totals {
  const totals: Totals = { passed: 0, wallMs: 0, setupMs: 0, processorMs: 0, peakBytes: 0 };
  for (const { results } of runs) {
    const result = results[side];
    if (!result) continue;
    totals.passed += passedIn(result).length;
    totals.wallMs += result.wallMs;
    totals.setupMs += result.setupMs;
    totals.processorMs += result.processorMs;
    totals.peakBytes = Math.max(totals.peakBytes, result.peakBytes);
  }
  return totals;
}

function reportOf(runs: readonly SuiteRun[], sides: readonly Side[]) {
  const failed = runs.flatMap(({ results }) => newFailures(results)).length;
  const passed = totalsOf(runs, 'orch').passed;
  const rows = projects
    .map((project) => ({ project, runs: runs.filter((run) => run.project === project) }))
    .filter((each) => each.runs.length > 0)
    .map((each) => rowOf(`${each.project.name} ${each.project.version}`, each.runs));
  const text = [
    '| suites | specs passed | wall time | setup of the servers | their processor time | their memory |',
    '| --- | --: | --: | --: | --: | --: |',
    ...rows,
    rowOf('all', runs),
  ].join('\n');
  const [orch, reference] = [totalsOf(runs, 'orch'), totalsOf(runs, 'reference')];
  const isOverBound =
    sides.length === 2 &&
    (orch.passed < reference.passed * bounds.passed ||
      orch.setupMs > reference.setupMs * bounds.setup ||
      orch.peakBytes > reference.peakBytes * bounds.memory);
  return { text, passed, failed, isOverBound };
}

function rowOf(name: string, runs: readonly SuiteRun[]): string {
  const [reference, orch] = [totalsOf(runs, 'reference'), totalsOf(runs, 'orch')];
  const pair = (value: (totals: Totals) => number, format: (value: number) => string) => {
    const [own, other] = [value(orch), value(reference)];
    const share = other > 0 ? ` (${Math.round((own / other) * 100)} %)` : '';
    return `${format(other)} → ${format(own)}${share}`;
  };
  return `| ${[
    name,
    `${reference.passed} → ${orch.passed}`,
    pair(
      ({ wallMs }) => wallMs,
      (ms) => `${seconds(ms)} s`,
    ),
    pair(
      ({ setupMs }) => setupMs,
      (ms) => `${seconds(ms)} s`,
    ),
    pair(
      ({ processorMs }) => processorMs,
      (ms) => `${seconds(ms)} s`,
    ),
    pair(
      ({ peakBytes }) => peakBytes,
      (bytes) => `${megabytes(bytes)} MB`,
    ),
  ].join(' | ')} |`;
}

const pageOf = (table: string) => `# envtest suites on Orch

\`npm run test:envtest -- --write\` runs the suites of controller-runtime and of operators, unmodified, once with kube-apiserver and
etcd and once with the folder that [\`orch envtest\`](../guide/envtest.md) writes. ${cpus()[0]?.model.trim()}, ${cpus().length} processors,
Node.js ${process.versions.node}.

${table}

Each column has kube-apiserver with etcd first, then Orch. The wall time is that of the test programs, without their compilation: much of it
are waits of the suites themselves, for leases, timeouts and the absence of events. Setup is the time of BeforeSuite and AfterSuite, which start
and stop the servers; suites that start them in their specs have none. The memory is the most that the servers of a suite had at a time
(proportional set size), of the suite with the highest.
`;

process.exitCode = await main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  return 1;
});
