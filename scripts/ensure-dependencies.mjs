// Installs the npm packages of package-lock.json if they are missing.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { npm } from './npm.mjs';

/**
 * Does nothing, and prints nothing, if node_modules has the versions of package-lock.json.
 * @param {string} root
 */
export function ensureDependencies(root) {
  const locked = packagesIn(join(root, 'package-lock.json')) ?? {};
  const installed = packagesIn(join(root, 'node_modules', '.package-lock.json'));
  if (installed && missingFrom(installed, locked).length === 0) return;
  process.stderr.write(
    installed
      ? `Dependencies have changed (${missingFrom(installed, locked).slice(0, 3).join(', ')}…), installing them.\n`
      : 'Installing dependencies for the first start.\n',
  );
  // Not `npm ci`: that deletes node_modules first, which running processes still use.
  const options = ['--no-save', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error'];
  npm(root, ['install', ...options], 'cannot install dependencies');
}

/**
 * Optional packages are ignored: npm installs only those for this platform.
 * @param {Record<string, LockedPackage>} installed
 * @param {Record<string, LockedPackage>} locked
 */
function missingFrom(installed, locked) {
  return Object.entries(locked)
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
