// The CA that signs CertificateSigningRequests (upstream: kube-controller-manager's csrsigning authority).
import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import type { GeneralName } from '@peculiar/asn1-x509';
import { CertificateBuilder, type RdnSequence } from './certificate-maker.ts';
import type { KeyPair } from './certificates.ts';
import type { AlternativeNames } from './requested-extensions.ts';
import type { SigningRequest } from './signing-request.ts';

/** notBefore lies this far in the past, for clients whose clocks are behind. */
const backdateMs = 5 * 60_000;
/** Certificates shorter than this get their full duration from now on, as backdating would cost much of it. */
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

/** The subject attributes that are copied, in order: their object identifier as DER in hexadecimal and dotted. `isOne`: only the last value. */
const copiedAttributes: readonly (readonly [hex: string, id: string, isOne?: boolean])[] = [
  ['550406', '2.5.4.6'],
  ['55040a', '2.5.4.10'],
  ['55040b', '2.5.4.11'],
  ['550407', '2.5.4.7'],
  ['550408', '2.5.4.8'],
  ['550409', '2.5.4.9'],
  ['550411', '2.5.4.17'],
  ['550403', '2.5.4.3', true],
  ['550405', '2.5.4.5', true],
];

/** The options of a CertificateSigningRequest. */
export interface SigningOptions {
  /** `spec.usages`. */
  readonly usages: readonly string[];
  /** The requested duration in milliseconds; undefined: the maximum. */
  readonly life?: number;
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
    const maker = await CertificateBuilder.load();
    const { x509 } = maker;
    const bits = options.usages.reduce((flags, usage) => flags | (keyUsages[usage] ?? 0), 0);
    const usageIds = options.usages.flatMap((usage) => extendedKeyUsages[usage] ?? []);
    const names = generalNames(request.otherNames);
    return maker.signed(this.#certificate, this.#key, {
      subject: copySubject(request),
      publicKey: request.publicKey,
      validity: this.#validity(options.life, now),
      extensions: [
        ...(bits > 0 ? [maker.keyUsage(bits)] : []),
        ...(usageIds.length > 0 ? [maker.purposes([...new Set(usageIds)])] : []),
        maker.extension(x509.id_ce_basicConstraints, new x509.BasicConstraints(), true),
        ...(names.length > 0 ? [maker.otherNames(names)] : []),
      ],
    });
  }

  #validity(life: number | undefined, now: number): { from: number; until: number } {
    const requested = life === undefined ? this.#maxDurationMs : Math.max(minDurationMs, life);
    const bounded = Math.min(requested, this.#maxDurationMs);
    const from = now - backdateMs;
    const until = Math.min(this.#notAfter, (bounded < shortLivedMs ? now : from) + bounded);
    if (until <= now) throw new Error('the signing CA has expired');
    return { from, until };
  }
}

/** Copies known attributes only, so that no unchecked attribute gets into a certificate. */
function copySubject({ subject }: SigningRequest): RdnSequence {
  const sets = copiedAttributes.map(([hex, id, isOne]) => {
    const texts = subject.filter(({ type }) => type === hex).map(({ text }) => text);
    return (isOne ? texts.slice(-1) : texts.sort(byEncoding)).map((text) => [id, text] as const);
  });
  return sets.filter((parts) => parts.length > 0);
}

/** The DER order of SET OF members: by encoded length, then by bytes. */
function byEncoding(one: string, other: string): number {
  return Buffer.byteLength(one) - Buffer.byteLength(other) || Buffer.from(one).compare(Buffer.from(other));
}

function generalNames({ dns, emails, addresses, uris }: AlternativeNames): Partial<GeneralName>[] {
  return [
    ...dns.map((dNSName) => ({ dNSName })),
    ...emails.map((rfc822Name) => ({ rfc822Name })),
    ...addresses.map((iPAddress) => ({ iPAddress })),
    ...uris.map((uniformResourceIdentifier) => ({ uniformResourceIdentifier })),
  ];
}
