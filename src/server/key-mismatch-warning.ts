// Warns if servers on the same etcd use different keys. The server that started last stores its keys under `serverkeys/newest`.
import { createHash, X509Certificate } from 'node:crypto';
import type { ServiceAccountTokens } from '../auth/service-account-tokens.ts';
import { splitBundle } from '../pki/certificates.ts';
import type { Store } from '../store/store.ts';
import type { Logger } from '../telemetry/log.ts';
import type { ServerCertificates } from './secure.ts';

const prefix = 'serverkeys';
const key = `${prefix}/newest`;

/** The signing keys of a server. */
interface KeyFingerprints {
  /** The id of the key that signs service account tokens. */
  readonly token: string;
  /** The fingerprint of the CA that signs client certificates; absent without HTTPS. */
  readonly authority?: string;
}

/**
 * Servers on shared storage must accept each other's tokens and client certificates. Compares the keys of the server
 * that started last with those this server accepts, warns on a mismatch, and stores its own.
 */
export async function warnOnKeyMismatch(
  store: Store,
  tokens: ServiceAccountTokens,
  certificates: ServerCertificates | undefined,
  logger: Logger,
): Promise<void> {
  if (!store.isShared) return;
  const stored = store.get(key);
  const latest: Partial<KeyFingerprints> = stored ? JSON.parse(stored.json.toString()).keys : {};
  if (latest.token !== undefined && tokens.keys.every(({ id }) => id !== latest.token)) {
    logger.warn(
      { key: latest.token },
      'another server on this etcd signs service account tokens that this server rejects: use the same ' +
        '--service-account-signing-key-file or --cert-dir on all servers, or add the keys of the others with --service-account-key-file',
    );
  }
  const acceptedCas = certificates ? splitBundle(certificates.clientCa).map(fingerprint) : [];
  if (certificates && latest.authority !== undefined && !acceptedCas.includes(latest.authority)) {
    logger.warn(
      { authority: latest.authority },
      'another server on this etcd issues client certificates that this server rejects: use the same ' +
        '--cert-dir on all servers, or add the CAs of the others with --client-ca-file',
    );
  }
  const authority = certificates && fingerprint(certificates.pki.ca.certificate);
  const ownKeys: KeyFingerprints = {
    token: tokens.signingKeyId,
    ...(authority !== undefined && { authority }),
  };
  const updated: Partial<KeyFingerprints> = { ...latest, ...ownKeys };
  if (updated.token !== latest.token || updated.authority !== latest.authority)
    await storeKeys(store, updated);
}

async function storeKeys(store: Store, keys: Partial<KeyFingerprints>): Promise<void> {
  const beforeRevision = '{"metadata":{"resourceVersion":"';
  const json = Buffer.from(`${beforeRevision}"},"keys":${JSON.stringify(keys)}}`);
  const draft = {
    json,
    revisionOffset: beforeRevision.length,
    listItemOffset: 1,
    labels: '',
    selectableFields: '',
    schemaFingerprint: '',
  };
  await store.commit({ prefix, key, draft });
}

const fingerprint = (pem: string) => createHash('sha256').update(new X509Certificate(pem).raw).digest('hex');
