// Runs npm in a child process.
import { spawnSync } from 'node:child_process';
import { delimiter } from 'node:path';
import { SetupError } from './setup-error.mjs';

/**
 * Runs the npm that started this process, else the one in PATH, with its output on stderr.
 * @param {string} root
 * @param {string[]} args
 * @param {string} failure the error message if npm fails
 */
export function npm(root, args, failure) {
  const cli = process.env.npm_execpath;
  const isNpm = cli?.endsWith('npm-cli.js');
  const [command, prefixArgs] = isNpm ? [process.execPath, [cli]] : ['npm', []];
  const result = spawnSync(command, [...prefixArgs, ...args], {
    cwd: root,
    env: machineEnvironment(),
    // npm's output goes to stderr: stdout belongs to the command that the user runs.
    stdio: ['inherit', 2, 2],
    shell: !isNpm && process.platform === 'win32',
  });
  if (result.status === 0) return;
  throw new SetupError(
    `${failure} (npm ${args[0]}: ${result.error?.message ?? `exit code ${result.status}`})`,
  );
}

/**
 * The environment without the directories that `npm run` adds to PATH, so that `node` is not the one in node_modules.
 * @returns {NodeJS.ProcessEnv}
 */
export function machineEnvironment() {
  const path = (process.env.PATH ?? '')
    .split(delimiter)
    .filter((folder) => !/node_modules[\\/]\.bin$/.test(folder))
    .join(delimiter);
  return { ...process.env, PATH: path };
}
