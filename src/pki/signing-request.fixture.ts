// Test fixture: creates PKCS#10 certificate signing requests.
import { constants, generateKeyPairSync, type KeyPairKeyObjectResult, sign } from 'node:crypto';

export interface RequestOptions {
  readonly commonName?: string;
  readonly organizations?: readonly string[];
  readonly keys?: KeyPairKeyObjectResult;
  /** AlgorithmIdentifier of the signature: object identifier and parameters as DER in hexadecimal. */
  readonly algorithm?: string;
  readonly hash?: string | null;
  readonly isPss?: boolean;
  /** DER; by default it has the common name and the organizations. */
  readonly subject?: Buffer;
  /** DER of the attributes. */
  readonly attributes?: Buffer;
}

export const keyPairs = {
  ec: () => generateKeyPairSync('ec', { namedCurve: 'P-256' }),
  ec384: () => generateKeyPairSync('ec', { namedCurve: 'P-384' }),
  otherCurve: () => generateKeyPairSync('ec', { namedCurve: 'secp256k1' }),
  rsa: (modulusLength = 2048) => generateKeyPairSync('rsa', { modulusLength }),
  ed25519: () => generateKeyPairSync('ed25519'),
  ed448: () => generateKeyPairSync('ed448'),
};

/** AlgorithmIdentifiers of signatures. */
export const algorithms = {
  ecdsaSha256: '06082a8648ce3d040302',
  ecdsaSha1: '06072a8648ce3d0401',
  rsaMd5: '06092a864886f70d0101040500',
  rsaSha1: '06092a864886f70d0101050500',
  rsaSha256: '06092a864886f70d01010b0500',
  ed25519: '06032b6570',
  ed448: '06032b6571',
  pssSha256:
    '06092a864886f70d01010a3034a00f300d06096086480165030402010500a11c301a06092a864886f70d010108300d06096086480165030402010500a203020120',
} as const;

/** A request in DER, signed with the key that it contains. */
export function makeRequest({
  commonName = 'someone',
  organizations = [],
  keys = keyPairs.ec(),
  algorithm = algorithms.ecdsaSha256,
  hash = 'sha256',
  isPss = false,
  subject = encodeSubject(commonName, organizations),
  attributes = Buffer.alloc(0),
}: RequestOptions = {}): Buffer {
  const key = keys.publicKey.export({ type: 'spki', format: 'der' });
  const tbsRequest = value(0x30, Buffer.from('020100', 'hex'), subject, key, value(0xa0, attributes));
  const padding = isPss
    ? { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_DIGEST }
    : {};
  const signature = sign(hash, tbsRequest, { key: keys.privateKey, ...padding });
  const signatureAlgorithm = value(0x30, Buffer.from(algorithm, 'hex'));
  return value(0x30, tbsRequest, signatureAlgorithm, value(0x03, Buffer.from([0]), signature));
}

function encodeSubject(commonName: string, organizations: readonly string[]): Buffer {
  const names: [oid: string, name: string][] = [
    ['550403', commonName],
    ...organizations.map((name): [string, string] => ['55040a', name]),
  ];
  return value(
    0x30,
    ...names.map(([oid, name]) => relativeDistinguishedName(oid, value(0x0c, Buffer.from(name)))),
  );
}

/** A RelativeDistinguishedName with one attribute. */
export const relativeDistinguishedName = (oid: string, part: Buffer) =>
  value(0x31, value(0x30, value(0x06, Buffer.from(oid, 'hex')), part));

/** The extensionRequest attribute. */
export const extensionRequest = (...extensions: Buffer[]) =>
  value(0x30, Buffer.from('06092a864886f70d01090e', 'hex'), value(0x31, value(0x30, ...extensions)));

/** The subjectAltName extension. */
export const subjectAltNames = (...names: Buffer[]) =>
  value(0x30, Buffer.from('0603551d11', 'hex'), value(0x04, value(0x30, ...names)));

export function requestPem(der: Buffer, type = 'CERTIFICATE REQUEST'): string {
  const lines = der.toString('base64').replace(/.{64}(?=.)/g, '$&\n');
  return `-----BEGIN ${type}-----\n${lines}\n-----END ${type}-----\n`;
}

/** A DER value. */
export function value(tag: number, ...parts: Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}
