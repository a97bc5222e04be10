import { X509Certificate } from 'node:crypto';
import type { DetailedPeerCertificate, TLSSocket } from 'node:tls';
import type { Clock } from '../base/clock.ts';
import { certificatesIn, hasSigned } from '../pki/certificates.ts';
import { certificateProblem } from '../pki/x509/certificate.ts';

/** Certificates that are believed; every certificate that one of them has signed is good. */
export type CaBundle = readonly X509Certificate[];

export const parseCaBundle = (bundle: string): CaBundle =>
  certificatesIn(bundle).map((pem) => new X509Certificate(pem));

/** The client certificate that a connection has shown. */
export interface PeerCertificate {
  readonly commonName: string;
  readonly organizations: readonly string[];
  readonly uids: readonly string[];
  /** SHA-256 of the whole, in hexadecimal digits. */
  readonly digest: string;
  /** Why it is not good, whoever asks; '' where it is. */
  readonly problem: string;
  /** It and those that it was followed up to: each has been signed by the next. */
  readonly chain: readonly X509Certificate[];
  /** Until when it and they are good, in milliseconds since the epoch. */
  readonly notAfter: number;
}

/** Longer chains are not followed. */
const longestChain = 16;
const uidType = '1.3.6.1.4.1.57683.2';

/** Reads what connections show: once for each, because that is slow and does not change. */
export class PeerCertificates {
  readonly #clock: Clock;
  readonly #read = new WeakMap<TLSSocket, PeerCertificate | 'none'>();
  /** Whose certificates these authorities have signed: signatures are slow to check. */
  readonly #signed = new WeakMap<CaBundle, WeakMap<PeerCertificate, boolean>>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The connection's certificate; undefined where it has shown none. */
  of(connection: TLSSocket | undefined): PeerCertificate | undefined {
    if (connection === undefined) return undefined;
    let read = this.#read.get(connection);
    if (read === undefined) {
      read = readCertificate(connection) ?? 'none';
      this.#read.set(connection, read);
    }
    return read === 'none' ? undefined : read;
  }

  /** Why a certificate is not good now for who believes these authorities; undefined where it is. */
  verify(certificate: PeerCertificate, authorities: CaBundle | undefined): string | undefined {
    const { problem, notAfter } = certificate;
    if (problem !== '') return problem;
    if (this.#clock.now() > notAfter) return 'the certificate has expired';
    const isBelieved = authorities === undefined || this.#isSigned(certificate, authorities);
    return isBelieved ? undefined : 'the certificate is signed by an unknown authority';
  }

  #isSigned(certificate: PeerCertificate, authorities: CaBundle): boolean {
    let known = this.#signed.get(authorities);
    if (known === undefined) {
      known = new WeakMap();
      this.#signed.set(authorities, known);
    }
    let isSigned = known.get(certificate);
    if (isSigned === undefined) {
      isSigned = certificate.chain.some((link) =>
        // A certificate of the bundle is believed itself, also where it is the client's own.
        authorities.some((one) => one.raw.equals(link.raw) || hasSigned(one, link)),
      );
      known.set(certificate, isSigned);
    }
    return isSigned;
  }
}

function readCertificate(connection: TLSSocket): PeerCertificate | undefined {
  const certificate = connection.getPeerCertificate(true);
  const { subject } = certificate ?? {};
  if (subject === undefined) return undefined;
  const names: Readonly<Record<string, string | string[] | undefined>> = { ...subject };
  const chain = chainOf(certificate);
  return {
    commonName: all(names.CN).at(-1) ?? '',
    organizations: all(names.O),
    uids: all(names[uidType]),
    digest: certificate.fingerprint256.replaceAll(':', '').toLowerCase(),
    problem: connection.authorized ? damageIn(chain) : String(connection.authorizationError),
    chain,
    notAfter: Math.min(...chain.map(({ validTo }) => Date.parse(validTo))),
  };
}

/** OpenSSL accepts certificates that are no valid X.509. */
function damageIn(chain: readonly X509Certificate[]): string {
  for (const { raw } of chain) {
    const problem = certificateProblem(raw);
    if (problem !== undefined) return problem;
  }
  return '';
}

/** A client sends along what it likes, and what Node puts in its place goes by names: each signature is checked here. */
function chainOf(certificate: DetailedPeerCertificate): X509Certificate[] {
  let last = new X509Certificate(certificate.raw);
  const chain = [last];
  let next: DetailedPeerCertificate | undefined = certificate.issuerCertificate;
  while (next && chain.length < longestChain) {
    const signer = new X509Certificate(next.raw);
    // One that has signed itself is the last.
    if (signer.raw.equals(last.raw) || !signer.ca || !hasSigned(signer, last)) break;
    chain.push(signer);
    last = signer;
    next = next.issuerCertificate;
  }
  return chain;
}

function all(values: string | string[] | undefined): readonly string[] {
  return values === undefined ? [] : Array.isArray(values) ? values : [values];
}
