// Runs the test suite of a Go package, unmodified. It starts its servers with envtest, which takes them from a folder.
import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildTests, fetchModule } from './go.ts';
import type { Project } from './projects.ts';
import { ServerUsage } from './server-usage.ts';

export interface Spec {
  /** The package, and the texts of the spec from outer to inner. */
  readonly name: string;
  readonly state: 'passed' | 'failed' | 'skipped';
  readonly problem: string;
}

export interface SuiteResult {
  readonly specs: readonly Spec[];
  readonly wallMs: number;
  /** The time that the suite's setup and teardown took, which start and stop the servers. */
  readonly setupMs: number;
  /** The processor time of the servers. */
  readonly processorMs: number;
  /** The most memory that all servers of the suite had at a time. */
  readonly peakBytes: number;
}

/** The timeout of a suite. */
const patienceMs = 20 * 60_000;

/** Runs the suite of a package with the servers of a folder. */
export async function runSuite(
  go: string,
  project: Project,
  path: string,
  assets: string,
): Promise<SuiteResult> {
  const folder = await fetchModule(go, project.module, project.version);
  await project.prepare?.(go, folder);
  const program = await buildTests(go, folder, path);
  const temporary = await mkdtemp(join(tmpdir(), 'orch-suite-'));
  try {
    const report = join(temporary, 'report.json');
    const words = ['-test.v', `-ginkgo.json-report=${report}`, '-ginkgo.no-color'];
    const { output, ...measured } = await runTests(program, words, {
      cwd: join(folder, path),
      env: { ...process.env, KUBEBUILDER_ASSETS: assets, TMPDIR: temporary, ...project.env },
    });
    const text = await readFile(report, 'utf8').catch(() => '[]');
    const reports = JSON.parse(text) as SuiteReport[];
    const found = [...specsIn(path, reports), ...testsIn(path, output)];
    const failed: Spec = { name: path, state: 'failed', problem: output.slice(-2_000) };
    return { specs: found.length > 0 ? found : [failed], setupMs: setupMsIn(reports), ...measured };
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
}

const longestOutput = 64 * 1024 * 1024;

function runTests(
  program: string,
  words: readonly string[],
  options: { cwd: string; env: NodeJS.ProcessEnv },
): Promise<{ output: string } & Pick<SuiteResult, 'wallMs' | 'peakBytes' | 'processorMs'>> {
  const startedAt = performance.now();
  const child = spawn(program, words, { ...options, stdio: ['ignore', 'pipe', 'pipe'], timeout: patienceMs });
  const servers = new ServerUsage(child.pid!);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output = (output + text).slice(-longestOutput);
    });
  }
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', () => {
      resolve({ output, wallMs: performance.now() - startedAt, ...servers.stop() });
    });
  });
}

/** The fields of Ginkgo's report that are used here. */
interface SuiteReport {
  readonly SuiteSucceeded: boolean;
  readonly SpecReports: readonly SpecReport[] | null;
}

interface SpecReport {
  readonly ContainerHierarchyTexts: readonly string[] | null;
  readonly LeafNodeType: string;
  readonly LeafNodeText: string;
  readonly State: string;
  /** In nanoseconds. */
  readonly RunTime: number;
  readonly Failure?: { readonly Message?: string; readonly ForwardedPanic?: string };
}

/** BeforeSuite and AfterSuite, also those that run once for several processes. */
function setupMsIn(reports: readonly SuiteReport[]): number {
  const nodes = reports.flatMap(({ SpecReports }) => SpecReports ?? []);
  const isSetup = ({ LeafNodeType }: SpecReport) => /(Before|After)Suite$/.test(LeafNodeType);
  return nodes.filter(isSetup).reduce((sum, { RunTime }) => sum + RunTime, 0) / 1e6;
}

/** Specs, and failed setup and teardown nodes. */
function specsIn(path: string, reports: readonly SuiteReport[]): Spec[] {
  return reports
    .flatMap(({ SpecReports }) => SpecReports ?? [])
    .filter(({ LeafNodeType, State }) => LeafNodeType === 'It' || isFailure(State))
    .map((spec) => ({
      name: [path, ...(spec.ContainerHierarchyTexts ?? []), spec.LeafNodeText || spec.LeafNodeType].join(
        ' › ',
      ),
      state: isFailure(spec.State) ? 'failed' : spec.State === 'passed' ? 'passed' : 'skipped',
      problem: spec.Failure?.ForwardedPanic || spec.Failure?.Message || '',
    }));
}

/** Tests without Ginkgo, by their names in Go; the one that runs the Ginkgo specs is skipped. */
function testsIn(path: string, output: string): Spec[] {
  const entry = /^=== RUN +(\S+)\nRunning Suite/m.exec(output)?.[1];
  return [...output.matchAll(/^ *--- (PASS|FAIL|SKIP): (\S+)/gm)]
    .filter(([, , name]) => name !== entry)
    .map(([, result, name]) => ({
      name: `${path} › ${name}`,
      state: result === 'PASS' ? 'passed' : result === 'FAIL' ? 'failed' : 'skipped',
      problem: '',
    }));
}

const isFailure = (state: string) => !['passed', 'skipped', 'pending'].includes(state);
