// Reads the signing and verification keys of service account tokens from the server options.
import { readFileSync } from 'node:fs';
import type { ServiceAccountTokenOptions } from '../auth/service-account-tokens.ts';
import { readSigningKey, readVerificationKeys } from '../auth/token-keys.ts';
import { loadOrCreateTokenKey } from '../pki/token-key.ts';
import type { ServerOptions } from './options.ts';

/** `keyDir` holds the generated signing key; undefined keeps it in memory. */
export function serviceAccountTokenOptions(
  options: ServerOptions,
  keyDir: string | undefined,
): ServiceAccountTokenOptions {
  const { serviceAccountSigningKeyFile } = options;
  return {
    signingKey:
      serviceAccountSigningKeyFile === undefined
        ? readSigningKey(loadOrCreateTokenKey(keyDir), keyDir ?? 'the key made at start')
        : readSigningKey(readText(serviceAccountSigningKeyFile), serviceAccountSigningKeyFile),
    keys: options.serviceAccountKeyFile.flatMap((path) => readVerificationKeys(readText(path), path)),
    issuers: options.serviceAccountIssuer,
    audiences: options.apiAudiences,
    maxExpirationSeconds: Math.floor(options.serviceAccountMaxTokenExpiration / 1000),
    extendExpiration: options.serviceAccountExtendTokenExpiration,
  };
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new Error(`cannot read ${path}: ${error instanceof Error ? error.message : String(error)}`);
  }
}
