// npm run test:languages: the tests of the packages in clients/, and those printed in docs/guide/envtest.md, each with the tools of its
// language.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { writeAssets } from '../../src/cli/envtest/assets.ts';
import { onPath } from '../aggregation/sample-apiserver/sample-server.ts';
import { referenceAssets } from '../envtest/assets.ts';
import { referenceKit } from '../parity/servers.ts';

interface Subject {
  readonly name: string;
  /** The folder whose copy the commands run in. */
  readonly folder: string;
  /** Programs that must be in the PATH. */
  readonly tools: readonly string[];
  /** The code of the guide in this language becomes a file of the copy. */
  readonly guide?: { readonly language: string; readonly file: string };
  readonly commands: readonly (readonly string[])[];
}

const repository = resolve(import.meta.dirname, '../..');

const subjects: readonly Subject[] = [
  {
    name: 'python',
    folder: 'clients/python',
    tools: ['python3'],
    commands: [
      ['python3', '-m', 'venv', 'environment'],
      ['environment/bin/python', '-m', 'pip', 'install', '--quiet', '.[test]'],
      ['environment/bin/python', '-m', 'pytest', '-q', 'tests'],
    ],
  },
  {
    name: 'go',
    folder: 'clients/go',
    tools: ['go'],
    commands: [['go', '-C', 'e2e', 'test', '-count=1', './...']],
  },
  {
    name: 'rust',
    folder: 'clients/rust',
    tools: ['cargo'],
    guide: { language: 'rust', file: 'tests/guide.rs' },
    commands: [['cargo', 'test']],
  },
  { name: 'java', folder: 'clients/java', tools: ['java', 'mvn'], commands: [['mvn', '-q', '-B', 'test']] },
  {
    name: 'guide-go',
    folder: 'examples/operator-go',
    tools: ['go'],
    guide: { language: 'go', file: 'guide/guide_test.go' },
    commands: [['go', 'test', '-count=1', './guide']],
  },
  {
    name: 'guide-java',
    folder: 'test/languages/guide-java',
    tools: ['java', 'mvn', 'kubectl'],
    guide: { language: 'java', file: 'src/test/java/GuideTest.java' },
    commands: [['mvn', '-q', '-B', 'test']],
  },
];

const { values: options } = parseArgs({ options: { only: { type: 'string', default: '' } } });
const kit = referenceKit();
/** With kubectl, which the folder of envtest links. */
const searchPath = [process.env.PATH ?? '', ...(kit ? [referenceAssets(kit)] : [])].join(':');

/** The code block of the guide in a language. */
function codeOfGuide(language: string): string {
  const text = readFileSync(join(repository, 'docs/guide/envtest.md'), 'utf8');
  const blocks = [...text.matchAll(/^```(\w+)\n(.*?)^```$/gms)].filter(([, found]) => found === language);
  if (blocks.length !== 1) throw new Error(`the guide has ${blocks.length} code blocks in ${language}`);
  return blocks[0]![2]!;
}

function runTests({ name, folder: source, guide, commands }: Subject): boolean {
  const folder = mkdtempSync(join(tmpdir(), `orch-${name}-`));
  const program = [process.execPath, join(repository, 'src', 'main.ts')] as const;
  const kubeApiTest = join(folder, 'kubeapitest');
  const assets = join(kubeApiTest, 'k8s/1.33.0-linux-amd64');
  // The packages start the server of this checkout.
  const env = {
    ...process.env,
    ORCH: program.join(' '),
    KUBEBUILDER_ASSETS: assets,
    KUBE_API_TEST_DIR: kubeApiTest,
  };
  try {
    // A copy: the tools write into the folder.
    cpSync(join(repository, source), folder, { recursive: true });
    writeAssets(assets, { program, path: searchPath });
    if (guide) {
      mkdirSync(dirname(join(folder, guide.file)), { recursive: true });
      writeFileSync(join(folder, guide.file), codeOfGuide(guide.language));
    }
    return commands.every(([command, ...words]) => {
      const { status, error } = spawnSync(command!, words, { cwd: folder, env, stdio: 'inherit' });
      if (error) console.log(error.message);
      return status === 0;
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const counts = { passed: 0, failed: 0 };
for (const subject of subjects.filter(({ name }) => new RegExp(options.only).test(name))) {
  const missing = subject.tools.filter((tool) => !onPath(tool) && !(tool === 'kubectl' && kit));
  if (missing.length > 0) {
    console.log(`SKIPPED: ${subject.name}, because ${missing.join(' and ')} is not installed`);
    continue;
  }
  console.log(`# ${subject.name}`);
  const outcome = runTests(subject) ? 'passed' : 'failed';
  counts[outcome]++;
  console.log(`${subject.name}: ${outcome}`);
}
console.log(`${counts.passed} packages passed, ${counts.failed} failed`);
if (counts.failed > 0) process.exitCode = 1;
