// The folder that KUBEBUILDER_ASSETS names: the programs that envtest starts as etcd and kube-apiserver.
import { execFileSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Undo } from '../parity/servers.ts';

/** Programs of these names that start Orch, and an etcd that only reports that it is healthy. */
export async function orchAssets(undo: Undo): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'orch-envtest-'));
  undo.push(() => rm(folder, { recursive: true, force: true }));
  for (const program of ['kube-apiserver', 'etcd']) {
    const script = join(import.meta.dirname, `${program}.ts`);
    const text = `#!/bin/sh\nexec '${process.execPath}' '${script}' "$@"\n`;
    await writeFile(join(folder, program), text, { mode: 0o755 });
  }
  return folder;
}

/** The programs of the Kubernetes release. */
export function referenceAssets(kit: string): string {
  return execFileSync(join(kit, 'unpack'), { encoding: 'utf8' }).trim();
}
