import { spawnSync } from 'node:child_process';
import { delimiter } from 'node:path';
import { SetupError } from './setup-error.mjs';

/**
 * Runs npm, the same one that started us where there is one, with its progress on stderr.
 * @param {string} root
 * @param {string[]} args
 * @param {string} failure what to say when it does not succeed
 */
export function npm(root, args, failure) {
  const cli = process.env.npm_execpath;
  const own = cli?.endsWith('npm-cli.js');
  const [command, before] = own ? [process.execPath, [cli]] : ['npm', []];
  const result = spawnSync(command, [...before, ...args], {
    cwd: root,
    env: machineEnvironment(),
    // npm's answer goes to stderr: stdout belongs to the command the user asked for.
    stdio: ['inherit', 2, 2],
    shell: !own && process.platform === 'win32',
  });
  if (result.status === 0) return;
  throw new SetupError(
    `${failure} (npm ${args[0]}: ${result.error?.message ?? `exit code ${result.status}`})`,
  );
}

/**
 * The environment without what `npm run` adds to PATH, so that `node` is the machine's and not the one in node_modules.
 * @returns {NodeJS.ProcessEnv}
 */
export function machineEnvironment() {
  const path = (process.env.PATH ?? '')
    .split(delimiter)
    .filter((folder) => !/node_modules[\\/]\.bin$/.test(folder))
    .join(delimiter);
  return { ...process.env, PATH: path };
}
