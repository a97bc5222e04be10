// Creates the CA, and issues serving and client certificates.
import { createPrivateKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { isIP } from 'node:net';
import type { Extension } from '@peculiar/asn1-x509';
import { CertificateBuilder, type RdnSequence } from './certificate-builder.ts';
import type { KeyPair } from './certificates.ts';

const commonName = '2.5.4.3';
const organization = '2.5.4.10';

const yearMs = 365 * 24 * 60 * 60 * 1000;
const caValidityYears = 10;
const leafValidityYears = 1;

/** notBefore lies this far in the past, for peers whose clocks are behind. */
const clockSkewMs = 5 * 60 * 1000;

const validFor = (years: number, now: number) => ({ from: now - clockSkewMs, until: now + years * yearMs });

/** Creates a self-signed CA. */
export async function createCA(name: string, now: number): Promise<KeyPair> {
  const builder = await CertificateBuilder.load();
  const { x509 } = builder;
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const certificate = builder.selfSigned(privateKey, {
    subject: [[[commonName, name]]],
    publicKey: exportPublicKey(publicKey),
    validity: validFor(caValidityYears, now),
    extensions: [
      builder.extension(x509.id_ce_basicConstraints, new x509.BasicConstraints({ cA: true }), {
        isCritical: true,
      }),
      builder.keyUsage(x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.digitalSignature),
    ],
  });
  return { certificate, key: exportPrivateKey(privateKey) };
}

export interface ServingRequest {
  readonly name: string;
  /** The subject alternative names: DNS names and IP addresses. */
  readonly hostNames: readonly string[];
}

/** Issues a TLS serving certificate. */
export async function issueServingCertificate(
  ca: KeyPair,
  { name, hostNames }: ServingRequest,
  now: number,
): Promise<KeyPair> {
  const builder = await CertificateBuilder.load();
  const names = builder.subjectAlternativeName(
    hostNames.map((value) => (isIP(value) ? { iPAddress: value } : { dNSName: value })),
  );
  return issueLeaf(builder, ca, [[[commonName, name]]], builder.x509.id_kp_serverAuth, [names], now);
}

/** Issues a client certificate: the user is the CN, the groups are the Os of the subject. */
export async function issueClientCertificate(
  ca: KeyPair,
  user: string,
  groups: readonly string[],
  now: number,
): Promise<KeyPair> {
  const builder = await CertificateBuilder.load();
  const subject: RdnSequence = [
    ...groups.map((group) => [[organization, group]] as const),
    [[commonName, user]],
  ];
  return issueLeaf(builder, ca, subject, builder.x509.id_kp_clientAuth, [], now);
}

function issueLeaf(
  builder: CertificateBuilder,
  ca: KeyPair,
  subject: RdnSequence,
  extendedKeyUsage: string,
  extensions: readonly Extension[],
  now: number,
): KeyPair {
  const { x509 } = builder;
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const certificate = builder.signedByCA(ca.certificate, createPrivateKey(ca.key), {
    subject,
    publicKey: exportPublicKey(publicKey),
    validity: validFor(leafValidityYears, now),
    extensions: [
      builder.extension(x509.id_ce_basicConstraints, new x509.BasicConstraints(), { isCritical: true }),
      builder.keyUsage(x509.KeyUsageFlags.digitalSignature),
      builder.extendedKeyUsage([extendedKeyUsage]),
      ...extensions,
    ],
  });
  return { certificate, key: exportPrivateKey(privateKey) };
}

const exportPublicKey = (publicKey: KeyObject) => publicKey.export({ type: 'spki', format: 'der' });

const exportPrivateKey = (key: KeyObject) => key.export({ type: 'pkcs8', format: 'pem' }).toString();
