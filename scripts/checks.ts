// The static checks of `npm run check` and `npm test`.
import { spawn } from 'node:child_process';
import { once } from 'node:events';

const checks = [
  { name: 'types', command: ['node_modules/typescript/bin/tsc', '--noEmit'] },
  {
    name: 'types of the console',
    command: ['node_modules/typescript/bin/tsc', '--noEmit', '-p', 'console/tsconfig.json'],
  },
  { name: 'lint and format', command: ['node_modules/@biomejs/biome/bin/biome', 'check', '.'] },
  { name: 'words', command: ['scripts/words.ts'] },
  { name: 'unused exports', command: ['node_modules/knip/bin/knip.js', '--no-progress'] },
];

/** Runs every check, one after the other, even after one has failed. Prints what each has printed, and its result. */
export async function runChecks(): Promise<{ passed: number; failed: number }> {
  let passed = 0;
  for (const { name, command } of checks) {
    const child = spawn(process.execPath, command, { stdio: ['ignore', 'pipe', 'pipe'] });
    const output: Buffer[] = [];
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (data: Buffer) => void output.push(data));
    }
    const [code] = await once(child, 'close');
    if (code === 0) passed++;
    process.stdout.write(`${Buffer.concat(output)}${code === 0 ? '✓' : '✗'} ${name}\n`);
  }
  return { passed, failed: checks.length - passed };
}
