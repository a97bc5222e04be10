// Loads LMDB's addon in a single executable: from a file beside it, as in the image, else from a temporary copy of the asset.
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { getRawAsset } from 'node:sea';

const fileName = 'orch-lmdb.node';

export default function loadAddon(): unknown {
  const installed = join(dirname(process.execPath), fileName);
  if (existsSync(installed)) return load(installed);
  // A folder that only this user can write to: nobody can put another file in its place.
  const folder = mkdtempSync(join(tmpdir(), 'orch-'));
  try {
    const copy = join(folder, fileName);
    writeFileSync(copy, new Uint8Array(getRawAsset('lmdb.node')), { mode: 0o700 });
    return load(copy);
  } finally {
    // The system keeps what is loaded.
    rmSync(folder, { recursive: true, force: true });
  }
}

function load(path: string): unknown {
  const addon: { exports: unknown } = { exports: {} };
  process.dlopen(addon as NodeJS.Module, path);
  return addon.exports;
}
