// npm run test:languages: the tests of the packages in clients/, each with the tools of its language; see README.md.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { onPath } from '../aggregation/sample-apiserver/sample-server.ts';

interface Language {
  readonly name: string;
  /** Programs that must be in the PATH. */
  readonly tools: readonly string[];
  /** Commands in a copy of the package's folder, in order. */
  readonly commands: readonly (readonly string[])[];
}

const repository = resolve(import.meta.dirname, '../..');

const languages: readonly Language[] = [
  {
    name: 'python',
    tools: ['python3'],
    commands: [
      ['python3', '-m', 'venv', 'environment'],
      ['environment/bin/python', '-m', 'pip', 'install', '--quiet', '.[test]'],
      ['environment/bin/python', '-m', 'pytest', '-q', 'tests'],
    ],
  },
  { name: 'go', tools: ['go'], commands: [['go', '-C', 'e2e', 'test', '-count=1', './...']] },
  { name: 'rust', tools: ['cargo'], commands: [['cargo', 'test']] },
  { name: 'java', tools: ['java', 'mvn'], commands: [['mvn', '-q', '-B', 'test']] },
];

const { values: options } = parseArgs({ options: { only: { type: 'string', default: '' } } });

function runTests({ name, commands }: Language): boolean {
  const folder = mkdtempSync(join(tmpdir(), `orch-${name}-`));
  // The packages start the server of this checkout.
  const env = { ...process.env, ORCH: `${process.execPath} ${join(repository, 'src', 'main.ts')}` };
  try {
    // A copy: the tools write into the folder.
    cpSync(join(repository, 'clients', name), folder, { recursive: true });
    return commands.every(([program, ...words]) => {
      const { status, error } = spawnSync(program!, words, { cwd: folder, env, stdio: 'inherit' });
      if (error) console.log(error.message);
      return status === 0;
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const counts = { passed: 0, failed: 0 };
for (const language of languages.filter(({ name }) => new RegExp(options.only).test(name))) {
  const missing = language.tools.filter((tool) => !onPath(tool));
  if (missing.length > 0) {
    console.log(`SKIPPED: ${language.name}, because ${missing.join(' and ')} is not installed`);
    continue;
  }
  console.log(`# ${language.name}`);
  const outcome = runTests(language) ? 'passed' : 'failed';
  counts[outcome]++;
  console.log(`${language.name}: ${outcome}`);
}
console.log(`${counts.passed} packages passed, ${counts.failed} failed`);
if (counts.failed > 0) process.exitCode = 1;
