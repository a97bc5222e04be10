// Finds or downloads a Node that runs TypeScript without a build.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { npm } from './npm.mjs';
import { SetupError } from './setup-error.mjs';

/** The first major version of Node that runs TypeScript without a flag. */
const minMajor = 24;

/** @param {string} version */
export const isNewEnough = (version) => Number.parseInt(version, 10) >= minMajor;

/**
 * Returns the path of the Node in the npm package `node`. That package downloads the executable in an install script; if
 * npm does not run install scripts, this function installs the package of the executable instead.
 * @param {string} root
 */
export function ensureNode(root) {
  const installed = join(root, 'node_modules', 'node', 'bin', program);
  if (runs(installed)) return installed;

  const name = binaryPackage();
  const folder = join(root, 'node_modules', '.node');
  const fetched = join(folder, 'node_modules', name, 'bin', program);
  if (runs(fetched)) return fetched;

  process.stderr.write(`Node ${minMajor} is required, this is ${process.versions.node}: downloading it.\n`);
  const request = `${name}@${lockedVersion(root)}`;
  const options = [
    '--prefix',
    folder,
    '--no-save',
    '--no-package-lock',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
  ];
  npm(root, ['install', ...options, request], `cannot download Node ${minMajor}; install it and try again`);
  if (runs(fetched)) return fetched;

  throw new SetupError(
    `Node ${minMajor} is required, and the one from npm does not run here; install it and try again`,
  );
}

const program = process.platform === 'win32' ? 'node.exe' : 'node';

/** @param {string} path */
function runs(path) {
  if (!existsSync(path)) return false;
  const { status, stdout } = spawnSync(path, ['--version'], { encoding: 'utf8' });
  return status === 0 && isNewEnough(stdout.trim().slice(1));
}

/** The package with the executable for this platform, as the package `node` names it. */
function binaryPackage() {
  const platform = process.platform === 'win32' ? 'win' : process.platform;
  const arch = platform === 'win' && process.arch === 'ia32' ? 'x86' : process.arch;
  const prefix = platform === 'darwin' && arch === 'arm64' ? 'node-bin' : 'node';
  return `${prefix}-${platform}-${arch}`;
}

/** @param {string} root */
function lockedVersion(root) {
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  return lock.packages['node_modules/node']?.version ?? String(minMajor);
}
