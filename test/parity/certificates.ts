import { createHash, createPrivateKey, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { AsnConvert, OctetString } from '@peculiar/asn1-schema';
import * as x509 from '@peculiar/asn1-x509';
import type { Authority } from './client.ts';

/** The client certificate of a step. */
export interface Shown {
  /** Common names: usually one. */
  names?: string[];
  /** Organizations: the groups. */
  groups?: string[];
  uids?: string[];
  /** Signed by the CA of authenticating proxies. */
  ofProxy?: true;
  /** Signed by an untrusted CA. */
  foreign?: true;
  /** The validity, in seconds from now. */
  valid?: [from: number, until: number];
  /** With the extended key usage of servers instead of clients. */
  forServers?: true;
}

const oids = { name: '2.5.4.3', group: '2.5.4.10', uid: '1.3.6.1.4.1.57683.2' };
const signatures: Record<string, string> = { rsa: '1.2.840.113549.1.1.11', ec: '1.2.840.10045.4.3.2' };
const hour = 3600;

export interface Signers {
  readonly clientAuthority: Authority;
  readonly proxyAuthority?: Authority | undefined;
}

/** Issues the certificate, signed by the client CA of this server. */
export function makeCertificate(signers: Signers, shown: Shown) {
  const signedBy = (shown.ofProxy && signers.proxyAuthority) || signers.clientAuthority;
  const authority = AsnConvert.parse(derOf(readFileSync(signedBy.certificate, 'utf8')), x509.Certificate);
  const ownKey = createPrivateKey(readFileSync(signedBy.key));
  const signer = shown.foreign ? generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey : ownKey;
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const [from, until] = shown.valid ?? [-hour, hour];
  const algorithm = new x509.AlgorithmIdentifier({
    algorithm: signatures[signer.asymmetricKeyType ?? ''] ?? '',
    // The algorithm parameters of RSA are null.
    ...(signer.asymmetricKeyType === 'rsa' && { parameters: null }),
  });
  const tbsCertificate = new x509.TBSCertificate({
    version: x509.Version.v3,
    serialNumber: bytesOf(Buffer.concat([Buffer.from([1]), randomBytes(15)])),
    signature: algorithm,
    issuer: authority.tbsCertificate.subject,
    validity: new x509.Validity({ notBefore: inSeconds(from), notAfter: inSeconds(until) }),
    subject: subjectOf(shown),
    subjectPublicKeyInfo: AsnConvert.parse(
      publicKey.export({ type: 'spki', format: 'der' }),
      x509.SubjectPublicKeyInfo,
    ),
    extensions: new x509.Extensions([
      new x509.Extension({
        extnID: x509.id_ce_extKeyUsage,
        extnValue: new OctetString(
          AsnConvert.serialize(
            new x509.ExtendedKeyUsage([shown.forServers ? x509.id_kp_serverAuth : x509.id_kp_clientAuth]),
          ),
        ),
      }),
    ]),
  });
  const der = Buffer.from(
    AsnConvert.serialize(
      new x509.Certificate({
        tbsCertificate,
        signatureAlgorithm: algorithm,
        signatureValue: bytesOf(sign('sha256', Buffer.from(AsnConvert.serialize(tbsCertificate)), signer)),
      }),
    ),
  );
  return {
    cert: `-----BEGIN CERTIFICATE-----\n${der.toString('base64').replace(/.{1,64}/g, '$&\n')}-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    digest: createHash('sha256').update(der).digest('hex'),
  };
}

function subjectOf({ names = [], groups = [], uids = [] }: Shown): x509.Name {
  const parts = [
    ...groups.map((value) => [oids.group, value] as const),
    ...names.map((value) => [oids.name, value] as const),
    ...uids.map((value) => [oids.uid, value] as const),
  ];
  return new x509.Name(
    parts.map(
      ([type, value]) =>
        new x509.RelativeDistinguishedName([
          new x509.AttributeTypeAndValue({ type, value: new x509.AttributeValue({ utf8String: value }) }),
        ]),
    ),
  );
}

const inSeconds = (seconds: number) => new Date(Date.now() + seconds * 1000);
const bytesOf = (bytes: Uint8Array) => new Uint8Array(bytes).buffer;
const derOf = (pem: string) => Buffer.from(pem.replace(/-----[^-]+-----|\s/g, ''), 'base64');
