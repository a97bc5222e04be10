// Warns at start if servers on the same etcd use different signing keys. The server that started last stores the fingerprints
// of its keys under `serverkeys/newest`.
import { createHash, X509Certificate } from 'node:crypto';
import type { ServiceAccountTokens } from '../auth/service-account-tokens.ts';
import { splitBundle } from '../pki/certificates.ts';
import type { Store } from '../store/store.ts';
import type { Logger } from '../telemetry/log.ts';
import type { ServerCertificates } from './certificates.ts';

const prefix = 'serverkeys';
const storeKey = `${prefix}/newest`;

/** Identifies the signing keys of a server. The members have the names of the stored JSON. */
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
  const latest = readKeys(store);
  warnOnTokenKey(latest, tokens, logger);
  if (certificates) warnOnClientCa(latest, certificates, logger);
  const authority = certificates && fingerprint(certificates.pki.ca.certificate);
  // Without HTTPS this server has no CA: that of the other server stays.
  const updated: Partial<KeyFingerprints> = {
    ...latest,
    token: tokens.signingKeyId,
    ...(authority !== undefined && { authority }),
  };
  if (updated.token !== latest.token || updated.authority !== latest.authority)
    await storeKeys(store, updated);
}

/** Empty if no server has stored its keys yet. */
function readKeys(store: Store): Partial<KeyFingerprints> {
  const stored = store.get(storeKey);
  return stored ? JSON.parse(stored.json.toString()).keys : {};
}

function warnOnTokenKey(
  { token }: Partial<KeyFingerprints>,
  tokens: ServiceAccountTokens,
  logger: Logger,
): void {
  if (token !== undefined && tokens.keys.every(({ id }) => id !== token)) {
    logger.warn(
      { keyId: token },
      'another server on this etcd signs service account tokens that this server rejects: use the same ' +
        '--service-account-signing-key-file or --cert-dir on all servers, or add the keys of the others with --service-account-key-file',
    );
  }
}

function warnOnClientCa(
  { authority }: Partial<KeyFingerprints>,
  { clientCa }: ServerCertificates,
  logger: Logger,
): void {
  const acceptedCas = splitBundle(clientCa).map(fingerprint);
  if (authority !== undefined && !acceptedCas.includes(authority)) {
    logger.warn(
      { authority },
      'another server on this etcd issues client certificates that this server rejects: use the same ' +
        '--cert-dir on all servers, or add the CAs of the others with --client-ca-file',
    );
  }
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
  await store.commit({ prefix, key: storeKey, draft });
}

const fingerprint = (pem: string) => createHash('sha256').update(new X509Certificate(pem).raw).digest('hex');
