// Issues certificates signed by a CA.
import { createPrivateKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { isIP } from 'node:net';
import type { Extension } from '@peculiar/asn1-x509';
import { CertificateMaker, type Subject } from './certificate-maker.ts';
import type { KeyPair } from './certificates.ts';

const commonName = '2.5.4.3';
const organization = '2.5.4.10';

const year = 365 * 24 * 60 * 60 * 1000;
const authorityYears = 10;
const certificateYears = 1;

/** Clocks differ: what is made now is already good a little before. */
const clockSkew = 5 * 60 * 1000;

const validFor = (years: number, now: number) => ({ from: now - clockSkew, until: now + years * year });

/** Makes a certificate authority. */
export async function makeAuthority(name: string, now: number): Promise<KeyPair> {
  const maker = await CertificateMaker.load();
  const { x509 } = maker;
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const certificate = maker.selfSigned(privateKey, {
    subject: [[[commonName, name]]],
    publicKey: derOf(publicKey),
    validity: validFor(authorityYears, now),
    extensions: [
      maker.extension(x509.id_ce_basicConstraints, new x509.BasicConstraints({ cA: true }), true),
      maker.keyUsage(x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.digitalSignature),
    ],
  });
  return { certificate, key: pemOf(privateKey) };
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
  const maker = await CertificateMaker.load();
  const names = maker.otherNames(
    reachedAs.map((value) => (isIP(value) ? { iPAddress: value } : { dNSName: value })),
  );
  return leaf(maker, ca, [[[commonName, name]]], maker.x509.id_kp_serverAuth, [names], now);
}

/** Makes the certificate by which a client proves to be this user in these groups. */
export async function makeClient(
  ca: KeyPair,
  user: string,
  groups: readonly string[],
  now: number,
): Promise<KeyPair> {
  const maker = await CertificateMaker.load();
  const subject: Subject = [...groups.map((group) => [[organization, group]] as const), [[commonName, user]]];
  return leaf(maker, ca, subject, maker.x509.id_kp_clientAuth, [], now);
}

function leaf(
  maker: CertificateMaker,
  ca: KeyPair,
  subject: Subject,
  purpose: string,
  extensions: readonly Extension[],
  now: number,
): KeyPair {
  const { x509 } = maker;
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const certificate = maker.signed(ca.certificate, createPrivateKey(ca.key), {
    subject,
    publicKey: derOf(publicKey),
    validity: validFor(certificateYears, now),
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
