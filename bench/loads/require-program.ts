// Finds a program that the benchmark needs, and installs it where that is possible.
import { execFileSync } from 'node:child_process';

/** Returns what `readVersion` does. Installs Debian's package if that throws or is empty, and the user is root. */
export function requireProgram(
  name: string,
  debianPackage: string,
  readVersion: () => string | undefined,
): string {
  const found = tryRead(readVersion);
  if (found) return found;
  const advice = `the load generator ${name} is missing: apt-get install -y ${debianPackage}`;
  if (process.getuid?.() !== 0) throw new Error(advice);
  console.error(`installing ${debianPackage}`);
  try {
    execFileSync('apt-get', ['install', '-y', debianPackage], { stdio: ['ignore', 'ignore', 'inherit'] });
  } catch {
    throw new Error(advice);
  }
  const installed = tryRead(readVersion);
  if (!installed) throw new Error(advice);
  return installed;
}

function tryRead(readVersion: () => string | undefined): string | undefined {
  try {
    return readVersion();
  } catch {
    return undefined;
  }
}
