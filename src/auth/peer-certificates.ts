// Client certificates of TLS connections: parsed once per connection, and verified once per CA bundle.
import { X509Certificate } from 'node:crypto';
import type { DetailedPeerCertificate, TLSSocket } from 'node:tls';
import type { Clock } from '../base/clock.ts';
import { hasSigned, splitBundle } from '../pki/certificates.ts';
import { certificateProblem } from '../pki/x509/certificate.ts';
import { peerChainOf } from '../transport/peer-chain.ts';

/** Trusted CA certificates. Compared by identity: verification results are cached per bundle. */
export type CaBundle = readonly X509Certificate[];

export const parseCaBundle = (bundle: string): CaBundle =>
  splitBundle(bundle).map((pem) => new X509Certificate(pem));

/** The client certificate that a connection has shown. */
export interface PeerCertificate {
  readonly commonName: string;
  readonly organizations: readonly string[];
  readonly uids: readonly string[];
  /** SHA-256 fingerprint, in hexadecimal digits. */
  readonly digest: string;
  /** Why TLS or X.509 verification failed; '' if it did not. */
  readonly problem: string;
  /** The client's certificate and its issuers: each is signed by the next. */
  readonly chain: readonly X509Certificate[];
  /** The earliest expiry in the chain, in milliseconds since the epoch. */
  readonly notAfter: number;
}

/** Bounds the signatures that one connection can make the server verify. */
const maxChainLength = 16;
/** The subject attribute with the user's uid. */
const uidOid = '1.3.6.1.4.1.57683.2';

export class PeerCertificates {
  readonly #clock: Clock;
  readonly #byConnection = new WeakMap<TLSSocket, PeerCertificate | 'none'>();
  /** Cached results of #isSignedBy. */
  readonly #signedBy = new WeakMap<CaBundle, WeakMap<PeerCertificate, boolean>>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The client certificate of a connection; undefined without one. */
  certificateOf(connection: TLSSocket | undefined): PeerCertificate | undefined {
    if (connection === undefined) return undefined;
    let certificate = this.#byConnection.get(connection);
    if (certificate === undefined) {
      certificate = readCertificate(connection) ?? 'none';
      this.#byConnection.set(connection, certificate);
    }
    return certificate === 'none' ? undefined : certificate;
  }

  /**
   * Returns why a certificate is invalid now; undefined if it is valid. Without a CA bundle, the CAs of the TLS
   * listener count.
   */
  findProblem(certificate: PeerCertificate, caBundle: CaBundle | undefined): string | undefined {
    const { problem, notAfter } = certificate;
    if (problem !== '') return problem;
    if (this.#clock.now() > notAfter) return 'the certificate has expired';
    const isTrusted = caBundle === undefined || this.#isSignedBy(certificate, caBundle);
    return isTrusted ? undefined : 'the certificate is signed by an unknown authority';
  }

  #isSignedBy(certificate: PeerCertificate, caBundle: CaBundle): boolean {
    let results = this.#signedBy.get(caBundle);
    if (results === undefined) {
      results = new WeakMap();
      this.#signedBy.set(caBundle, results);
    }
    let isSigned = results.get(certificate);
    if (isSigned === undefined) {
      isSigned = certificate.chain.some((link) =>
        // A certificate in the bundle is trusted itself, even if it is the client's.
        caBundle.some((ca) => ca.raw.equals(link.raw) || hasSigned(ca, link)),
      );
      results.set(certificate, isSigned);
    }
    return isSigned;
  }
}

function readCertificate(connection: TLSSocket): PeerCertificate | undefined {
  const certificate = peerChainOf(connection);
  if (certificate === undefined) return undefined;
  const names: Readonly<Record<string, string | string[] | undefined>> = { ...certificate.subject };
  const chain = verifyChain(certificate);
  return {
    commonName: toArray(names.CN).at(-1) ?? '',
    organizations: toArray(names.O),
    uids: toArray(names[uidOid]),
    digest: certificate.fingerprint256.replaceAll(':', '').toLowerCase(),
    problem: connection.authorized ? encodingProblem(chain) : String(connection.authorizationError),
    chain,
    notAfter: Math.min(...chain.map(({ validTo }) => Date.parse(validTo))),
  };
}

/** Why a certificate of the chain is not valid X.509, which OpenSSL accepts in some cases; '' if all are valid. */
function encodingProblem(chain: readonly X509Certificate[]): string {
  for (const { raw } of chain) {
    const problem = certificateProblem(raw);
    if (problem !== undefined) return problem;
  }
  return '';
}

/**
 * The certificate and the issuers whose signatures are valid. Node chains certificates by issuer name alone, so they are
 * verified here.
 */
function verifyChain(certificate: DetailedPeerCertificate): X509Certificate[] {
  let last = new X509Certificate(certificate.raw);
  const chain = [last];
  let next: DetailedPeerCertificate | undefined = certificate.issuerCertificate;
  while (next && chain.length < maxChainLength) {
    const signer = new X509Certificate(next.raw);
    // A self-signed certificate ends the chain.
    if (signer.raw.equals(last.raw) || !signer.ca || !hasSigned(signer, last)) break;
    chain.push(signer);
    last = signer;
    next = next.issuerCertificate;
  }
  return chain;
}

function toArray(values: string | string[] | undefined): readonly string[] {
  if (values === undefined) return [];
  return Array.isArray(values) ? values : [values];
}
