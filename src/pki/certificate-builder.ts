// Builds X.509 certificates (RFC 5280), self-signed or signed by a CA.
import { createHash, type KeyObject, randomBytes, sign } from 'node:crypto';
import type { Certificate, Extension, GeneralName, Name } from '@peculiar/asn1-x509';

// Certificates are rarely issued, so both libraries are imported on demand.
const loadX509 = () => import('@peculiar/asn1-x509');
const loadAsn1 = () => import('@peculiar/asn1-schema');
type X509 = Awaited<ReturnType<typeof loadX509>>;
type Asn1 = Awaited<ReturnType<typeof loadAsn1>>;

/** A distinguished name: relative distinguished names, each with attribute types (object identifiers) and values. */
export type RdnSequence = readonly (readonly (readonly [type: string, value: string])[])[];

/** The to-be-signed content of a certificate, without issuer and serial number. */
export interface CertificateContent {
  readonly subject: RdnSequence;
  /** The SubjectPublicKeyInfo in DER. */
  readonly publicKey: Buffer;
  /** notBefore and notAfter, in milliseconds since the epoch. */
  readonly validity: { readonly from: number; readonly until: number };
  readonly extensions: readonly Extension[];
}

/** The signature algorithm by the type of the signing key. */
const signatureAlgorithms: Readonly<Record<string, { id: string; hash: string | null; hasNull?: boolean }>> =
  {
    ec: { id: '1.2.840.10045.4.3.2', hash: 'sha256' },
    rsa: { id: '1.2.840.113549.1.1.11', hash: 'sha256', hasNull: true },
    ed25519: { id: '1.3.101.112', hash: null },
  };
/** The NULL parameters that RSA signature algorithms require. */
const derNull = new Uint8Array([5, 0]).buffer;

export class CertificateBuilder {
  readonly x509: X509;
  readonly #asn1: Asn1;

  private constructor(x509: X509, asn1: Asn1) {
    this.x509 = x509;
    this.#asn1 = asn1;
  }

  static async load(): Promise<CertificateBuilder> {
    return new CertificateBuilder(await loadX509(), await loadAsn1());
  }

  /** Returns a self-signed certificate as PEM, with a subject key identifier. */
  selfSigned(signingKey: KeyObject, content: CertificateContent): string {
    const { x509 } = this;
    const keyId = new x509.SubjectKeyIdentifier(keyIdentifier(content.publicKey));
    const extensions = [...content.extensions, this.extension(x509.id_ce_subjectKeyIdentifier, keyId)];
    return this.#signCertificate(signingKey, this.#toName(content.subject), { ...content, extensions });
  }

  /** Returns a certificate as PEM that the CA of this PEM certificate has signed. */
  signedByCA(caPem: string, signingKey: KeyObject, content: CertificateContent): string {
    const { x509 } = this;
    const der = Buffer.from(caPem.replace(/-----[^-]+-----|\s/g, ''), 'base64');
    const { tbsCertificate } = this.#asn1.AsnConvert.parse(der, x509.Certificate);
    const extensions = [...content.extensions];
    const caKeyId = this.#subjectKeyIdentifier(tbsCertificate);
    if (caKeyId) {
      const issuerKey = new x509.AuthorityKeyIdentifier({ keyIdentifier: caKeyId });
      extensions.push(this.extension(x509.id_ce_authorityKeyIdentifier, issuerKey));
    }
    return this.#signCertificate(signingKey, tbsCertificate.subject, { ...content, extensions });
  }

  /** An extension with a value that the library can encode. */
  extension(id: string, value: object, { isCritical = false } = {}): Extension {
    const { AsnConvert, OctetString } = this.#asn1;
    return new this.x509.Extension({
      extnID: id,
      critical: isCritical,
      extnValue: new OctetString(AsnConvert.serialize(value)),
    });
  }

  keyUsage(flags: number): Extension {
    return this.extension(this.x509.id_ce_keyUsage, new this.x509.KeyUsage(flags), { isCritical: true });
  }

  extendedKeyUsage(ids: readonly string[]): Extension {
    return this.extension(this.x509.id_ce_extKeyUsage, new this.x509.ExtendedKeyUsage([...ids]));
  }

  subjectAlternativeName(names: readonly Partial<GeneralName>[]): Extension {
    const { SubjectAlternativeName, GeneralName, id_ce_subjectAltName } = this.x509;
    const alternatives = new SubjectAlternativeName(names.map((name) => new GeneralName(name)));
    return this.extension(id_ce_subjectAltName, alternatives);
  }

  #subjectKeyIdentifier({ extensions = [] }: { extensions?: readonly Extension[] }) {
    const { x509 } = this;
    const extension = extensions.find(({ extnID }) => extnID === x509.id_ce_subjectKeyIdentifier);
    return extension && this.#asn1.AsnConvert.parse(extension.extnValue.buffer, x509.KeyIdentifier);
  }

  #toName(subject: RdnSequence): Name {
    const { x509 } = this;
    return new x509.Name(
      subject.map(
        (attributes) =>
          new x509.RelativeDistinguishedName(
            attributes.map(
              ([type, value]) =>
                new x509.AttributeTypeAndValue({
                  type,
                  value: new x509.AttributeValue({ utf8String: value }),
                }),
            ),
          ),
      ),
    );
  }

  #signCertificate(signingKey: KeyObject, issuer: Name, content: CertificateContent): string {
    const { x509 } = this;
    const { AsnConvert } = this.#asn1;
    const { subject, publicKey, validity, extensions } = content;
    const signatureAlgorithm = signatureAlgorithms[signingKey.asymmetricKeyType ?? ''];
    if (!signatureAlgorithm) throw new Error(`unsupported CA key type ${signingKey.asymmetricKeyType}`);
    const algorithm = new x509.AlgorithmIdentifier({
      algorithm: signatureAlgorithm.id,
      ...(signatureAlgorithm.hasNull && { parameters: derNull }),
    });
    const tbsCertificate = new x509.TBSCertificate({
      version: x509.Version.v3,
      serialNumber: serialNumber(),
      signature: algorithm,
      issuer,
      validity: new x509.Validity({ notBefore: new Date(validity.from), notAfter: new Date(validity.until) }),
      subject: this.#toName(subject),
      subjectPublicKeyInfo: AsnConvert.parse(publicKey, x509.SubjectPublicKeyInfo),
      extensions: new x509.Extensions([...extensions]),
    });
    const signature = sign(
      signatureAlgorithm.hash,
      Buffer.from(AsnConvert.serialize(tbsCertificate)),
      signingKey,
    );
    const certificate: Certificate = new x509.Certificate({
      tbsCertificate,
      signatureAlgorithm: algorithm,
      signatureValue: toArrayBuffer(signature),
    });
    const base64 = Buffer.from(AsnConvert.serialize(certificate)).toString('base64');
    return `-----BEGIN CERTIFICATE-----\n${base64.replace(/.{1,64}/g, '$&\n')}-----END CERTIFICATE-----\n`;
  }
}

const keyIdentifier = (publicKey: Buffer) => toArrayBuffer(createHash('sha1').update(publicKey).digest());

/** A random 128-bit serial number: positive and without leading zeros, as DER requires. */
function serialNumber(): ArrayBuffer {
  const bytes = randomBytes(16);
  bytes[0] = (bytes[0]! & 0x7f) | 0x40;
  return toArrayBuffer(bytes);
}

function toArrayBuffer(bytes: Uint8Array): ArrayBuffer {
  return new Uint8Array(bytes).buffer;
}
