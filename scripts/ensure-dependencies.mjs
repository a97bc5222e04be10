import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { npm } from './npm.mjs';

/**
 * Makes node_modules hold what package-lock.json names. Does nothing, and says nothing, when it already does.
 * @param {string} root
 */
export function ensureDependencies(root) {
  const wanted = packagesIn(join(root, 'package-lock.json')) ?? {};
  const installed = packagesIn(join(root, 'node_modules', '.package-lock.json'));
  if (installed && missingFrom(installed, wanted).length === 0) return;
  process.stderr.write(
    installed
      ? `Dependencies have changed (${missingFrom(installed, wanted).slice(0, 3).join(', ')}…): installing them again.\n`
      : 'First start: installing dependencies. This takes a moment and happens once.\n',
  );
  // Not `npm ci`: that empties node_modules first, under the feet of whatever runs from it.
  const options = ['--no-save', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error'];
  npm(root, ['install', ...options], 'dependencies could not be installed');
}

/**
 * Optional packages are left out: npm installs only those made for this machine.
 * @param {Record<string, LockedPackage>} installed
 * @param {Record<string, LockedPackage>} wanted
 */
function missingFrom(installed, wanted) {
  return Object.entries(wanted)
    .filter(([path, entry]) => path !== '' && !entry.optional && installed[path]?.version !== entry.version)
    .map(([path]) => path.replace(/^.*node_modules\//, ''));
}

/**
 * @typedef {{ version?: string, optional?: boolean }} LockedPackage
 * @param {string} lockFile
 * @returns {Record<string, LockedPackage> | undefined}
 */
function packagesIn(lockFile) {
  try {
    return JSON.parse(readFileSync(lockFile, 'utf8')).packages;
  } catch {
    return undefined;
  }
}
