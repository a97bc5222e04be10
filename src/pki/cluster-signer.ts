// The CA that signs CertificateSigningRequests (upstream: kube-controller-manager's csrsigning authority).
import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import type { GeneralName } from '@peculiar/asn1-x509';
import { CertificateBuilder, type RdnSequence } from './certificate-builder.ts';
import type { KeyPair } from './certificates.ts';
import type { SubjectAltNames } from './requested-extensions.ts';
import type { SigningRequest } from './signing-request.ts';

/** notBefore is this far in the past, for clients whose clocks are behind. */
const backdateMs = 5 * 60_000;
/** A duration shorter than this counts from now instead of from notBefore, since backdating would use up much of it. */
const shortLivedMs = 8 * 60 * 60_000;
const minDurationMs = 10 * 60_000;

/** KeyUsage bits by the names in `spec.usages`. */
const keyUsages: Readonly<Record<string, number>> = {
  signing: 1,
  'digital signature': 1,
  'content commitment': 2,
  'key encipherment': 4,
  'data encipherment': 8,
  'key agreement': 16,
  'cert sign': 32,
  'crl sign': 64,
  'encipher only': 128,
  'decipher only': 256,
};

const extendedKeyUsages: Readonly<Record<string, string>> = {
  any: '2.5.29.37.0',
  'server auth': '1.3.6.1.5.5.7.3.1',
  'client auth': '1.3.6.1.5.5.7.3.2',
  'code signing': '1.3.6.1.5.5.7.3.3',
  'email protection': '1.3.6.1.5.5.7.3.4',
  's/mime': '1.3.6.1.5.5.7.3.4',
  'ipsec end system': '1.3.6.1.5.5.7.3.5',
  'ipsec tunnel': '1.3.6.1.5.5.7.3.6',
  'ipsec user': '1.3.6.1.5.5.7.3.7',
  timestamping: '1.3.6.1.5.5.7.3.8',
  'ocsp signing': '1.3.6.1.5.5.7.3.9',
  'microsoft sgc': '1.3.6.1.4.1.311.10.3.3',
  'netscape sgc': '2.16.840.1.113730.4.1',
};

/**
 * Subject attributes that are copied, in this order: the object identifier as DER in hexadecimal, and dotted. Of
 * single-valued ones the last value is copied.
 */
const copiedAttributes: readonly (readonly [hex: string, id: string, isSingleValued?: boolean])[] = [
  ['550406', '2.5.4.6'], // country
  ['55040a', '2.5.4.10'], // organization
  ['55040b', '2.5.4.11'], // organizational unit
  ['550407', '2.5.4.7'], // locality
  ['550408', '2.5.4.8'], // province
  ['550409', '2.5.4.9'], // street address
  ['550411', '2.5.4.17'], // postal code
  ['550403', '2.5.4.3', true], // common name
  ['550405', '2.5.4.5', true], // serial number
];

/** The options of a CertificateSigningRequest. */
export interface SigningOptions {
  /** `spec.usages`. */
  readonly usages: readonly string[];
  /** The requested duration in milliseconds; undefined: the maximum. */
  readonly durationMs?: number;
}

/** Signs requests with the key of the CA. The key is private, so that logging the signer cannot leak it. */
export class ClusterSigner {
  readonly #certificate: string;
  readonly #key: KeyObject;
  readonly #notAfter: number;
  readonly #maxDurationMs: number;

  /** `maxDurationMs` is also the default duration. */
  constructor({ certificate, key }: KeyPair, maxDurationMs: number) {
    this.#certificate = certificate;
    this.#key = createPrivateKey(key);
    this.#notAfter = Date.parse(new X509Certificate(certificate).validTo);
    this.#maxDurationMs = maxDurationMs;
  }

  /** Returns the certificate as PEM. Throws if the CA has expired. */
  async sign(request: SigningRequest, options: SigningOptions, now: number): Promise<string> {
    const builder = await CertificateBuilder.load();
    const { x509 } = builder;
    const keyUsageBits = options.usages.reduce((flags, usage) => flags | (keyUsages[usage] ?? 0), 0);
    const extendedKeyUsageIds = options.usages.flatMap((usage) => extendedKeyUsages[usage] ?? []);
    const names = generalNames(request.subjectAltNames);
    return builder.signedByCA(this.#certificate, this.#key, {
      subject: copySubject(request),
      publicKey: request.publicKey,
      validity: this.#validity(options.durationMs, now),
      extensions: [
        ...(keyUsageBits > 0 ? [builder.keyUsage(keyUsageBits)] : []),
        ...(extendedKeyUsageIds.length > 0
          ? [builder.extendedKeyUsage([...new Set(extendedKeyUsageIds)])]
          : []),
        builder.extension(x509.id_ce_basicConstraints, new x509.BasicConstraints(), { isCritical: true }),
        ...(names.length > 0 ? [builder.subjectAlternativeName(names)] : []),
      ],
    });
  }

  #validity(durationMs: number | undefined, now: number): { from: number; until: number } {
    const requested = durationMs === undefined ? this.#maxDurationMs : Math.max(minDurationMs, durationMs);
    const duration = Math.min(requested, this.#maxDurationMs);
    const from = now - backdateMs;
    const until = Math.min(this.#notAfter, (duration < shortLivedMs ? now : from) + duration);
    if (until <= now) throw new Error('the signing CA has expired');
    return { from, until };
  }
}

/** Copies known attributes only, so that no unchecked attribute gets into a certificate. */
function copySubject({ subject }: SigningRequest): RdnSequence {
  const rdns = copiedAttributes.map(([hex, id, isSingleValued]) => {
    const values = subject.filter(({ type }) => type === hex).map(({ text }) => text);
    return (isSingleValued ? values.slice(-1) : values.sort(byEncoding)).map((text) => [id, text] as const);
  });
  return rdns.filter((attributes) => attributes.length > 0);
}

/** The DER order of SET OF members: by encoded length, then by bytes. */
function byEncoding(a: string, b: string): number {
  return Buffer.byteLength(a) - Buffer.byteLength(b) || Buffer.from(a).compare(Buffer.from(b));
}

function generalNames({ dnsNames, emails, ipAddresses, uris }: SubjectAltNames): Partial<GeneralName>[] {
  return [
    ...dnsNames.map((dNSName) => ({ dNSName })),
    ...emails.map((rfc822Name) => ({ rfc822Name })),
    ...ipAddresses.map((iPAddress) => ({ iPAddress })),
    ...uris.map((uniformResourceIdentifier) => ({ uniformResourceIdentifier })),
  ];
}
