// TLS trust: which certificates of other servers are believed, by the rules of Go's crypto/x509.
import { X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import * as tls from 'node:tls';
import { certificatesIn } from './certificates.ts';

/** What was named as authorities are no certificates. */
export class BadAuthorities extends Error {}

/** The certificates of a bundle that somebody gave for others to believe. Throws BadAuthorities. */
export function trustedCertificates(bundle: string): string[] {
  const problem = 'unable to load root certificates: unable to parse bytes as PEM block';
  const ca = certificatesIn(bundle);
  if (ca.length === 0) throw new BadAuthorities(problem);
  try {
    tls.createSecureContext({ ca });
  } catch {
    throw new BadAuthorities(problem);
  }
  return ca;
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
