// The signing key of service account tokens.
import { generateKeyPairSync } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The key that tokens are signed with, in PEM: the one in the folder, made if there is none; without a folder a new one. */
export function tokenKey(dir: string | undefined): string {
  if (dir === undefined) return makeKey();
  const path = join(dir, 'tokens.key');
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
  }
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  try {
    writeFileSync(path, makeKey(), { mode: 0o600, flag: 'wx' });
  } catch (error) {
    // Another server of the same folder was faster: its key is as good.
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  }
  return readFileSync(path, 'utf8');
}

function makeKey(): string {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
  return privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
}
