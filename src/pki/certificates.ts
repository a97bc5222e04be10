// Certificates in PEM: splits bundles, and decides whether a key pair on disk can be reused.
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import { pemBlocks, toPem } from './pem.ts';

/** A certificate and its private key, as PEM. */
export interface KeyPair {
  readonly certificate: string;
  readonly key: string;
}

/** Splits a PEM bundle into one PEM text per certificate, without parsing the certificates. */
export function splitBundle(bundle: string): string[] {
  return certificateBlocks(bundle).map((data) => toPem('CERTIFICATE', data));
}

/** The DER of the certificates in a PEM bundle. As in Go, blocks with headers are skipped. */
export const certificateBlocks = (bundle: string): Buffer[] =>
  pemBlocks(bundle)
    .filter(({ type, hasHeaders }) => type === 'CERTIFICATE' && !hasHeaders)
    .map(({ data }) => data);

const dayMs = 24 * 60 * 60 * 1000;

/** A certificate is renewed when it expires within this time. */
const renewBeforeExpiryMs = 30 * dayMs;

/** Whether certificate and key match, and the certificate is not due for renewal at `now` (ms since the epoch). */
export function isUsable({ certificate, key }: KeyPair, now: number): boolean {
  try {
    const parsed = new X509Certificate(certificate);
    const notBefore = Date.parse(parsed.validFrom);
    const notAfter = Date.parse(parsed.validTo);
    return (
      notBefore <= now &&
      now + renewBeforeExpiryMs < notAfter &&
      parsed.checkPrivateKey(createPrivateKey(key))
    );
  } catch {
    // A file that is no certificate or key is replaced.
    return false;
  }
}

/** Whether `ca` has signed the certificate. */
export function isSignedBy({ certificate }: KeyPair, ca: KeyPair): boolean {
  return hasSigned(new X509Certificate(ca.certificate), new X509Certificate(certificate));
}

/** Verifies the signature as well, since two CAs may have the same name. */
export function hasSigned(issuer: X509Certificate, certificate: X509Certificate): boolean {
  return certificate.checkIssued(issuer) && certificate.verify(issuer.publicKey);
}

/** Whether the subject alternative names cover all these DNS names and IP addresses. */
export function isValidForHosts({ certificate }: KeyPair, names: readonly string[]): boolean {
  const parsed = new X509Certificate(certificate);
  return names.every((name) => (isIP(name) ? parsed.checkIP(name) : parsed.checkHost(name)) !== undefined);
}

/** Whether the subject is this user (CN) with exactly these groups (O). */
export function isValidForUser({ certificate }: KeyPair, user: string, groups: readonly string[]): boolean {
  const attributes = new X509Certificate(certificate).subject.split('\n');
  const expected = [`CN=${user}`, ...groups.map((group) => `O=${group}`)];
  return attributes.length === expected.length && expected.every((line) => attributes.includes(line));
}
