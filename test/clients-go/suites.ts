// The test suites of controller-runtime, unmodified: they start servers with envtest, which takes them from a folder.
import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildTests, fetchModule } from './go.ts';

const module = 'sigs.k8s.io/controller-runtime';
/** The release for Kubernetes 1.33. */
const version = 'v0.21.0';

/** The packages whose suites use a server. */
export const packages = [
  'pkg/client',
  'pkg/client/apiutil',
  'pkg/cache',
  'pkg/webhook',
  'pkg/manager',
  'pkg/manager/internal/integration',
  'pkg/builder',
  'pkg/controller',
  'pkg/controller/controllerutil',
  'pkg/cluster',
  'pkg/envtest',
  'pkg/handler',
  'pkg/internal/controller',
  'pkg/internal/recorder',
  'pkg/internal/testing/controlplane',
  'pkg/metrics/filters',
  'pkg/reconcile',
  'pkg/source',
];

export interface Spec {
  /** The package, and the texts of the spec from outer to inner. */
  readonly name: string;
  readonly state: 'passed' | 'failed' | 'skipped';
  readonly problem: string;
}

/** The timeout of a suite. */
const patience = 20 * 60_000;

/** Runs the suite of a package against the servers in a folder. */
export async function runSuite(go: string, path: string, assets: string): Promise<Spec[]> {
  const folder = await fetchModule(go, module, version);
  const program = await buildTests(go, folder, path);
  const temporary = await mkdtemp(join(tmpdir(), 'orch-suite-'));
  try {
    const report = join(temporary, 'report.json');
    const words = ['-test.v', `-ginkgo.json-report=${report}`, '-ginkgo.no-color'];
    const output = await runTests(program, words, {
      cwd: join(folder, path),
      env: { ...process.env, KUBEBUILDER_ASSETS: assets, TMPDIR: temporary },
    });
    const text = await readFile(report, 'utf8').catch(() => '[]');
    const specs = [...specsIn(path, JSON.parse(text) as SuiteReport[]), ...testsIn(path, output)];
    if (specs.length > 0) return specs;
    return [{ name: path, state: 'failed', problem: output.slice(-2_000) }];
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
}

const longestOutput = 64 * 1024 * 1024;

function runTests(
  program: string,
  words: readonly string[],
  options: { cwd: string; env: NodeJS.ProcessEnv },
): Promise<string> {
  const child = spawn(program, words, { ...options, stdio: ['ignore', 'pipe', 'pipe'], timeout: patience });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output = (output + text).slice(-longestOutput);
    });
  }
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', () => resolve(output));
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
  readonly Failure?: { readonly Message?: string; readonly ForwardedPanic?: string };
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
