// Test fixture: a valid CA certificate, and variants with one defect each and the message of Go's crypto/x509.
import { generateKeyPairSync, sign } from 'node:crypto';
import { toPem } from '../pem.ts';
import { value } from '../signing-request.fixture.ts';

const hex = (digits: string) => Buffer.from(digits, 'hex');
const text = (tag: number, content: string) => value(tag, Buffer.from(content));

const keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const spki = keys.publicKey.export({ type: 'spki', format: 'der' });
const ecdsaSha256 = hex('300a06082a8648ce3d040302');
const ecdsaSha384 = hex('300a06082a8648ce3d040303');
const basicConstraints = hex('300f0603551d130101ff040530030101ff');
const anyExtendedKeyUsage = hex('300f0603551d25040830060604551d2500');

const nameOf = (attribute: Buffer) => value(0x30, value(0x31, value(0x30, hex('0603550403'), attribute)));
const extension = (id: string, content: Buffer, isCritical = false) =>
  value(0x30, value(6, hex(id)), ...(isCritical ? [hex('0101ff')] : []), value(4, content));

interface CertificateParts {
  readonly version: Buffer;
  readonly serial: Buffer;
  readonly algorithm: Buffer;
  readonly outerAlgorithm: Buffer;
  readonly issuer: Buffer;
  readonly notBefore: Buffer;
  readonly notAfter: Buffer;
  readonly subject: Buffer;
  readonly key: Buffer;
  readonly extensions: readonly Buffer[];
  readonly signaturePadding: number;
}

const good: CertificateParts = {
  version: hex('a003020102'),
  serial: hex('020101'),
  algorithm: ecdsaSha256,
  outerAlgorithm: ecdsaSha256,
  issuer: nameOf(text(12, 'Some CA')),
  notBefore: text(0x17, '260101000000Z'),
  notAfter: text(0x18, '21260101000000Z'),
  subject: nameOf(text(12, 'Some CA')),
  key: spki,
  extensions: [basicConstraints],
  signaturePadding: 0,
};

function build(changes: Partial<CertificateParts> = {}): Buffer {
  const parts = { ...good, ...changes };
  const tbs = value(
    0x30,
    parts.version,
    parts.serial,
    parts.algorithm,
    parts.issuer,
    value(0x30, parts.notBefore, parts.notAfter),
    parts.subject,
    parts.key,
    value(0xa3, value(0x30, ...parts.extensions)),
  );
  const signature = sign('sha256', tbs, keys.privateKey);
  return value(0x30, tbs, parts.outerAlgorithm, value(3, Buffer.from([parts.signaturePadding]), signature));
}

const withExtension = (id: string, content: string, isCritical = false) =>
  build({ extensions: [basicConstraints, extension(id, hex(content), isCritical)] });

export const goodCertificate = build();

/** BER allows a length in more bytes than necessary. */
function withLongLength(der: Buffer): Buffer {
  return Buffer.concat([hex('3083'), hex((der.length - 4).toString(16).padStart(6, '0')), der.subarray(4)]);
}

export const malformedCertificates: Readonly<Record<string, readonly [der: Buffer, problem: string]>> = {
  'trailing bytes': [Buffer.concat([goodCertificate, hex('00')]), 'x509: trailing data'],
  'two certificates in a block': [Buffer.concat([goodCertificate, goodCertificate]), 'x509: trailing data'],
  'empty bytes': [Buffer.alloc(0), 'x509: malformed certificate'],
  'a non-minimal length': [withLongLength(goodCertificate), 'x509: malformed certificate'],
  'an indefinite length': [
    Buffer.concat([hex('3080'), goodCertificate.subarray(4), hex('0000')]),
    'x509: malformed certificate',
  ],
  'truncated bytes': [goodCertificate.subarray(0, -1), 'x509: malformed certificate'],
  'version 10': [build({ version: hex('a003020109') }), 'x509: invalid version'],
  'a negative version': [build({ version: hex('a0030201ff') }), 'x509: malformed version'],
  'a negative serial number': [build({ serial: hex('0201ff') }), 'x509: negative serial number'],
  'a padded serial number': [build({ serial: hex('02020001') }), 'x509: malformed serial number'],
  'different signature algorithms': [
    build({ outerAlgorithm: ecdsaSha384 }),
    "x509: inner and outer signature algorithm identifiers don't match",
  ],
  'an algorithm without an identifier': [
    build({ algorithm: hex('3000'), outerAlgorithm: hex('3000') }),
    'x509: malformed OID',
  ],
  'month 99': [build({ notBefore: text(0x17, '269901000000Z') }), 'x509: malformed UTCTime'],
  'February 30': [build({ notAfter: text(0x18, '21260230000000Z') }), 'x509: malformed GeneralizedTime'],
  'a time with a fraction': [
    build({ notAfter: text(0x18, '21260101000000.5Z') }),
    'x509: malformed GeneralizedTime',
  ],
  'a time without a zone': [build({ notBefore: text(0x17, '260101000000') }), 'x509: malformed UTCTime'],
  'a time of another type': [
    build({ notBefore: text(12, '260101000000Z') }),
    'x509: unsupported time format',
  ],
  'an issuer that is not a name': [build({ issuer: hex('0500') }), 'x509: malformed issuer'],
  'a subject with an invalid character': [
    build({ subject: nameOf(text(19, 'a_b')) }),
    'x509: invalid RDNSequence: invalid attribute value: invalid PrintableString',
  ],
  'a subject that is not a string': [
    build({ subject: nameOf(hex('020101')) }),
    'x509: invalid RDNSequence: invalid attribute value: unsupported string type: 2',
  ],
  'a key that is not a point on its curve': [
    build({ key: Buffer.concat([spki.subarray(0, -64), Buffer.alloc(64, 1)]) }),
    'P256 point not on curve',
  ],
  'a compressed key': [
    build({
      key: value(
        0x30,
        hex('301306072a8648ce3d020106082a8648ce3d030107'),
        value(3, hex('0002'), spki.subarray(-64, -32)),
      ),
    }),
    'ecdsa: invalid uncompressed public key',
  ],
  'an RSA key without parameters': [
    build({ key: value(0x30, hex('300b06092a864886f70d010101'), hex('0309003006020103020103')) }),
    'x509: RSA key missing NULL parameters',
  ],
  'a signature with padding bits set': [build({ signaturePadding: 9 }), 'x509: malformed signature'],
  'a duplicate extension': [
    build({ extensions: [basicConstraints, basicConstraints] }),
    'x509: certificate contains duplicate extension with OID "2.5.29.19"',
  ],
  'a critical flag of 1': [
    build({ extensions: [hex('300f0603551d13010101040530030101ff')] }),
    'x509: malformed extension critical field',
  ],
  'a cA flag of 1': [
    build({ extensions: [hex('300f0603551d130101ff04053003010101')] }),
    'x509: invalid basic constraints',
  ],
  'a negative path length': [
    build({ extensions: [hex('30120603551d130101ff040830060101ff0201ff')] }),
    'x509: invalid basic constraints',
  ],
  'a key usage that is not a BIT STRING': [withExtension('551d0f', '0400'), 'x509: invalid key usage'],
  'extended key usages that are not a SEQUENCE': [
    withExtension('551d25', '0500'),
    'x509: invalid extended key usages',
  ],
  'an address of 5 bytes': [
    withExtension('551d11', '300787050102030405'),
    'x509: cannot parse IP address of length 5',
  ],
  'a DNS name that is not ASCII': [withExtension('551d11', '30048202c3a9'), 'x509: SAN dNSName is malformed'],
  'a URI without a scheme': [
    build({ extensions: [extension('551d11', value(0x30, text(0x86, ':a')))] }),
    'x509: cannot parse URI ":a": parse ":a": missing protocol scheme',
  ],
  'empty name constraints': [withExtension('551d1e', '3000', true), 'x509: empty name constraints extension'],
  'a non-contiguous mask': [
    withExtension('551d1e', '300ea00c300a87080a000000ff00ff00', true),
    'x509: IP constraint contained invalid mask ff00ff00',
  ],
  'a duplicate policy': [
    withExtension('551d20', '300c300406022a03300406022a03'),
    'x509: invalid certificate policies',
  ],
  'a critical subject key identifier': [
    withExtension('551d0e', '040101', true),
    'x509: subject key identifier incorrectly marked critical',
  ],
  'a distribution point without a name': [
    withExtension('551d1f', '30043002a000'),
    'x509: invalid CRL distribution point',
  ],
};

/** Unusual certificates that are accepted. */
export const unusualCertificates: Readonly<Record<string, Buffer>> = {
  'an unknown extension': withExtension('2a0304', '0500'),
  'a serial number of 0': build({ serial: hex('020100') }),
  'extended key usages': build({ extensions: [basicConstraints, anyExtendedKeyUsage] }),
  'an empty subject': build({ subject: hex('3000') }),
  'a time with an offset': build({ notBefore: text(0x17, '260101000000+0100') }),
};

export const certificatePem = (der: Buffer) => toPem('CERTIFICATE', der);
