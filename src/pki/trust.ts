// TLS trust: which certificates of other servers are believed, by the rules of Go's crypto/x509.
import { X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import * as tls from 'node:tls';
import { certificateBlocks } from './certificates.ts';
import { pemBlocks, toPem } from './pem.ts';
import { certificateProblem } from './x509/certificate.ts';

/** A caBundle without a valid certificate. */
export class BadAuthorities extends Error {}

/** The valid certificates of a caBundle, each in PEM. Damaged ones beside them are left out. Throws BadAuthorities. */
export function trustedCertificates(bundle: string): string[] {
  const valid = certificateBlocks(bundle).filter((data) => certificateProblem(data) === undefined);
  if (valid.length === 0) throw new BadAuthorities(`unable to load root certificates: ${whyNone(bundle)}`);
  return valid.map((data) => toPem('CERTIFICATE', data));
}

/** Why a caBundle cannot be used; undefined where it can. */
export function bundleProblem(bundle: string): string | undefined {
  try {
    trustedCertificates(bundle);
    return undefined;
  } catch (error) {
    if (error instanceof BadAuthorities) return error.message;
    throw error;
  }
}

function whyNone(bundle: string): string {
  const blocks = pemBlocks(bundle);
  if (blocks.length === 0) return 'unable to parse bytes as PEM block';
  for (const { data } of blocks) {
    const problem = certificateProblem(data);
    if (problem !== undefined) return `failed to parse certificate: ${problem}`;
  }
  return 'no valid certificate authority data seen';
}

/** Whom the system trusts. None where Node cannot tell: then it goes by its own. */
export function systemAuthorities(): string[] {
  return tls.getCACertificates?.('system') ?? [];
}

/**
 * How clients verify servers. A certificate of the bundle is trusted itself, whether it is an authority or the server's own, and
 * a server is known by its subject alternative names alone.
 */
export const serverVerification = { allowPartialTrustChain: true, checkServerIdentity };

/** A certificate that is for another server. `host` and `cert` are what errors are worded from. */
class Misnamed extends Error {
  readonly code = 'ERR_TLS_CERT_ALTNAME_INVALID';
  readonly host: string;
  readonly cert: tls.PeerCertificate;

  constructor(host: string, cert: tls.PeerCertificate) {
    super(`the certificate is not for ${host}`);
    this.host = host;
    this.cert = cert;
  }
}

/** Node would look at the common name where there are no other names. */
function checkServerIdentity(host: string, peer: tls.PeerCertificate): Error | undefined {
  const certificate = new X509Certificate(peer.raw);
  const name = host.replace(/\.$/, '');
  const found = isIP(name)
    ? certificate.checkIP(name)
    : certificate.checkHost(name, { subject: 'never', partialWildcards: false });
  return found === undefined ? new Misnamed(host, peer) : undefined;
}
