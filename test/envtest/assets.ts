// The folder that KUBEBUILDER_ASSETS names: the programs that envtest starts as etcd and kube-apiserver.
import { execFileSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { writeAssets } from '../../src/cli/envtest/assets.ts';
import type { Undo } from '../parity/servers.ts';

export interface OrchAssets {
  /** The folder of `orch envtest`. */
  readonly usual: string;
  /** The folder of `orch envtest --controllers=-*`. */
  readonly withoutControllers: string;
}

/** What `orch envtest` of the built package writes. */
export async function orchAssets(undo: Undo): Promise<OrchAssets> {
  const folder = await mkdtemp(join(tmpdir(), 'orch-envtest-'));
  undo.push(() => rm(folder, { recursive: true, force: true }));
  const checkout = resolve(import.meta.dirname, '../..');
  execFileSync(process.execPath, ['scripts/launch.mjs', 'scripts/build.ts'], {
    cwd: checkout,
    stdio: 'inherit',
  });
  const program = [process.execPath, join(checkout, 'dist/main.js')];
  const assets = { usual: join(folder, 'usual'), withoutControllers: join(folder, 'without-controllers') };
  writeAssets(assets.usual, { program, path: '' });
  writeAssets(assets.withoutControllers, { program, path: '', apiServerFlags: ['--controllers=-*'] });
  return assets;
}

/** The programs of the Kubernetes release. */
export function referenceAssets(kit: string): string {
  return execFileSync(join(kit, 'unpack'), { encoding: 'utf8' }).trim();
}
