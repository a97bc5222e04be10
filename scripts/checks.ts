// The static checks of `npm run check` and `npm test`.
import { spawnSync } from 'node:child_process';

const checks = [
  { name: 'types', command: ['node_modules/typescript/bin/tsc', '--noEmit'] },
  { name: 'lint and format', command: ['node_modules/@biomejs/biome/bin/biome', 'check', '.'] },
  { name: 'words', command: ['scripts/words.ts'] },
  { name: 'unused exports', command: ['node_modules/knip/bin/knip.js', '--no-progress'] },
];

/** Runs every check, even after one has failed. */
export function runChecks(): { passed: number; failed: number } {
  const results = checks.map(({ name, command }) => {
    const isPassed =
      spawnSync(process.execPath, command, { stdio: ['ignore', 'inherit', 'inherit'] }).status === 0;
    console.log(`${isPassed ? '✓' : '✗'} ${name}`);
    return isPassed;
  });
  const passed = results.filter(Boolean).length;
  return { passed, failed: results.length - passed };
}
