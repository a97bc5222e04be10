// The signing key of service account tokens.
import { generateKeyPairSync } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Reads `tokens.key` (PEM) from the directory, or creates it. Without a directory the key stays in memory. */
export function loadOrCreateTokenKey(dir: string | undefined): string {
  if (dir === undefined) return generateTokenKey();
  const path = join(dir, 'tokens.key');
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
  }
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  try {
    writeFileSync(path, generateTokenKey(), { mode: 0o600, flag: 'wx' });
  } catch (error) {
    // Another server has created the key concurrently; that key is used.
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  }
  return readFileSync(path, 'utf8');
}

function generateTokenKey(): string {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
  return privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
}
