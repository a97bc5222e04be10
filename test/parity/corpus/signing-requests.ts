import {
  algorithms,
  makeRequest,
  type RequestMaking,
  requestPem,
  someKeys,
} from '../../../src/pki/signing-request.fixture.ts';
import { subject } from '../case.ts';
import { object, paths } from './objects.ts';
import { tries } from './refusals.ts';

const requests = paths('/apis/certificates.k8s.io/v1/certificatesigningrequests');
const sent = (text: string, signerName = 'example.com/signer') =>
  object('{name}', {
    spec: { request: Buffer.from(text).toString('base64'), signerName, usages: ['client auth'] },
  });
const made = (making: RequestMaking, signerName?: string) =>
  sent(requestPem(makeRequest(making)), signerName);

const rsa = someKeys.rsa();
const good = makeRequest({ organizations: ['one'] });
const bytes = (hex: string) => sent(requestPem(Buffer.from(hex, 'hex')));
const withByte = (at: number, byte: number) => {
  const changed = Buffer.from(good);
  changed[at] = byte;
  return sent(requestPem(changed));
};

/** What is in the field, and whether whoever asks has the key. Most bytes of the good one are changed once. */
export const signingRequests = subject('signing-requests', [
  ...tries(requests, {
    keys: [
      made({ keys: someKeys.ec384() }),
      made({ keys: someKeys.otherCurve() }),
      made({ keys: someKeys.ed25519(), algorithm: algorithms.ed25519, hash: null }),
      made({ keys: someKeys.ed448(), algorithm: algorithms.ed448, hash: null }),
      made({ keys: rsa, algorithm: algorithms.rsaSha256 }),
      made({ keys: someKeys.rsa(512), algorithm: algorithms.rsaSha256 }),
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
