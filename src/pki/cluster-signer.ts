// The CA that signs CertificateSigningRequests, reloaded from its files.
import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import type { GeneralName } from '@peculiar/asn1-x509';
import { CertificateMaker, type Subject } from './certificate-maker.ts';
import type { KeyPair } from './certificates.ts';
import type { AlternativeNames } from './requested-extensions.ts';
import type { SigningRequest } from './signing-request.ts';

/** Clocks differ: what is signed now is already good a little before. */
const backdated = 5 * 60_000;
/** What lasts no longer loses nothing of its time by that. */
const short = 8 * 60 * 60_000;
const shortestLife = 10 * 60_000;

/** Bits of a key's usage, by what requests call them. */
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

const purposes: Readonly<Record<string, string>> = {
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

/** The parts of a subject that are taken over, in the order in which they come: their object identifiers in both ways of writing. */
const takenOver: readonly (readonly [hex: string, id: string, isOne?: boolean])[] = [
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

/** How a certificate is wanted. */
export interface Wish {
  /** As requests name them. */
  readonly usages: readonly string[];
  /** Milliseconds; undefined for as long as the signer gives. */
  readonly life?: number;
}

/** Signs in the name of an authority what others ask for. The key cannot be got out of it: nothing that is logged shows it. */
export class ClusterSigner {
  readonly #certificate: string;
  readonly #key: KeyObject;
  readonly #until: number;
  readonly #longestLife: number;

  /** `longestLife`: milliseconds for which a certificate is good that does not ask for less. */
  constructor({ certificate, key }: KeyPair, longestLife: number) {
    this.#certificate = certificate;
    this.#key = createPrivateKey(key);
    this.#until = Date.parse(new X509Certificate(certificate).validTo);
    this.#longestLife = longestLife;
  }

  /** The certificate in PEM. Throws where the authority itself is no good any more. */
  async sign(request: SigningRequest, wish: Wish, now: number): Promise<string> {
    const maker = await CertificateMaker.load();
    const { x509 } = maker;
    const bits = wish.usages.reduce((flags, usage) => flags | (keyUsages[usage] ?? 0), 0);
    const wanted = wish.usages.flatMap((usage) => purposes[usage] ?? []);
    const names = generalNames(request.otherNames);
    return maker.signed(this.#certificate, this.#key, {
      subject: subjectOf(request),
      publicKey: request.publicKey,
      validity: this.#validity(wish.life, now),
      extensions: [
        ...(bits > 0 ? [maker.keyUsage(bits)] : []),
        ...(wanted.length > 0 ? [maker.purposes([...new Set(wanted)])] : []),
        maker.extension(x509.id_ce_basicConstraints, new x509.BasicConstraints(), true),
        ...(names.length > 0 ? [maker.otherNames(names)] : []),
      ],
    });
  }

  #validity(life: number | undefined, now: number): { from: number; until: number } {
    const lasts = life === undefined ? this.#longestLife : Math.max(shortestLife, life);
    const bounded = Math.min(lasts, this.#longestLife);
    const from = now - backdated;
    const until = Math.min(this.#until, (bounded < short ? now : from) + bounded);
    if (until <= now) throw new Error('the signing CA has expired');
    return { from, until };
  }
}

/** Of what the subject says, only what is understood, each kind in one set: nothing else gets in unseen. */
function subjectOf({ subject }: SigningRequest): Subject {
  const sets = takenOver.map(([hex, id, isOne]) => {
    const texts = subject.filter(({ type }) => type === hex).map(({ text }) => text);
    return (isOne ? texts.slice(-1) : texts.sort(byEncoding)).map((text) => [id, text] as const);
  });
  return sets.filter((parts) => parts.length > 0);
}

/** As the members of a set are ordered in DER: their lengths stand before them. */
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
