// TLS server verification with a CA bundle, by the rules of Go's crypto/x509.
import { X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import * as tls from 'node:tls';
import { certificateBlocks } from './certificates.ts';
import { pemBlocks, toPem } from './pem.ts';
import { certificateProblem } from './x509/certificate.ts';

/** A caBundle without a valid certificate. */
export class InvalidCABundle extends Error {}

/** The valid certificates of a caBundle, each in PEM; skips invalid ones. Throws InvalidCABundle if none is valid. */
export function parseCABundle(bundle: string): string[] {
  const valid = certificateBlocks(bundle).filter((data) => certificateProblem(data) === undefined);
  if (valid.length === 0)
    throw new InvalidCABundle(`unable to load root certificates: ${describeInvalidBundle(bundle)}`);
  return valid.map((data) => toPem('CERTIFICATE', data));
}

/** The error message for an invalid caBundle; undefined if it is valid. */
export function bundleProblem(bundle: string): string | undefined {
  try {
    parseCABundle(bundle);
    return undefined;
  } catch (error) {
    if (error instanceof InvalidCABundle) return error.message;
    throw error;
  }
}

/** The problem of a bundle without a valid certificate. */
function describeInvalidBundle(bundle: string): string {
  const blocks = pemBlocks(bundle);
  if (blocks.length === 0) return 'unable to parse bytes as PEM block';
  for (const { data } of blocks) {
    const problem = certificateProblem(data);
    if (problem !== undefined) return `failed to parse certificate: ${problem}`;
  }
  return 'no valid certificate authority data seen';
}

/** The system's root certificates. Empty on versions of Node that cannot read them; Node's bundled roots apply then. */
export function systemRootCertificates(): string[] {
  return tls.getCACertificates?.('system') ?? [];
}

/**
 * TLS options that verify servers as Go does: every certificate of the bundle is a trust anchor, even a leaf, and only
 * subject alternative names identify a server.
 */
export const serverVerification = { allowPartialTrustChain: true, checkServerIdentity };

/** The certificate is not valid for the host. Error messages are derived from `host` and `cert`. */
class HostnameMismatch extends Error {
  readonly code = 'ERR_TLS_CERT_ALTNAME_INVALID';
  readonly host: string;
  readonly cert: tls.PeerCertificate;

  constructor(host: string, cert: tls.PeerCertificate) {
    super(`the certificate is not for ${host}`);
    this.host = host;
    this.cert = cert;
  }
}

/** Node's own check, which this replaces, falls back to the common name, which Go ignores. */
function checkServerIdentity(host: string, peer: tls.PeerCertificate): Error | undefined {
  const certificate = new X509Certificate(peer.raw);
  const name = host.replace(/\.$/, '');
  const match = isIP(name)
    ? certificate.checkIP(name)
    : certificate.checkHost(name, { subject: 'never', partialWildcards: false });
  return match === undefined ? new HostnameMismatch(host, peer) : undefined;
}
