// The folder that KUBEBUILDER_ASSETS names: the programs that envtest starts as etcd and kube-apiserver.
import { execFileSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { writeAssets } from '../../src/cli/envtest/assets.ts';
import type { Undo } from '../parity/servers.ts';

/** What `orch envtest` of the built package writes. */
export async function orchAssets(undo: Undo): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'orch-envtest-'));
  undo.push(() => rm(folder, { recursive: true, force: true }));
  const checkout = resolve(import.meta.dirname, '../..');
  execFileSync(process.execPath, ['scripts/launch.mjs', 'scripts/build.ts'], {
    cwd: checkout,
    stdio: 'inherit',
  });
  writeAssets(folder, [process.execPath, join(checkout, 'dist/main.js')], '');
  return folder;
}

/** The programs of the Kubernetes release. */
export function referenceAssets(kit: string): string {
  return execFileSync(join(kit, 'unpack'), { encoding: 'utf8' }).trim();
}
