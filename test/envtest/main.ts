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

/** What Orch must reach, of what kube-apiserver with etcd reaches. */
const bounds = { passed: 0.99, wall: 1 / 3, memory: 1 / 3 };

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
    const assets = { orch: await orchAssets(undo), reference: kit ? referenceAssets(kit) : '' };
    const runs: SuiteRun[] = [];
    for (const project of projects) {
      for (const path of project.packages) {
        if (!only.test(`${project.name} ${path}`)) continue;
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
  return `${counts}, ${seconds(result.wallMs)} s, servers at most ${megabytes(result.peakBytes)} MB`;
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
  peakBytes: number;
}

/** Sums over suites; the peak is that of the suite with the highest. */
function totalsOf(runs: readonly SuiteRun[], side: Side): Totals {
  const totals: Totals = { passed: 0, wallMs: 0, peakBytes: 0 };
  for (const { results } of runs) {
    const result = results[side];
    if (!result) continue;
    totals.passed += passedIn(result).length;
    totals.wallMs += result.wallMs;
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
    '| suites | specs passed: kube-apiserver, Orch | wall time | of it | memory of the servers | of it |',
    '| --- | --: | --: | --: | --: | --: |',
    ...rows,
    rowOf('all', runs),
  ].join('\n');
  const [orch, reference] = [totalsOf(runs, 'orch'), totalsOf(runs, 'reference')];
  const isOverBound =
    sides.length === 2 &&
    (orch.passed < reference.passed * bounds.passed ||
      orch.wallMs > reference.wallMs * bounds.wall ||
      orch.peakBytes > reference.peakBytes * bounds.memory);
  return { text, passed, failed, isOverBound };
}

function rowOf(name: string, runs: readonly SuiteRun[]): string {
  const [reference, orch] = [totalsOf(runs, 'reference'), totalsOf(runs, 'orch')];
  const share = (own: number, other: number) => (other > 0 ? `${Math.round((own / other) * 100)} %` : '–');
  return `| ${[
    name,
    `${reference.passed}, ${orch.passed}`,
    `${seconds(reference.wallMs)} s, ${seconds(orch.wallMs)} s`,
    share(orch.wallMs, reference.wallMs),
    `${megabytes(reference.peakBytes)} MB, ${megabytes(orch.peakBytes)} MB`,
    share(orch.peakBytes, reference.peakBytes),
  ].join(' | ')} |`;
}

const pageOf = (table: string) => `# envtest suites on Orch

\`npm run test:envtest -- --write\` runs the suites of controller-runtime and of operators, unmodified, once with kube-apiserver and
etcd and once with the folder that [\`orch envtest\`](../guide/envtest.md) writes. ${cpus()[0]?.model.trim()}, ${cpus().length} processors,
Node.js ${process.versions.node}.

${table}

The wall time is that of the test programs, without their compilation. The memory is the most that the servers of a suite had at a time
(proportional set size), of the suite with the highest.
`;

process.exitCode = await main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  return 1;
});
