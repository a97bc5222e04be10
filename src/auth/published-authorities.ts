import { X509Certificate } from 'node:crypto';
import type { Client } from '../client/client.ts';
import type { Clock } from '../clock.ts';
import type { Dialect } from '../dialect/dialect.ts';
import { certificatesIn } from '../pki/certificates.ts';
import { ensureConfigMap } from './standing-config-map.ts';

/**
 * Tells servers that let this one say who their callers are whose client certificates it believes. What other replicas
 * have published stays as long as it is valid.
 */
export function publishAuthorities(
  client: Client,
  dialect: Dialect,
  clock: Clock,
  clientCa: string,
): Promise<void> {
  return ensureConfigMap(client, dialect, 'extension-apiserver-authentication', (data) => {
    const published = certificatesIn(data['client-ca-file'] ?? '');
    const bundle = new Set([...published, ...certificatesIn(clientCa)].filter((pem) => isValid(pem, clock)));
    return { ...data, 'client-ca-file': [...bundle].map((pem) => `${pem}\n`).join('') };
  });
}

function isValid(pem: string, clock: Clock): boolean {
  try {
    return Date.parse(new X509Certificate(pem).validTo) > clock.now();
  } catch {
    return false;
  }
}
