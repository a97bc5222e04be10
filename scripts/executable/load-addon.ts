// Loads LMDB's addon in a single executable: from a file beside it, as in the image, else from a temporary copy of the asset.
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { getRawAsset } from 'node:sea';
import { isMainThread } from 'node:worker_threads';

const fileName = 'orch-lmdb.node';

/** The loaded copy, for worker threads: a second copy would open the data file as another program does. */
const loadedVariable = 'ORCH_LOADED_LMDB';

export default function loadAddon(): unknown {
  const loaded = isMainThread ? undefined : process.env[loadedVariable];
  if (loaded !== undefined) return load(loaded);
  const installed = join(dirname(process.execPath), fileName);
  if (existsSync(installed)) return load(installed);
  // A folder that only this user can write to: nobody can put another file in its place.
  const folder = mkdtempSync(join(tmpdir(), 'orch-'));
  try {
    const copy = join(folder, fileName);
    writeFileSync(copy, new Uint8Array(getRawAsset('lmdb.node')), { mode: 0o700 });
    process.env[loadedVariable] = copy;
    return load(copy);
  } finally {
    // The system keeps what is loaded, under its name.
    rmSync(folder, { recursive: true, force: true });
  }
}

function load(path: string): unknown {
  const addon: { exports: unknown } = { exports: {} };
  process.dlopen(addon as NodeJS.Module, path);
  return addon.exports;
}
