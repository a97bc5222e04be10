import { spawnSync } from 'node:child_process';

const checks = [
  { name: 'types', command: ['node_modules/typescript/bin/tsc', '--noEmit'] },
  { name: 'lint and format', command: ['node_modules/@biomejs/biome/bin/biome', 'check', '.'] },
];

/** Runs every check, whatever the ones before it found, and counts. */
export function runChecks(): { passed: number; failed: number } {
  const results = checks.map(({ name, command }) => {
    const good =
      spawnSync(process.execPath, command, { stdio: ['ignore', 'inherit', 'inherit'] }).status === 0;
    console.log(`${good ? '✓' : '✗'} ${name}`);
    return good;
  });
  const passed = results.filter(Boolean).length;
  return { passed, failed: results.length - passed };
}
