// Warns if servers on the same etcd use different keys.
import { createHash, X509Certificate } from 'node:crypto';
import type { ServiceAccountTokens } from '../auth/service-account-tokens.ts';
import { splitBundle } from '../pki/certificates.ts';
import type { Store } from '../store/store.ts';
import type { Logger } from '../telemetry/log.ts';
import type { ServerCertificates } from './secure.ts';

const prefix = 'serverkeys';
const key = `${prefix}/newest`;

/** Identifies the keys of a server. */
interface Keys {
  readonly token: string;
  /** Absent without HTTPS. */
  readonly authority?: string;
}

/**
 * Servers on shared storage must accept each other's tokens and client certificates. Compares the keys of the server
 * that started last with those this server accepts, warns on a mismatch, and stores its own.
 */
export async function warnOfOtherKeys(
  store: Store,
  tokens: ServiceAccountTokens,
  secured: ServerCertificates | undefined,
  logger: Logger,
): Promise<void> {
  if (!store.isShared) return;
  const stored = store.get(key);
  const other: Partial<Keys> = stored ? JSON.parse(stored.json.toString()).keys : {};
  if (other.token !== undefined && tokens.keys.every(({ id }) => id !== other.token)) {
    logger.warn(
      { key: other.token },
      'another server on this etcd signs service account tokens that this server rejects: use the same ' +
        '--service-account-signing-key-file or --cert-dir on all servers, or add the keys of the others with --service-account-key-file',
    );
  }
  const trusted = secured ? splitBundle(secured.clientCa).map(fingerprint) : [];
  if (secured && other.authority !== undefined && !trusted.includes(other.authority)) {
    logger.warn(
      { authority: other.authority },
      'another server on this etcd issues client certificates that this server rejects: use the same ' +
        '--cert-dir on all servers, or add the CAs of the others with --client-ca-file',
    );
  }
  const authority = secured && fingerprint(secured.pki.ca.certificate);
  const own: Keys = { token: tokens.signingKeyId, ...(authority !== undefined && { authority }) };
  const known: Partial<Keys> = { ...other, ...own };
  if (known.token !== other.token || known.authority !== other.authority) await write(store, known);
}

async function write(store: Store, keys: Partial<Keys>): Promise<void> {
  const before = '{"metadata":{"resourceVersion":"';
  const json = Buffer.from(`${before}"},"keys":${JSON.stringify(keys)}}`);
  const draft = { json, revisionAt: before.length, itemAt: 1, labels: '', fields: '', mark: '' };
  await store.commit({ prefix, key, draft });
}

const fingerprint = (pem: string) => createHash('sha256').update(new X509Certificate(pem).raw).digest('hex');
