// Reads certificates and their fingerprints.
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import { pemBlocks, toPem } from './pem.ts';

/** A certificate and its private key, as PEM. */
export interface KeyPair {
  readonly certificate: string;
  readonly key: string;
}

/** The certificates of a bundle, each as PEM of its own. They are not parsed. */
export function certificatesIn(bundle: string): string[] {
  return certificateBlocks(bundle).map((data) => toPem('CERTIFICATE', data));
}

/** The data of the certificates in a bundle: blocks with headers are none. */
export const certificateBlocks = (bundle: string): Buffer[] =>
  pemBlocks(bundle)
    .filter(({ type, hasHeaders }) => type === 'CERTIFICATE' && !hasHeaders)
    .map(({ data }) => data);

const day = 24 * 60 * 60 * 1000;

/** A certificate is replaced when less than this is left of it. */
const renewBefore = 30 * day;

/** Whether a pair found on disk can still be used at `now` (milliseconds since the epoch). */
export function isUsable({ certificate, key }: KeyPair, now: number): boolean {
  try {
    const parsed = new X509Certificate(certificate);
    const from = Date.parse(parsed.validFrom);
    const until = Date.parse(parsed.validTo);
    return from <= now && now + renewBefore < until && parsed.checkPrivateKey(createPrivateKey(key));
  } catch {
    return false;
  }
}

/** Whether `ca` has signed the certificate. */
export function isSignedBy({ certificate }: KeyPair, ca: KeyPair): boolean {
  return hasSigned(new X509Certificate(ca.certificate), new X509Certificate(certificate));
}

/** Names alone prove nothing: two authorities may have the same. */
export function hasSigned(issuer: X509Certificate, certificate: X509Certificate): boolean {
  return certificate.checkIssued(issuer) && certificate.verify(issuer.publicKey);
}

/** Whether the certificate is good for every one of these DNS names and addresses. */
export function covers({ certificate }: KeyPair, names: readonly string[]): boolean {
  const parsed = new X509Certificate(certificate);
  return names.every((name) => (isIP(name) ? parsed.checkIP(name) : parsed.checkHost(name)) !== undefined);
}

/** Whether the certificate names this user and exactly these groups. */
export function identifies({ certificate }: KeyPair, user: string, groups: readonly string[]): boolean {
  const lines = new X509Certificate(certificate).subject.split('\n');
  const wanted = [`CN=${user}`, ...groups.map((group) => `O=${group}`)];
  return lines.length === wanted.length && wanted.every((line) => lines.includes(line));
}
