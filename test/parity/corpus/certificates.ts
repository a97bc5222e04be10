import {
  certificatePem,
  malformedCertificates,
  unusualCertificates,
} from '../../../src/pki/x509/malformed-certificates.fixture.ts';
import { ask, del, type JsonObject, post, put, subject } from '../case.ts';
import { authority, leaf, otherAuthority, signingRequest } from './certificates-data.ts';
import { lifecycle, withChange } from './lifecycle.ts';
import { object, paths } from './objects.ts';
import { tries } from './refusals.ts';

const bundles = (version: string) => paths(`/apis/certificates.k8s.io/${version}/clustertrustbundles`);
const requests = paths('/apis/certificates.k8s.io/v1/certificatesigningrequests');

const bundle = (trustBundle: string, signerName?: string, name = '{name}') =>
  object(name, { spec: { trustBundle, ...(signerName !== undefined && { signerName }) } });
const withHeader = authority.replace('CERTIFICATE-----\n', 'CERTIFICATE-----\nFoo: bar\n\n');
const garbage = '-----BEGIN CERTIFICATE-----\neHh4\n-----END CERTIFICATE-----\n';

const base64 = (text: string) => Buffer.from(text).toString('base64');
const spec = { request: signingRequest, signerName: 'example.com/signer', usages: ['client auth'] };
const request = (changes: JsonObject) => object('{name}', { spec: { ...spec, ...changes } });
const approved = { type: 'Approved', status: 'True', reason: 'r', message: 'm' };
const denied = { type: 'Denied', status: 'True' };

const statuses: JsonObject[] = [
  {},
  { conditions: [approved] },
  { conditions: [denied] },
  { conditions: [approved, denied] },
  { conditions: [{ type: 'Failed', status: 'True' }] },
  { conditions: [approved, approved] },
  { conditions: [{ type: '', status: '' }] },
  { conditions: [{ ...approved, status: 'False' }] },
  { certificate: 'eA==' },
  { certificate: signingRequest },
  { certificate: base64(withHeader) },
  { certificate: base64(`x\n${authority}`) },
  { certificate: base64(`x${authority}`) },
  ...Object.values(malformedCertificates).map(([der]) => ({ certificate: base64(certificatePem(der)) })),
];

export const certificates = [
  ...['v1beta1', 'v1alpha1'].map((version) =>
    subject(`clustertrustbundles-${version}`, [
      ...lifecycle(bundles(version), bundle(authority), {
        full: bundle(authority + otherAuthority, 'example.com/{other}', 'example.com:{other}:full'),
        change: { spec: { trustBundle: otherAuthority } },
      }),
      ...tries(bundles(version), {
        anchors: ['', 'x', authority + authority, leaf, withHeader, garbage, `words\n${authority}words`].map(
          (text) => bundle(text),
        ),
        'damaged certificates': Object.values(malformedCertificates).map(([der]) =>
          bundle(certificatePem(der)),
        ),
        'unusual certificates': Object.values(unusualCertificates).map((der) => bundle(certificatePem(der))),
        'text around blocks': [`words${authority}`, ` ${authority}`, authority.replace('\n', ' \n')].map(
          (text) => bundle(text),
        ),
        'other blocks': [
          bundle(Buffer.from(signingRequest, 'base64').toString()),
          bundle(`${authority}${leaf}-----BEGIN FOO-----\neHh4\n-----END FOO-----\n`),
        ],
        'names and signers': [
          bundle(authority, 'example.com/foo'),
          bundle(authority, 'example.com/foo', 'example.com:foo:bar'),
          bundle(authority, 'example.com/foo', 'example.com:foo:'),
          bundle(authority, undefined, 'example.com:foo:bar'),
          bundle(authority, 'foo', 'foo:bar'),
          bundle(authority, 'example.com/a/b', 'example.com:a:b:c'),
          bundle(authority, 'Example.com/foo', 'Example.com:foo:x'),
          bundle(authority, 'example.com/', 'example.com::x'),
          bundle(authority, undefined, 'A_'),
        ],
      }),
    ]),
  ),
  subject('certificatesigningrequests', [
    ...lifecycle(requests, request({}), {
      full: object('{other}', {
        spec: { ...spec, expirationSeconds: 3600, usages: ['digital signature', 'client auth'] },
      }),
      change: { spec: { usages: ['any'] }, metadata: { name: '{name}', labels: { a: 'b' } } },
    }),
    ...tries(requests, {
      request: [request({ request: null }), request({ request: 'eA==' }), request({ username: 'bob' })],
      signer: [
        '',
        'x',
        'kubernetes.io/legacy-unknown',
        'Example.com/x',
        'example.com/a b',
        'example.com/',
      ].map((signerName) => request({ signerName })),
      usages: [[], ['any', 'any'], ['baking']].map((usages) => request({ usages })),
      life: [599, 600, -1].map((expirationSeconds) => request({ expirationSeconds })),
    }),
    ...['status', 'approval'].map((part) =>
      ask(
        `what ${part} may write`,
        post(requests(), request({}), { as: 'a' }),
        statuses.map((status) => put(requests(`{name}/${part}?dryRun=All`), withChange('a', { status }))),
        del(requests('{name}')),
      ),
    ),
    ask(
      'decisions stay',
      post(requests(), request({}), { as: 'a' }),
      put(requests('{name}/approval'), withChange('a', { status: { conditions: [approved] } }), { as: 'b' }),
      put(requests('{name}/approval'), withChange('b', { status: {} })),
      put(requests('{name}/status'), withChange('b', { status: {} })),
      put(requests('{name}/approval'), withChange('b', { status: { conditions: [denied] } })),
      put(
        requests('{name}/status'),
        withChange('b', { status: { conditions: [approved], certificate: base64(authority) } }),
        { as: 'c' },
      ),
      put(
        requests('{name}/status'),
        withChange('c', { status: { conditions: [approved], certificate: base64(otherAuthority) } }),
      ),
      put(requests('{name}/status'), withChange('c', { status: { conditions: [approved] } })),
      del(requests('{name}')),
    ),
  ]),
];
