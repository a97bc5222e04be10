// X.509: checks a SubjectPublicKeyInfo.
import { ECDH } from 'node:crypto';
import { DerProblem } from '../der.ts';
import { type BitString, DerCursor, tag } from './der-cursor.ts';

// The bytes of object identifiers, in hexadecimal.
const rsa = '2a864886f70d010101';
const dsa = '2a8648ce380401';
const ecdsa = '2a8648ce3d0201';
const ed25519 = '2b6570';

interface Curve {
  readonly id: string;
  /** What messages call it. */
  readonly name: string;
  readonly element: string;
  /** The bytes of a coordinate, and the prime that each coordinate is below. */
  readonly size: number;
  readonly prime: bigint;
}

const curves: Readonly<Record<string, Curve>> = {
  '2b81040021': {
    id: 'secp224r1',
    name: 'P224',
    element: 'P224Element',
    size: 28,
    prime: 2n ** 224n - 2n ** 96n + 1n,
  },
  '2a8648ce3d030107': {
    id: 'prime256v1',
    name: 'P256',
    element: 'P256 element',
    size: 32,
    prime: 2n ** 256n - 2n ** 224n + 2n ** 192n + 2n ** 96n - 1n,
  },
  '2b81040022': {
    id: 'secp384r1',
    name: 'P384',
    element: 'P384Element',
    size: 48,
    prime: 2n ** 384n - 2n ** 128n - 2n ** 96n + 2n ** 32n - 1n,
  },
  '2b81040023': {
    id: 'secp521r1',
    name: 'P521',
    element: 'P521Element',
    size: 66,
    prime: 2n ** 521n - 1n,
  },
};

export interface AlgorithmIdentifier {
  readonly id: string;
  /** DER, empty where there are none. */
  readonly parameters: Buffer;
}

export function readAlgorithm(cursor: DerCursor): AlgorithmIdentifier {
  const id = cursor.readObjectId('x509: malformed OID');
  const parameters = cursor.isAtEnd ? Buffer.alloc(0) : cursor.readAny('x509: malformed parameters').whole;
  return { id, parameters };
}

export function checkPublicKeyInfo(info: DerCursor): void {
  const algorithm = readAlgorithm(
    info.enter(tag.sequence, 'x509: malformed public key algorithm identifier'),
  );
  checkPublicKey(algorithm, info.readBits('x509: malformed subjectPublicKey'));
}

/** A key of an algorithm that is not known here is not looked into. */
export function checkPublicKey({ id, parameters }: AlgorithmIdentifier, key: BitString): void {
  checks[id]?.(rightAligned(key), parameters);
}

const checks: Readonly<Record<string, (key: Buffer, parameters: Buffer) => void>> = {
  [rsa]: (key, parameters) => {
    if (parameters.toString('hex') !== '0500') throw new DerProblem('x509: RSA key missing NULL parameters');
    const numbers = new DerCursor(key).enter(tag.sequence, 'x509: invalid RSA public key');
    const modulus = numbers.readInteger('x509: invalid RSA modulus');
    const exponent = numbers.readInt64('x509: invalid RSA public exponent');
    if (!isPositive(modulus)) throw new DerProblem('x509: RSA modulus is not a positive number');
    if (exponent <= 0n) throw new DerProblem('x509: RSA public exponent is not a positive number');
  },
  [ecdsa]: (key, parameters) => {
    const id = new DerCursor(parameters).readObjectId('x509: invalid ECDSA parameters');
    const curve = curves[id];
    if (!curve) throw new DerProblem('x509: unsupported elliptic curve');
    checkPoint(key, curve);
  },
  [ed25519]: (key, parameters) => {
    if (parameters.length > 0) throw new DerProblem('x509: Ed25519 key encoded with illegal parameters');
    if (key.length !== 32) throw new DerProblem('x509: wrong Ed25519 public key size');
  },
  [dsa]: (key, parameters) => {
    const y = new DerCursor(key).readInteger('x509: invalid DSA public key');
    const numbers = new DerCursor(parameters).enter(tag.sequence, 'x509: invalid DSA parameters');
    const [p, q, g] = [1, 2, 3].map(() => numbers.readInteger('x509: invalid DSA parameters'));
    if (![y, p!, q!, g!].every(isPositive)) throw new DerProblem('x509: zero or negative DSA parameter');
  },
};

const isPositive = (integer: Buffer) => integer[0]! < 0x80 && !(integer.length === 1 && integer[0] === 0);

/** A key is an uncompressed point on the curve. */
function checkPoint(key: Buffer, { id, name, element, size, prime }: Curve): void {
  if (key[0] !== 4) throw new DerProblem('ecdsa: invalid uncompressed public key');
  if (key.length !== 1 + 2 * size) throw new DerProblem(`invalid ${name} point encoding`);
  const coordinates = [key.subarray(1, 1 + size), key.subarray(1 + size)];
  if (coordinates.some((coordinate) => BigInt(`0x${coordinate.toString('hex')}`) >= prime)) {
    throw new DerProblem(`invalid ${element} encoding`);
  }
  try {
    ECDH.convertKey(key, id);
  } catch {
    throw new DerProblem(`${name} point not on curve`);
  }
}

/** The bits of a BIT STRING as a number has them: its padding goes to the front. */
function rightAligned({ padding, bytes }: BitString): Buffer {
  if (padding === 0) return bytes;
  return Buffer.from(bytes.map((byte, at) => (byte >> padding) | ((bytes[at - 1] ?? 0) << (8 - padding))));
}
