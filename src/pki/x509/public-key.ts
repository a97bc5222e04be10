// Validates the SubjectPublicKeyInfo of a certificate as Go does.
import { ECDH } from 'node:crypto';
import { DerError } from '../der.ts';
import { type BitString, DerCursor, tag } from './der-cursor.ts';

// Object identifiers: their DER content in hexadecimal.
const rsa = '2a864886f70d010101';
const dsa = '2a8648ce380401';
const ecdsa = '2a8648ce3d0201';
const ed25519 = '2b6570';

interface Curve {
  readonly openSslName: string;
  /** The names in Go's error messages. */
  readonly goName: string;
  readonly goElementName: string;
  /** The size of a coordinate, and the prime of the field. */
  readonly coordinateBytes: number;
  readonly prime: bigint;
}

const curves: Readonly<Record<string, Curve>> = {
  '2b81040021': {
    openSslName: 'secp224r1',
    goName: 'P224',
    goElementName: 'P224Element',
    coordinateBytes: 28,
    prime: 2n ** 224n - 2n ** 96n + 1n,
  },
  '2a8648ce3d030107': {
    openSslName: 'prime256v1',
    goName: 'P256',
    goElementName: 'P256 element',
    coordinateBytes: 32,
    prime: 2n ** 256n - 2n ** 224n + 2n ** 192n + 2n ** 96n - 1n,
  },
  '2b81040022': {
    openSslName: 'secp384r1',
    goName: 'P384',
    goElementName: 'P384Element',
    coordinateBytes: 48,
    prime: 2n ** 384n - 2n ** 128n - 2n ** 96n + 2n ** 32n - 1n,
  },
  '2b81040023': {
    openSslName: 'secp521r1',
    goName: 'P521',
    goElementName: 'P521Element',
    coordinateBytes: 66,
    prime: 2n ** 521n - 1n,
  },
};

export interface AlgorithmIdentifier {
  readonly id: string;
  /** DER; empty if absent. */
  readonly parameters: Buffer;
}

export function parseAlgorithmIdentifier(cursor: DerCursor): AlgorithmIdentifier {
  const id = cursor.readObjectIdentifier('x509: malformed OID');
  const parameters = cursor.isAtEnd ? Buffer.alloc(0) : cursor.readAny('x509: malformed parameters').whole;
  return { id, parameters };
}

/** Throws DerError. */
export function assertValidPublicKeyInfo(info: DerCursor): void {
  const algorithm = parseAlgorithmIdentifier(
    info.enter(tag.sequence, 'x509: malformed public key algorithm identifier'),
  );
  assertValidPublicKey(algorithm, info.readBitString('x509: malformed subjectPublicKey'));
}

/** Throws DerError. Keys of algorithms other than those below are accepted. */
export function assertValidPublicKey({ id, parameters }: AlgorithmIdentifier, key: BitString): void {
  keyValidators[id]?.(rightAlign(key), parameters);
}

const keyValidators: Readonly<Record<string, (key: Buffer, parameters: Buffer) => void>> = {
  [rsa]: (key, parameters) => {
    if (parameters.toString('hex') !== '0500') throw new DerError('x509: RSA key missing NULL parameters');
    const numbers = new DerCursor(key).enter(tag.sequence, 'x509: invalid RSA public key');
    const modulus = numbers.readInteger('x509: invalid RSA modulus');
    const exponent = numbers.readInt64('x509: invalid RSA public exponent');
    if (!isPositive(modulus)) throw new DerError('x509: RSA modulus is not a positive number');
    if (exponent <= 0n) throw new DerError('x509: RSA public exponent is not a positive number');
  },
  [ecdsa]: (key, parameters) => {
    const id = new DerCursor(parameters).readObjectIdentifier('x509: invalid ECDSA parameters');
    const curve = curves[id];
    if (!curve) throw new DerError('x509: unsupported elliptic curve');
    assertValidEcPoint(key, curve);
  },
  [ed25519]: (key, parameters) => {
    if (parameters.length > 0) throw new DerError('x509: Ed25519 key encoded with illegal parameters');
    if (key.length !== 32) throw new DerError('x509: wrong Ed25519 public key size');
  },
  [dsa]: (key, parameters) => {
    const y = new DerCursor(key).readInteger('x509: invalid DSA public key');
    const numbers = new DerCursor(parameters).enter(tag.sequence, 'x509: invalid DSA parameters');
    const [p, q, g] = [1, 2, 3].map(() => numbers.readInteger('x509: invalid DSA parameters'));
    if (![y, p!, q!, g!].every(isPositive)) throw new DerError('x509: zero or negative DSA parameter');
  },
};

const isPositive = (integer: Buffer) => integer[0]! < 0x80 && !(integer.length === 1 && integer[0] === 0);

/** The key must be an uncompressed point on the curve. */
function assertValidEcPoint(
  key: Buffer,
  { openSslName, goName, goElementName, coordinateBytes, prime }: Curve,
): void {
  if (key[0] !== 4) throw new DerError('ecdsa: invalid uncompressed public key');
  if (key.length !== 1 + 2 * coordinateBytes) throw new DerError(`invalid ${goName} point encoding`);
  const coordinates = [key.subarray(1, 1 + coordinateBytes), key.subarray(1 + coordinateBytes)];
  if (coordinates.some((coordinate) => BigInt(`0x${coordinate.toString('hex')}`) >= prime)) {
    throw new DerError(`invalid ${goElementName} encoding`);
  }
  try {
    ECDH.convertKey(key, openSslName);
  } catch {
    throw new DerError(`${goName} point not on curve`);
  }
}

/** Go's BitString.RightAlign: moves the unused bits to the front. */
function rightAlign({ padding, bytes }: BitString): Buffer {
  if (padding === 0) return bytes;
  return Buffer.from(
    bytes.map((byte, index) => (byte >> padding) | ((bytes[index - 1] ?? 0) << (8 - padding))),
  );
}
