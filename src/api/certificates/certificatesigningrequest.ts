import { list, mapOf } from '../../schema/collections.ts';
import { bytes, int32, named, oneOf, string } from '../../schema/scalars.ts';
import { field, type Infer, optional, struct } from '../../schema/struct.ts';
import { time } from '../../schema/time.ts';
import type { KindContext } from '../context.ts';
import { conditionStatus } from '../core/condition-status.ts';
import { kind } from '../meta/kind.ts';
import { plainStrategy, statusOf } from '../plain-strategy.ts';
import { resource } from '../resource.ts';

/** In Protobuf a message of its own, whose first field is the list. */
export const extraValue = list(string, { name: 'certificates/v1.ExtraValue' });

export const CertificateSigningRequestSpec = struct('certificates/v1.CertificateSigningRequestSpec', {
  request: field(1, bytes, { required: true }),
  signerName: field(7, string, { required: true }),
  expirationSeconds: field(8, optional(int32)),
  usages: field(
    5,
    list(
      named(
        'certificates/v1.KeyUsage',
        oneOf(
          'signing',
          'digital signature',
          'content commitment',
          'key encipherment',
          'key agreement',
          'data encipherment',
          'cert sign',
          'crl sign',
          'encipher only',
          'decipher only',
          'any',
          'server auth',
          'client auth',
          'code signing',
          'email protection',
          's/mime',
          'ipsec end system',
          'ipsec tunnel',
          'ipsec user',
          'timestamping',
          'ocsp signing',
          'microsoft sgc',
          'netscape sgc',
        ),
      ),
      { type: 'atomic' },
    ),
  ),
  username: field(2, string),
  uid: field(3, string),
  groups: field(4, list(string, { type: 'atomic' })),
  extra: field(6, mapOf(extraValue)),
});
export type CertificateSigningRequestSpec = Infer<typeof CertificateSigningRequestSpec>;

export const CertificateSigningRequestCondition = struct(
  'certificates/v1.CertificateSigningRequestCondition',
  {
    type: field(1, named('certificates/v1.RequestConditionType', oneOf('Approved', 'Denied', 'Failed')), {
      required: true,
    }),
    status: field(6, conditionStatus, { required: true }),
    reason: field(2, string),
    message: field(3, string),
    lastUpdateTime: field(4, time),
    lastTransitionTime: field(5, time),
  },
);
export type CertificateSigningRequestCondition = Infer<typeof CertificateSigningRequestCondition>;

export const CertificateSigningRequestStatus = struct('certificates/v1.CertificateSigningRequestStatus', {
  conditions: field(1, list(CertificateSigningRequestCondition, { type: 'map', keys: ['type'] })),
  certificate: field(2, bytes),
});
export type CertificateSigningRequestStatus = Infer<typeof CertificateSigningRequestStatus>;

export const CertificateSigningRequest = kind(
  'certificates/v1.CertificateSigningRequest',
  {
    spec: field(2, CertificateSigningRequestSpec, { required: true }),
    status: field(3, CertificateSigningRequestStatus),
  },
  { doc: '' },
);
export type CertificateSigningRequest = Infer<typeof CertificateSigningRequest>;

export const certificatesigningrequests = (context: KindContext) =>
  resource<CertificateSigningRequest>({
    group: 'certificates',
    version: 'v1',
    kind: 'CertificateSigningRequest',
    plural: 'certificatesigningrequests',
    shortNames: ['csr'],
    namespaced: false,
    schema: CertificateSigningRequest,
    strategy: plainStrategy(context, CertificateSigningRequest),
    subresources: { status: statusOf(context, CertificateSigningRequest) },
  });
