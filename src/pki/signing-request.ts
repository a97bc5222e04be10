// PKCS#10 certificate signing requests: parsing and signature verification.
import { constants, createPublicKey, type KeyObject, verify } from 'node:crypto';
import {
  bitStringBytes,
  checkInteger,
  DerProblem,
  DerReader,
  type Element,
  elementsOf,
  objectId,
  requireEnd,
  tags,
} from './der.ts';
import { decodeString } from './der-text.ts';
import { type AlternativeNames, readAlternativeNames } from './requested-extensions.ts';
import type { BitString } from './x509/der-cursor.ts';
import { type AlgorithmIdentifier, checkPublicKey } from './x509/public-key.ts';

/** A parsed certificate signing request. */
export interface SigningRequest {
  /** The subject attributes with a string value. */
  readonly subject: readonly SubjectAttribute[];
  /** The CN of the subject, i.e. the user; '' if absent. */
  readonly commonName: string;
  /** The Os of the subject, i.e. the groups. */
  readonly organizations: readonly string[];
  /** The requested subject alternative names. */
  readonly otherNames: AlternativeNames;
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
const curveKey = '2a8648ce3d0201';
const edwardsKey = '2b6570';
const pssSignature = '2a864886f70d01010a';

type KeyKind = 'RSA' | 'ECDSA' | 'Ed25519';

interface SignatureKind {
  readonly key: KeyKind;
  readonly hash: string | null;
}

const signatures: Readonly<Record<string, SignatureKind>> = {
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
  [edwardsKey]: { key: 'Ed25519', hash: null },
};

/** The RSASSA-PSS parameters that Go accepts: the salt is as long as the hash. */
const pssHashes: Readonly<Record<string, string>> = {
  [pssParameters('01', '20')]: 'sha256',
  [pssParameters('02', '30')]: 'sha384',
  [pssParameters('03', '40')]: 'sha512',
};

function pssParameters(hash: string, saltLength: string): string {
  const algorithm = `300d06096086480165030402${hash}0500`;
  return `3034a00f${algorithm}a11c301a06092a864886f70d010108${algorithm}a2030201${saltLength}`;
}

const keyTypes: Readonly<Record<KeyKind, string>> = {
  RSA: '*rsa.PublicKey',
  ECDSA: '*ecdsa.PublicKey',
  Ed25519: 'ed25519.PublicKey',
};

const minRsaKeyBits = 1024;

/** Parses a request and verifies its signature, which proves possession of the private key. Throws a DerProblem. */
export function readSigningRequest(der: Buffer): SigningRequest {
  const outer = new DerReader(der);
  const request = new DerReader(outer.read(tags.sequence, 'certificateRequest').content);
  const asked = request.read(tags.sequence, 'tbsCertificateRequest');
  const inner = new DerReader(asked.content);
  checkInteger(inner.read(tags.integer, 'int'));
  const subject = inner.readAny();
  const key = readKeyInfo(inner.read(tags.sequence, 'publicKeyInfo'));
  const attributes = elementsOf(inner.read(0, '', true).content);
  const algorithm = readAlgorithm(request.read(tags.sequence, 'AlgorithmIdentifier'));
  const signature = bitStringBytes(request.read(tags.bitString, 'BitString'));
  requireEnd(outer);

  const publicKey = readKey(key);
  const parts = readSubject(subject);
  const otherNames = readAlternativeNames(attributes);
  checkSignature(asked.whole, algorithm, signature, publicKey);
  const textsOf = (wanted: string) => parts.filter(({ type }) => type === wanted).map(({ text }) => text);
  return {
    subject: parts,
    commonName: textsOf(commonName).at(-1) ?? '',
    organizations: textsOf(organization),
    otherNames,
    publicKey: key.whole,
  };
}

interface KeyInfo extends AlgorithmIdentifier {
  readonly key: BitString;
  readonly whole: Buffer;
}

function readAlgorithm({ content }: Element): AlgorithmIdentifier {
  const reader = new DerReader(content);
  const id = objectId(reader.read(tags.objectId, 'ObjectIdentifier'));
  return { id, parameters: reader.isAtEnd ? Buffer.alloc(0) : reader.readAny().whole };
}

function readKeyInfo({ content, whole }: Element): KeyInfo {
  const reader = new DerReader(content);
  const algorithm = readAlgorithm(reader.read(tags.sequence, 'AlgorithmIdentifier'));
  const key = reader.read(tags.bitString, 'BitString');
  return { ...algorithm, key: { padding: key.content[0] ?? 0, bytes: bitStringBytes(key) }, whole };
}

interface PublicKey {
  readonly kind: KeyKind;
  /** Undefined if OpenSSL cannot use the key; then no signature verifies. */
  readonly key: KeyObject | undefined;
}

const keyKinds: Readonly<Record<string, KeyKind>> = {
  [rsaKey]: 'RSA',
  [curveKey]: 'ECDSA',
  [edwardsKey]: 'Ed25519',
};

/** Undefined for key types without a supported signature algorithm. */
function readKey(info: KeyInfo): PublicKey | undefined {
  checkPublicKey(info, info.key);
  const kind = keyKinds[info.id];
  return kind && { kind, key: keyObject(info.whole) };
}

function keyObject(whole: Buffer): KeyObject | undefined {
  try {
    return createPublicKey({ key: whole, format: 'der', type: 'spki' });
  } catch {
    return undefined;
  }
}

/** Parses an RDNSequence. */
function readSubject({ whole }: Element): SubjectAttribute[] {
  const reader = new DerReader(whole);
  const sets = elementsOf(reader.read(tags.sequence, 'RDNSequence').content, tags.set);
  return sets.flatMap(({ content }) =>
    elementsOf(content, tags.sequence).flatMap(({ content: part }) => {
      const pair = new DerReader(part);
      const type = objectId(pair.read(tags.objectId, 'ObjectIdentifier'));
      const text = decodeString(pair.readAny());
      return text === undefined ? [] : [{ type, text }];
    }),
  );
}

const unimplemented = 'x509: cannot verify signature: algorithm unimplemented';

function checkSignature(
  signed: Buffer,
  { id, parameters }: AlgorithmIdentifier,
  signature: Buffer,
  publicKey: PublicKey | undefined,
): void {
  const pssHash = id === pssSignature ? pssHashes[parameters.toString('hex')] : undefined;
  const kind: SignatureKind | undefined = pssHash ? { key: 'RSA', hash: pssHash } : signatures[id];
  if (!kind || (kind.hash === null && parameters.length > 0)) throw new DerProblem(unimplemented);
  if (kind.hash === 'md5') {
    throw new DerProblem('x509: cannot verify signature: insecure algorithm MD5-RSA');
  }
  if (!publicKey) throw new DerProblem(unimplemented);
  const { kind: has, key } = publicKey;
  if (has !== kind.key) {
    throw new DerProblem(
      `x509: signature algorithm specifies an ${kind.key} public key, but have public key of type ${keyTypes[has]}`,
    );
  }
  const size = key?.asymmetricKeyDetails?.modulusLength ?? minRsaKeyBits;
  if (size < minRsaKeyBits) {
    throw new DerProblem(
      `crypto/rsa: ${size}-bit keys are insecure (see https://go.dev/pkg/crypto/rsa#hdr-Minimum_key_size)`,
    );
  }
  const padding = pssHash
    ? { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_DIGEST }
    : {};
  if (!key || !verifies(kind.hash, signed, { key, ...padding }, signature))
    throw new DerProblem(mismatch[has]);
}

const mismatch: Readonly<Record<KeyKind, string>> = {
  RSA: 'crypto/rsa: verification error',
  ECDSA: 'x509: ECDSA verification failure',
  Ed25519: 'x509: Ed25519 verification failure',
};

function verifies(
  hash: string | null,
  signed: Buffer,
  key: Parameters<typeof verify>[2],
  signature: Buffer,
): boolean {
  try {
    return verify(hash, signed, key, signature);
  } catch {
    return false;
  }
}
