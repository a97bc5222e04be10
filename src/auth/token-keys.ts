// Keys of service account tokens: signing, verification and the JSON Web Key Set.
import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto';

export interface VerificationKey {
  /** The `kid` of tokens. */
  readonly id: string;
  /** `RS256`, `ES256`, `ES384` or `ES512`. */
  readonly algorithm: string;
  readonly publicKey: KeyObject;
}

export interface SigningKey extends VerificationKey {
  readonly privateKey: KeyObject;
}

const curveAlgorithms: Readonly<Record<string, string>> = {
  prime256v1: 'ES256',
  secp384r1: 'ES384',
  secp521r1: 'ES512',
};
const digests: Readonly<Record<string, string>> = {
  RS256: 'sha256',
  ES256: 'sha256',
  ES384: 'sha384',
  ES512: 'sha512',
};

/** Reads the private key that signs tokens. `origin` names the file in errors, which never contain the key. */
export function readSigningKey(pem: string, origin: string): SigningKey {
  const privateKey = readKey(() => createPrivateKey(pem), origin);
  return { ...verificationKey(createPublicKey(privateKey), origin), privateKey };
}

const pemBlock = /-----BEGIN ([A-Z0-9 ]+)-----[^-]+-----END \1-----/g;

/** Reads all public keys of a file, including those of certificates and private keys. */
export function readVerificationKeys(pem: string, origin: string): VerificationKey[] {
  const keys: VerificationKey[] = [];
  for (const [text, label] of pem.matchAll(pemBlock)) {
    // OpenSSL writes the curve's parameters as a block before the key.
    if (label === 'EC PARAMETERS') continue;
    keys.push(
      verificationKey(
        readKey(() => createPublicKey(text), origin),
        origin,
      ),
    );
  }
  if (keys.length === 0) throw new Error(`${origin} contains no PEM keys`);
  return keys;
}

function readKey(read: () => KeyObject, origin: string): KeyObject {
  try {
    return read();
  } catch {
    throw new Error(`${origin} contains a PEM key that cannot be parsed`);
  }
}

function verificationKey(publicKey: KeyObject, origin: string): VerificationKey {
  const algorithm = signatureAlgorithm(publicKey);
  if (algorithm === undefined) throw new Error(`${origin} contains a key that is neither RSA nor ECDSA`);
  const der = publicKey.export({ type: 'spki', format: 'der' });
  return { id: createHash('sha256').update(der).digest('base64url'), algorithm, publicKey };
}

/** The `alg` of tokens that are signed with the key; undefined for an unsupported type of key. */
function signatureAlgorithm({ asymmetricKeyType, asymmetricKeyDetails }: KeyObject): string | undefined {
  if (asymmetricKeyType === 'rsa') return 'RS256';
  return asymmetricKeyType === 'ec' ? curveAlgorithms[asymmetricKeyDetails?.namedCurve ?? ''] : undefined;
}

/** The signature of a JWS: for ECDSA not DER, but r and s concatenated (ieee-p1363). */
export function signText({ algorithm, privateKey: key }: SigningKey, text: string): string {
  const signature = sign(digests[algorithm]!, Buffer.from(text), { key, dsaEncoding: 'ieee-p1363' });
  return signature.toString('base64url');
}

export function verifySignature(
  { algorithm, publicKey: key }: VerificationKey,
  text: string,
  signature: string,
): boolean {
  const bytes = Buffer.from(signature, 'base64url');
  return verify(digests[algorithm]!, Buffer.from(text), { key, dsaEncoding: 'ieee-p1363' }, bytes);
}

export function jsonWebKeySet(keys: readonly VerificationKey[]): object {
  return {
    keys: keys.map(({ id, algorithm, publicKey }) => {
      const { kty, crv, x, y, n, e } = publicKey.export({ format: 'jwk' });
      return { use: 'sig', kty, kid: id, crv, alg: algorithm, x, y, n, e };
    }),
  };
}
