// Certificate signing requests (PKCS#10, RFC 2986): parsing and signature verification.
import { constants, createPublicKey, type KeyObject, verify } from 'node:crypto';
import {
  assertEnd,
  assertValidInteger,
  type DerElement,
  DerError,
  DerReader,
  parseBitString,
  parseElements,
  parseObjectIdentifier,
  tags,
} from './der.ts';
import { decodeString } from './der-string.ts';
import { parseRequestedSans, type SubjectAltNames } from './requested-extensions.ts';
import type { BitString } from './x509/der-cursor.ts';
import { type AlgorithmIdentifier, assertValidPublicKey } from './x509/public-key.ts';

export interface SigningRequest {
  /** The subject attributes with a string value. */
  readonly subject: readonly SubjectAttribute[];
  /** The CN of the subject, i.e. the user; '' if absent. */
  readonly commonName: string;
  /** The Os of the subject, i.e. the groups. */
  readonly organizations: readonly string[];
  /** The requested subject alternative names. */
  readonly subjectAltNames: SubjectAltNames;
  /** The SubjectPublicKeyInfo in DER. */
  readonly publicKey: Buffer;
}

/** An attribute of the subject; `type` is its object identifier in hexadecimal. */
interface SubjectAttribute {
  readonly type: string;
  readonly text: string;
}

// Object identifiers: their DER content in hexadecimal.
const commonName = '550403';
const organization = '55040a';
const rsaKey = '2a864886f70d010101';
const ecKey = '2a8648ce3d0201';
const ed25519Key = '2b6570';
const pssSignature = '2a864886f70d01010a';

type KeyAlgorithm = 'RSA' | 'ECDSA' | 'Ed25519';

interface SignatureAlgorithm {
  readonly key: KeyAlgorithm;
  readonly hash: string | null;
}

const signatureAlgorithms: Readonly<Record<string, SignatureAlgorithm>> = {
  '2a864886f70d010104': { key: 'RSA', hash: 'md5' },
  '2a864886f70d010105': { key: 'RSA', hash: 'sha1' },
  '2b0e03021d': { key: 'RSA', hash: 'sha1' },
  '2a864886f70d01010b': { key: 'RSA', hash: 'sha256' },
  '2a864886f70d01010c': { key: 'RSA', hash: 'sha384' },
  '2a864886f70d01010d': { key: 'RSA', hash: 'sha512' },
  '2a8648ce3d0401': { key: 'ECDSA', hash: 'sha1' },
  '2a8648ce3d040302': { key: 'ECDSA', hash: 'sha256' },
  '2a8648ce3d040303': { key: 'ECDSA', hash: 'sha384' },
  '2a8648ce3d040304': { key: 'ECDSA', hash: 'sha512' },
  [ed25519Key]: { key: 'Ed25519', hash: null },
};

/** The RSASSA-PSS parameters that Go accepts: the salt is as long as the hash. */
const pssHashes: Readonly<Record<string, string>> = {
  [pssParameters('01', '20')]: 'sha256',
  [pssParameters('02', '30')]: 'sha384',
  [pssParameters('03', '40')]: 'sha512',
};

/** The DER of the parameters in hexadecimal; `hash` is the last byte of its object identifier. */
function pssParameters(hash: string, saltLength: string): string {
  const algorithm = `300d06096086480165030402${hash}0500`;
  return `3034a00f${algorithm}a11c301a06092a864886f70d010108${algorithm}a2030201${saltLength}`;
}

const goKeyTypes: Readonly<Record<KeyAlgorithm, string>> = {
  RSA: '*rsa.PublicKey',
  ECDSA: '*ecdsa.PublicKey',
  Ed25519: 'ed25519.PublicKey',
};

/** Go's crypto/rsa rejects shorter keys. */
const minRsaKeyBits = 1024;

/** Parses a request and verifies its signature, which proves possession of the private key. Throws DerError. */
export function parseSigningRequest(der: Buffer): SigningRequest {
  const outer = new DerReader(der);
  const request = new DerReader(outer.read(tags.sequence, 'certificateRequest').content);
  const tbsRequest = request.read(tags.sequence, 'tbsCertificateRequest');
  const inner = new DerReader(tbsRequest.content);
  assertValidInteger(inner.read(tags.integer, 'int'));
  const subject = inner.readAny();
  const key = parsePublicKeyInfo(inner.read(tags.sequence, 'publicKeyInfo'));
  const attributes = parseElements(inner.readContextSpecific(0, '').content);
  const algorithm = parseAlgorithmIdentifier(request.read(tags.sequence, 'AlgorithmIdentifier'));
  const signature = parseBitString(request.read(tags.bitString, 'BitString'));
  assertEnd(outer);

  const publicKey = parsePublicKey(key);
  const subjectAttributes = parseSubject(subject);
  const subjectAltNames = parseRequestedSans(attributes);
  verifySignature(tbsRequest.whole, algorithm, signature, publicKey);
  const valuesOf = (attributeType: string) =>
    subjectAttributes.filter(({ type }) => type === attributeType).map(({ text }) => text);
  return {
    subject: subjectAttributes,
    commonName: valuesOf(commonName).at(-1) ?? '',
    organizations: valuesOf(organization),
    subjectAltNames,
    publicKey: key.whole,
  };
}

interface PublicKeyInfo extends AlgorithmIdentifier {
  readonly key: BitString;
  readonly whole: Buffer;
}

function parseAlgorithmIdentifier({ content }: DerElement): AlgorithmIdentifier {
  const reader = new DerReader(content);
  const id = parseObjectIdentifier(reader.read(tags.objectId, 'ObjectIdentifier'));
  return { id, parameters: reader.isAtEnd ? Buffer.alloc(0) : reader.readAny().whole };
}

function parsePublicKeyInfo({ content, whole }: DerElement): PublicKeyInfo {
  const reader = new DerReader(content);
  const algorithm = parseAlgorithmIdentifier(reader.read(tags.sequence, 'AlgorithmIdentifier'));
  const key = reader.read(tags.bitString, 'BitString');
  return { ...algorithm, key: { padding: key.content[0] ?? 0, bytes: parseBitString(key) }, whole };
}

interface ParsedPublicKey {
  readonly algorithm: KeyAlgorithm;
  /** Undefined if OpenSSL cannot use the key; then no signature verifies. */
  readonly key: KeyObject | undefined;
}

const keyAlgorithms: Readonly<Record<string, KeyAlgorithm>> = {
  [rsaKey]: 'RSA',
  [ecKey]: 'ECDSA',
  [ed25519Key]: 'Ed25519',
};

/** Undefined for key types without a supported signature algorithm. */
function parsePublicKey(info: PublicKeyInfo): ParsedPublicKey | undefined {
  assertValidPublicKey(info, info.key);
  const algorithm = keyAlgorithms[info.id];
  return algorithm && { algorithm, key: createKeyObject(info.whole) };
}

function createKeyObject(whole: Buffer): KeyObject | undefined {
  try {
    return createPublicKey({ key: whole, format: 'der', type: 'spki' });
  } catch {
    return undefined;
  }
}

/** Parses an RDNSequence. */
function parseSubject({ whole }: DerElement): SubjectAttribute[] {
  const reader = new DerReader(whole);
  const sets = parseElements(reader.read(tags.sequence, 'RDNSequence').content, tags.set);
  return sets.flatMap(({ content }) =>
    parseElements(content, tags.sequence).flatMap(({ content: attributeContent }) => {
      const attribute = new DerReader(attributeContent);
      const type = parseObjectIdentifier(attribute.read(tags.objectId, 'ObjectIdentifier'));
      const text = decodeString(attribute.readAny());
      return text === undefined ? [] : [{ type, text }];
    }),
  );
}

const unimplementedAlgorithm = 'x509: cannot verify signature: algorithm unimplemented';

/** Throws DerError with Go's message if the signature is not valid, or its algorithm not supported. */
function verifySignature(
  signedBytes: Buffer,
  { id, parameters }: AlgorithmIdentifier,
  signature: Buffer,
  publicKey: ParsedPublicKey | undefined,
): void {
  const pssHash = id === pssSignature ? pssHashes[parameters.toString('hex')] : undefined;
  const signatureAlgorithm: SignatureAlgorithm | undefined = pssHash
    ? { key: 'RSA', hash: pssHash }
    : signatureAlgorithms[id];
  if (!signatureAlgorithm || (signatureAlgorithm.hash === null && parameters.length > 0))
    throw new DerError(unimplementedAlgorithm);
  if (signatureAlgorithm.hash === 'md5') {
    throw new DerError('x509: cannot verify signature: insecure algorithm MD5-RSA');
  }
  if (!publicKey) throw new DerError(unimplementedAlgorithm);
  const { algorithm: keyAlgorithm, key } = publicKey;
  if (keyAlgorithm !== signatureAlgorithm.key) {
    throw new DerError(
      `x509: signature algorithm specifies an ${signatureAlgorithm.key} public key, but have public key of type ${goKeyTypes[keyAlgorithm]}`,
    );
  }
  const keyBits = key?.asymmetricKeyDetails?.modulusLength ?? minRsaKeyBits;
  if (keyBits < minRsaKeyBits) {
    throw new DerError(
      `crypto/rsa: ${keyBits}-bit keys are insecure (see https://go.dev/pkg/crypto/rsa#hdr-Minimum_key_size)`,
    );
  }
  const padding = pssHash
    ? { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_DIGEST }
    : {};
  if (!key || !isValidSignature(signatureAlgorithm.hash, signedBytes, { key, ...padding }, signature))
    throw new DerError(verificationErrors[keyAlgorithm]);
}

const verificationErrors: Readonly<Record<KeyAlgorithm, string>> = {
  RSA: 'crypto/rsa: verification error',
  ECDSA: 'x509: ECDSA verification failure',
  Ed25519: 'x509: Ed25519 verification failure',
};

function isValidSignature(
  hash: string | null,
  signedBytes: Buffer,
  key: Parameters<typeof verify>[2],
  signature: Buffer,
): boolean {
  try {
    return verify(hash, signedBytes, key, signature);
  } catch {
    return false;
  }
}
