// Creates the CA, and issues serving and client certificates.
import { createPrivateKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { isIP } from 'node:net';
import type { Extension } from '@peculiar/asn1-x509';
import { CertificateBuilder, type RdnSequence } from './certificate-maker.ts';
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
  const maker = await CertificateBuilder.load();
  const { x509 } = maker;
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const certificate = maker.selfSigned(privateKey, {
    subject: [[[commonName, name]]],
    publicKey: derOf(publicKey),
    validity: validFor(caValidityYears, now),
    extensions: [
      maker.extension(x509.id_ce_basicConstraints, new x509.BasicConstraints({ cA: true }), true),
      maker.keyUsage(x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.digitalSignature),
    ],
  });
  return { certificate, key: pemOf(privateKey) };
}

export interface ServingRequest {
  readonly name: string;
  /** The subject alternative names: DNS names and IP addresses. */
  readonly reachedAs: readonly string[];
}

/** Issues a TLS serving certificate. */
export async function issueServingCertificate(
  ca: KeyPair,
  { name, reachedAs }: ServingRequest,
  now: number,
): Promise<KeyPair> {
  const maker = await CertificateBuilder.load();
  const names = maker.otherNames(
    reachedAs.map((value) => (isIP(value) ? { iPAddress: value } : { dNSName: value })),
  );
  return issueLeaf(maker, ca, [[[commonName, name]]], maker.x509.id_kp_serverAuth, [names], now);
}

/** Issues a client certificate: the user is the CN, the groups are the Os of the subject. */
export async function issueClientCertificate(
  ca: KeyPair,
  user: string,
  groups: readonly string[],
  now: number,
): Promise<KeyPair> {
  const maker = await CertificateBuilder.load();
  const subject: RdnSequence = [
    ...groups.map((group) => [[organization, group]] as const),
    [[commonName, user]],
  ];
  return issueLeaf(maker, ca, subject, maker.x509.id_kp_clientAuth, [], now);
}

function issueLeaf(
  maker: CertificateBuilder,
  ca: KeyPair,
  subject: RdnSequence,
  purpose: string,
  extensions: readonly Extension[],
  now: number,
): KeyPair {
  const { x509 } = maker;
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const certificate = maker.signed(ca.certificate, createPrivateKey(ca.key), {
    subject,
    publicKey: derOf(publicKey),
    validity: validFor(leafValidityYears, now),
    extensions: [
      maker.extension(x509.id_ce_basicConstraints, new x509.BasicConstraints(), true),
      maker.keyUsage(x509.KeyUsageFlags.digitalSignature),
      maker.purposes([purpose]),
      ...extensions,
    ],
  });
  return { certificate, key: pemOf(privateKey) };
}

const derOf = (publicKey: KeyObject) => publicKey.export({ type: 'spki', format: 'der' });

const pemOf = (key: KeyObject) => key.export({ type: 'pkcs8', format: 'pem' }).toString();
