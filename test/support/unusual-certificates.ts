/** Certificates on which the trust decisions of Go and OpenSSL differ. */
import { createPrivateKey, generateKeyPairSync } from 'node:crypto';
import { isIP } from 'node:net';
import { CertificateBuilder } from '../../src/pki/certificate-builder.ts';
import type { KeyPair } from '../../src/pki/certificates.ts';

const commonName = '2.5.4.3';
const organization = '2.5.4.10';
const hour = 60 * 60 * 1000;

/** A self-signed certificate that is no CA. */
export function makeSelfSigned(...reachedAs: string[]): Promise<KeyPair> {
  return make('self-signed', reachedAs);
}

/** One whose only name is the common name of its subject. */
export function makeCommonNameOnly(authority: KeyPair, name: string): Promise<KeyPair> {
  return make(name, [], authority);
}

/** An intermediate CA. */
export async function makeIntermediate(authority: KeyPair, name: string): Promise<KeyPair> {
  const maker = await CertificateBuilder.load();
  const { x509 } = maker;
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const certificate = maker.signedByCA(authority.certificate, createPrivateKey(authority.key), {
    subject: [[[commonName, name]]],
    publicKey: publicKey.export({ type: 'spki', format: 'der' }),
    validity: { from: Date.now() - hour, until: Date.now() + 24 * hour },
    extensions: [
      maker.extension(x509.id_ce_basicConstraints, new x509.BasicConstraints({ cA: true }), {
        isCritical: true,
      }),
      maker.keyUsage(x509.KeyUsageFlags.keyCertSign),
    ],
  });
  return { certificate, key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString() };
}

async function make(name: string, reachedAs: readonly string[], authority?: KeyPair): Promise<KeyPair> {
  const maker = await CertificateBuilder.load();
  const { x509 } = maker;
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const names = reachedAs.map((value) => (isIP(value) ? { iPAddress: value } : { dNSName: value }));
  const content = {
    subject: [[[commonName, name] as const]],
    publicKey: publicKey.export({ type: 'spki', format: 'der' }),
    validity: { from: Date.now() - hour, until: Date.now() + 24 * hour },
    extensions: [
      maker.extension(x509.id_ce_basicConstraints, new x509.BasicConstraints(), { isCritical: true }),
      maker.extendedKeyUsage([x509.id_kp_serverAuth]),
      ...(names.length > 0 ? [maker.subjectAlternativeName(names)] : []),
    ],
  };
  const certificate = authority
    ? maker.signedByCA(authority.certificate, createPrivateKey(authority.key), content)
    : maker.selfSigned(privateKey, content);
  return { certificate, key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString() };
}

export interface UnusualCertificate {
  /** Organizations of the subject: the groups of a client. */
  readonly groups?: readonly string[];
  readonly isCa?: boolean;
  readonly pathLength?: number;
  /** Flags; undefined: no key usage extension. */
  readonly keyUsage?: number;
  /** Object identifiers; none: no extended key usage extension. */
  readonly extendedKeyUsage?: readonly string[];
  /** notBefore and notAfter, in hours from now. */
  readonly hours?: readonly [from: number, until: number];
}

/** A certificate with exactly these properties, signed by the CA. */
export async function issueUnusual(
  authority: KeyPair,
  name: string,
  {
    groups = [],
    isCa = false,
    pathLength,
    keyUsage,
    extendedKeyUsage = [],
    hours = [-1, 24],
  }: UnusualCertificate = {},
): Promise<KeyPair> {
  const maker = await CertificateBuilder.load();
  const { x509 } = maker;
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const constraints = new x509.BasicConstraints({
    cA: isCa,
    ...(pathLength !== undefined && { pathLenConstraint: pathLength }),
  });
  const certificate = maker.signedByCA(authority.certificate, createPrivateKey(authority.key), {
    subject: [...groups.map((group) => [[organization, group] as const]), [[commonName, name]]],
    publicKey: publicKey.export({ type: 'spki', format: 'der' }),
    validity: { from: Date.now() + hours[0] * hour, until: Date.now() + hours[1] * hour },
    extensions: [
      maker.extension(x509.id_ce_basicConstraints, constraints, { isCritical: true }),
      ...(keyUsage === undefined ? [] : [maker.keyUsage(keyUsage)]),
      ...(extendedKeyUsage.length > 0 ? [maker.extendedKeyUsage([...extendedKeyUsage])] : []),
    ],
  });
  return { certificate, key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString() };
}
