// The folder that KUBEBUILDER_ASSETS names: the programs that envtest starts.
import { accessSync, constants, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';
import { mallocSettings } from '../malloc-settings.ts';

export interface AssetsOptions {
  /** The words that start Orch. */
  readonly program: readonly string[];
  /** The PATH in which kubectl is searched. */
  readonly path: string;
  /** Flags of `kube-apiserver`, before those of the launcher, which override them. */
  readonly apiServerFlags?: readonly string[];
}

/** Writes `kube-apiserver` and `etcd`, scripts that start Orch, and links `kubectl` if it is found. Returns whether it was. */
export function writeAssets(
  folder: string,
  { program, path, apiServerFlags = [] }: AssetsOptions,
): { hasKubectl: boolean } {
  mkdirSync(folder, { recursive: true });
  const flags = { 'kube-apiserver': apiServerFlags, etcd: [] };
  for (const [name, ownFlags] of Object.entries(flags)) {
    const words = [...program, 'envtest', name, ...ownFlags].map(quote).join(' ');
    writeFileSync(join(folder, name), `#!/bin/sh\n${malloc}\nexec ${words} "$@"\n`, { mode: 0o755 });
  }
  const link = join(folder, 'kubectl');
  const kubectl = findProgram('kubectl', path, folder);
  if (kubectl === undefined) return { hasKubectl: false };
  rmSync(link, { force: true });
  symlinkSync(kubectl, link);
  return { hasKubectl: true };
}

const malloc = Object.entries(mallocSettings)
  .map(([name, value]) => `export ${name}=${value}`)
  .join('\n');

/** A word of a shell command. */
const quote = (word: string) => `'${word.replaceAll("'", `'\\''`)}'`;

/** The first executable of that name in a PATH, outside the folder itself. */
function findProgram(name: string, path: string, folder: string): string | undefined {
  for (const directory of path.split(delimiter)) {
    if (directory === '' || resolve(directory) === resolve(folder)) continue;
    const candidate = resolve(directory, name);
    try {
      accessSync(candidate, constants.X_OK);
      return candidate;
    } catch {
      // Not here.
    }
  }
  return undefined;
}
