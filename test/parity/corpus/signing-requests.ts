import {
  algorithms,
  extensionRequest,
  keyPairs,
  makeRequest,
  type RequestOptions,
  relativeDistinguishedName,
  requestPem,
  subjectAltNames,
  value,
} from '../../../src/pki/signing-request.fixture.ts';
import { subject } from '../case.ts';
import { object, paths } from './objects.ts';
import { tries } from './refusals.ts';

const requests = paths('/apis/certificates.k8s.io/v1/certificatesigningrequests');
const sent = (text: string, signerName = 'example.com/signer') =>
  object('{name}', {
    spec: { request: Buffer.from(text).toString('base64'), signerName, usages: ['client auth'] },
  });
const made = (making: RequestOptions, signerName?: string) =>
  sent(requestPem(makeRequest(making)), signerName);

const rsa = keyPairs.rsa();
const good = makeRequest({ organizations: ['one'] });
const bytes = (hex: string) => sent(requestPem(Buffer.from(hex, 'hex')));
const withByte = (at: number, byte: number) => {
  const changed = Buffer.from(good);
  changed[at] = byte;
  return sent(requestPem(changed));
};

const hex = (digits: string) => Buffer.from(digits, 'hex');
const asks = (...extensions: Buffer[]) => made({ attributes: extensionRequest(...extensions) });
const attribute = (digits: string) => made({ attributes: hex(digits) });
/** Another name of the subject: an extension with one name of this type. */
const named = (tag: number, digits: string) => asks(subjectAltNames(value(tag, hex(digits))));
/** Other names, in which the value of the extension is this. */
const names = (digits: string) => asks(value(0x30, hex('0603551d11'), value(4, hex(digits))));
const subjectPart = (tag: number, digits: string) =>
  made({ subject: value(0x30, relativeDistinguishedName('55040a', value(tag, hex(digits)))) });

/** What is in the field, and whether whoever asks has the key. Most bytes of the good one are changed once. */
export const signingRequests = subject('signing-requests', [
  ...tries(requests, {
    keys: [
      made({ keys: keyPairs.ec384() }),
      made({ keys: keyPairs.otherCurve() }),
      made({ keys: keyPairs.ed25519(), algorithm: algorithms.ed25519, hash: null }),
      made({ keys: keyPairs.ed448(), algorithm: algorithms.ed448, hash: null }),
      made({ keys: rsa, algorithm: algorithms.rsaSha256 }),
      made({ keys: keyPairs.rsa(512), algorithm: algorithms.rsaSha256 }),
    ],
    signatures: [
      made({ algorithm: algorithms.ecdsaSha1, hash: 'sha1' }),
      made({ keys: rsa, algorithm: algorithms.rsaSha1, hash: 'sha1' }),
      made({ keys: rsa, algorithm: algorithms.rsaMd5, hash: 'md5' }),
      made({ keys: rsa, algorithm: algorithms.pssSha256, isPss: true }),
      made({ keys: rsa, algorithm: algorithms.rsaSha256, isPss: true }),
      made({ keys: rsa }),
      made({ algorithm: algorithms.rsaSha256 }),
      made({ hash: 'sha1' }),
    ],
    text: [
      sent(''),
      sent('words'),
      sent(`words\n${requestPem(good)}words`),
      sent(requestPem(good) + requestPem(good)),
      sent(requestPem(good, 'NEW CERTIFICATE REQUEST')),
      sent(requestPem(good, 'CERTIFICATE') + requestPem(good)),
      sent(requestPem(good).replace('REQUEST-----\n', 'REQUEST-----\nFoo: bar\n\n')),
      sent('-----BEGIN CERTIFICATE REQUEST-----\n!!!!\n-----END CERTIFICATE REQUEST-----\n'),
    ],
    'too little or too much': [
      sent(requestPem(good.subarray(0, 40))),
      sent(requestPem(good.subarray(0, good.length - 1))),
      sent(requestPem(Buffer.concat([good, Buffer.from([0])]))),
    ],
    'other values': ['30', '3000', '30023000', '020100', '3003020100', '3080', '308101', '308200ff'].map(
      bytes,
    ),
    'large values': ['3084ffffffff', '3f', '3f80', '3f01', '3006300402020001', '300430020200'].map(bytes),
    'a byte is another': Array.from({ length: 40 }, (_, at) => withByte(at, 0x55)),
    'other names': [
      named(0x82, '612e62'),
      named(0x82, ''),
      named(0x82, 'ff'),
      named(0x81, 'ff'),
      named(0x86, 'ff'),
      named(0x86, '687474703a2f2f612f'),
      named(0x87, '01020304'),
      named(0x87, '010203'),
      named(0xa0, '0603550403'),
      named(0x04, '78'),
    ],
    'lists of other names': ['3003820161', '30038201610500', '0500', '30058201', '3003820561', '3000'].map(
      names,
    ),
    extensions: [
      asks(),
      asks(subjectAltNames(), subjectAltNames()),
      made({
        attributes: Buffer.concat([extensionRequest(subjectAltNames()), extensionRequest(subjectAltNames())]),
      }),
      asks(value(0x30, hex('0603551d110101ff'), value(4, hex('3000')))),
      asks(value(0x30, hex('0603551d11010105'), value(4, hex('3000')))),
      asks(value(0x30, hex('0603551d11'))),
      asks(value(0x30, hex('0603551d11020100'))),
      asks(hex('020100')),
    ],
    attributes: [
      '020100',
      '3005',
      '300d06092a864886f70d01090e3100',
      '301006092a864886f70d01090e3103020100',
      '301006092a864886f70d01090e3003020100',
      '301006092a864886f70d0109073103020100',
    ].map(attribute),
    'the subject': [
      subjectPart(0x13, '614062'),
      subjectPart(0x13, '612a6226'),
      subjectPart(0x16, 'ff'),
      subjectPart(0x0c, 'ff'),
      subjectPart(0x12, '61'),
      subjectPart(0x1e, '41'),
      subjectPart(0x1e, '00410042'),
      subjectPart(0x14, 'ff41'),
      subjectPart(0x1b, 'ff'),
      subjectPart(0x02, '0001'),
      subjectPart(0x03, ''),
      subjectPart(0x01, '05'),
      ...['3000', '31020500', '020100', '3003020100', '30053103020100', '30093107300506035504', '3000'].map(
        (digits) => made({ subject: hex(digits) }),
      ),
    ],
    groups: [
      made({ organizations: ['system:masters'] }),
      made({ organizations: ['system:masters'] }, 'kubernetes.io/kube-apiserver-client'),
      made({ organizations: ['one', 'system:masters'] }, 'kubernetes.io/kube-apiserver-client'),
      made({ organizations: ['system:nodes'] }, 'kubernetes.io/kube-apiserver-client'),
      made({ organizations: ['system:masters'] }, 'kubernetes.io/kube-apiserver-client-kubelet'),
      made({ organizations: ['system:masters'] }, 'kubernetes.io/kubelet-serving'),
    ],
  }),
]);
