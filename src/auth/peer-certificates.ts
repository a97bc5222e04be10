import { X509Certificate } from 'node:crypto';
import type { DetailedPeerCertificate, TLSSocket } from 'node:tls';
import type { Clock } from '../clock.ts';
import { certificatesIn } from '../pki/certificates.ts';

/** Certificates that are believed, each by its digest; every certificate that one of them has signed is good. */
export type Authorities = ReadonlySet<string>;

export const authoritiesIn = (bundle: string): Authorities =>
  new Set(certificatesIn(bundle).map((pem) => new X509Certificate(pem).fingerprint256));

/** The client certificate that a connection has shown. */
export interface PeerCertificate {
  readonly commonName: string;
  readonly organizations: readonly string[];
  readonly uids: readonly string[];
  /** SHA-256 of the whole, in hexadecimal digits. */
  readonly digest: string;
  /** Why it is not good, whoever asks; '' where it is. */
  readonly problem: string;
  /** Those that it was followed up to, by their digests. */
  readonly signers: readonly string[];
  /** Until when it and they are good, in milliseconds since the epoch. */
  readonly until: number;
}

/** Longer chains are not followed. */
const longestChain = 16;
const uidType = '1.3.6.1.4.1.57683.2';

/** Reads what connections show: once for each, because that is slow and does not change. */
export class PeerCertificates {
  readonly #clock: Clock;
  readonly #read = new WeakMap<TLSSocket, PeerCertificate | 'none'>();

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
  problem(
    { problem, signers, until }: PeerCertificate,
    authorities: Authorities | undefined,
  ): string | undefined {
    if (problem !== '') return problem;
    if (this.#clock.now() > until) return 'the certificate has expired';
    const isBelieved = authorities === undefined || signers.some((digest) => authorities.has(digest));
    return isBelieved ? undefined : 'the certificate is signed by an unknown authority';
  }
}

function readCertificate(connection: TLSSocket): PeerCertificate | undefined {
  const certificate = connection.getPeerCertificate(true);
  const { subject } = certificate ?? {};
  if (subject === undefined) return undefined;
  const names: Readonly<Record<string, string | string[] | undefined>> = { ...subject };
  const signers: string[] = [];
  let until = Date.parse(certificate.valid_to);
  let one: DetailedPeerCertificate | undefined = certificate;
  while (one && signers.length < longestChain) {
    const signer: DetailedPeerCertificate | undefined = one.issuerCertificate;
    if (signer) {
      signers.push(signer.fingerprint256);
      until = Math.min(until, Date.parse(signer.valid_to));
    }
    // One that has signed itself is the last.
    one = signer === one ? undefined : signer;
  }
  return {
    commonName: all(names.CN).at(-1) ?? '',
    organizations: all(names.O),
    uids: all(names[uidType]),
    digest: certificate.fingerprint256.replaceAll(':', '').toLowerCase(),
    problem: connection.authorized ? '' : String(connection.authorizationError),
    signers,
    until,
  };
}

function all(values: string | string[] | undefined): readonly string[] {
  return values === undefined ? [] : Array.isArray(values) ? values : [values];
}
