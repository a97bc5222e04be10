import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
  sign,
} from 'node:crypto';
import { isIP } from 'node:net';
import type { Extension, Name } from '@peculiar/asn1-x509';
import type { KeyPair } from './certificates.ts';

// Both are only needed when something must be made, which is once in a server's life: they are loaded then.
const loadX509 = () => import('@peculiar/asn1-x509');
const loadAsn1 = () => import('@peculiar/asn1-schema');
type X509 = Awaited<ReturnType<typeof loadX509>>;
type Asn1 = Awaited<ReturnType<typeof loadAsn1>>;

const ecdsaWithSha256 = '1.2.840.10045.4.3.2';
const commonName = '2.5.4.3';
const organization = '2.5.4.10';

const year = 365 * 24 * 60 * 60 * 1000;
const authorityYears = 10;
const certificateYears = 1;

/** Clocks differ: what is made now is already good a little before. */
const clockSkew = 5 * 60 * 1000;

/** Makes a certificate authority. */
export async function makeAuthority(name: string, now: number): Promise<KeyPair> {
  const maker = new Maker(await loadX509(), await loadAsn1(), now);
  return maker.authority(name);
}

export interface ServingRequest {
  readonly name: string;
  /** DNS names and addresses. */
  readonly reachedAs: readonly string[];
}

/** Makes the certificate a server shows. */
export async function makeServing(
  ca: KeyPair,
  { name, reachedAs }: ServingRequest,
  now: number,
): Promise<KeyPair> {
  const x509 = await loadX509();
  const maker = new Maker(x509, await loadAsn1(), now);
  const alternatives = new x509.SubjectAlternativeName(
    reachedAs.map((value) => new x509.GeneralName(isIP(value) ? { iPAddress: value } : { dNSName: value })),
  );
  return maker.leaf(ca, [[commonName, name]], x509.id_kp_serverAuth, [
    maker.extension(x509.id_ce_subjectAltName, alternatives),
  ]);
}

/** Makes the certificate by which a client proves to be this user in these groups. */
export async function makeClient(
  ca: KeyPair,
  user: string,
  groups: readonly string[],
  now: number,
): Promise<KeyPair> {
  const x509 = await loadX509();
  const maker = new Maker(x509, await loadAsn1(), now);
  const subject = groups.map((group) => [organization, group] as const);
  return maker.leaf(ca, [...subject, [commonName, user]], x509.id_kp_clientAuth, []);
}

type Subject = readonly (readonly [type: string, value: string])[];

class Maker {
  readonly #x509: X509;
  readonly #asn1: Asn1;
  readonly #now: number;

  constructor(x509: X509, asn1: Asn1, now: number) {
    this.#x509 = x509;
    this.#asn1 = asn1;
    this.#now = now;
  }

  authority(name: string): KeyPair {
    const x509 = this.#x509;
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const subject = this.#name([[commonName, name]]);
    const usage = x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.digitalSignature;
    const certificate = this.#certificate(privateKey, subject, subject, publicKey, authorityYears, [
      this.extension(x509.id_ce_basicConstraints, new x509.BasicConstraints({ cA: true }), true),
      this.extension(x509.id_ce_keyUsage, new x509.KeyUsage(usage), true),
      this.extension(
        x509.id_ce_subjectKeyIdentifier,
        new x509.SubjectKeyIdentifier(keyIdentifier(publicKey)),
      ),
    ]);
    return { certificate, key: pemOf(privateKey) };
  }

  leaf(ca: KeyPair, subject: Subject, purpose: string, extensions: readonly Extension[]): KeyPair {
    const x509 = this.#x509;
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const issuer = this.#asn1.AsnConvert.parse(derOf(ca.certificate), x509.Certificate).tbsCertificate
      .subject;
    const signer = createPrivateKey(ca.key);
    const issuerKey = new x509.AuthorityKeyIdentifier({
      keyIdentifier: new x509.KeyIdentifier(keyIdentifier(createPublicKey(signer))),
    });
    const usage = new x509.KeyUsage(x509.KeyUsageFlags.digitalSignature);
    const certificate = this.#certificate(signer, issuer, this.#name(subject), publicKey, certificateYears, [
      this.extension(x509.id_ce_basicConstraints, new x509.BasicConstraints(), true),
      this.extension(x509.id_ce_keyUsage, usage, true),
      this.extension(x509.id_ce_extKeyUsage, new x509.ExtendedKeyUsage([purpose])),
      this.extension(x509.id_ce_authorityKeyIdentifier, issuerKey),
      ...extensions,
    ]);
    return { certificate, key: pemOf(privateKey) };
  }

  extension(id: string, value: object, critical = false): Extension {
    const { AsnConvert, OctetString } = this.#asn1;
    return new this.#x509.Extension({
      extnID: id,
      critical,
      extnValue: new OctetString(AsnConvert.serialize(value)),
    });
  }

  #name(subject: Subject): Name {
    const x509 = this.#x509;
    return new x509.Name(
      subject.map(
        ([type, value]) =>
          new x509.RelativeDistinguishedName([
            new x509.AttributeTypeAndValue({ type, value: new x509.AttributeValue({ utf8String: value }) }),
          ]),
      ),
    );
  }

  #certificate(
    signer: KeyObject,
    issuer: Name,
    subject: Name,
    publicKey: KeyObject,
    years: number,
    extensions: readonly Extension[],
  ): string {
    const x509 = this.#x509;
    const { AsnConvert } = this.#asn1;
    const algorithm = new x509.AlgorithmIdentifier({ algorithm: ecdsaWithSha256 });
    const tbsCertificate = new x509.TBSCertificate({
      version: x509.Version.v3,
      serialNumber: serialNumber(),
      signature: algorithm,
      issuer,
      validity: new x509.Validity({
        notBefore: new Date(this.#now - clockSkew),
        notAfter: new Date(this.#now + years * year),
      }),
      subject,
      subjectPublicKeyInfo: AsnConvert.parse(
        publicKey.export({ type: 'spki', format: 'der' }),
        x509.SubjectPublicKeyInfo,
      ),
      extensions: new x509.Extensions([...extensions]),
    });
    const signature = sign('sha256', Buffer.from(AsnConvert.serialize(tbsCertificate)), signer);
    const certificate = new x509.Certificate({
      tbsCertificate,
      signatureAlgorithm: algorithm,
      signatureValue: arrayBufferOf(signature),
    });
    const base64 = Buffer.from(AsnConvert.serialize(certificate)).toString('base64');
    return `-----BEGIN CERTIFICATE-----\n${base64.replace(/.{1,64}/g, '$&\n')}-----END CERTIFICATE-----\n`;
  }
}

function pemOf(key: KeyObject): string {
  return key.export({ type: 'pkcs8', format: 'pem' }).toString();
}

function derOf(pem: string): Buffer {
  return Buffer.from(pem.replace(/-----[^-]+-----|\s/g, ''), 'base64');
}

function keyIdentifier(publicKey: KeyObject): ArrayBuffer {
  return arrayBufferOf(
    createHash('sha1')
      .update(publicKey.export({ type: 'spki', format: 'der' }))
      .digest(),
  );
}

/** Positive and of full length, whatever the random bytes are. */
function serialNumber(): ArrayBuffer {
  const bytes = randomBytes(16);
  bytes[0] = (bytes[0]! & 0x7f) | 0x40;
  return arrayBufferOf(bytes);
}

function arrayBufferOf(bytes: Uint8Array): ArrayBuffer {
  return new Uint8Array(bytes).buffer;
}
