// Schema of CertificateSigningRequest.

import { kind } from '../../kind/meta/kind.ts';
import { list, mapOf } from '../../schema/collections.ts';
import { bytes, documentedEnum, int32, named, oneOf, string } from '../../schema/scalars.ts';
import { field, type Infer, optional, struct } from '../../schema/struct.ts';
import { time } from '../../schema/time.ts';
import { conditionStatus } from '../core/condition-status.ts';
import { keyUsages } from './key-usage.ts';

/** Protobuf wraps the list in a message, ExtraValue, whose first field it is. */
const extraValue = list(string, { name: 'certificates/v1.ExtraValue' });

export const CertificateSigningRequestSpec = struct(
  'certificates/v1.CertificateSigningRequestSpec',
  {
    request: field(1, bytes, { required: true, doc: 'The request itself, in PEM.' }),
    signerName: field(7, string, {
      required: true,
      doc: 'Who is asked to sign, as a domain and a path: example.com/signer-name.',
    }),
    expirationSeconds: field(8, optional(int32), {
      doc: 'How long the certificate should be good for, at least 600 seconds. The signer need not heed it.',
    }),
    usages: field(
      5,
      list(named('certificates/v1.KeyUsage', documentedEnum(...keyUsages)), { type: 'atomic' }),
      {
        doc: 'What the certificate is to be used for; each at most once.',
      },
    ),
    username: field(2, string, { doc: 'Who asked. The server fills it in.' }),
    uid: field(3, string, { doc: 'The uid of who asked. The server fills it in.' }),
    groups: field(4, list(string, { type: 'atomic' }), {
      doc: 'The groups of who asked. The server fills them in.',
    }),
    extra: field(6, mapOf(extraValue), { doc: 'What else is known of who asked. The server fills it in.' }),
  },
  { doc: 'What is asked for, and by whom. It cannot be changed.' },
);
export type CertificateSigningRequestSpec = Infer<typeof CertificateSigningRequestSpec>;

export const CertificateSigningRequestCondition = struct(
  'certificates/v1.CertificateSigningRequestCondition',
  {
    type: field(1, named('certificates/v1.RequestConditionType', oneOf('Approved', 'Denied', 'Failed')), {
      required: true,
      doc: 'Approved, Denied or Failed, which stay once set, or something else. Approved and Denied exclude each other.',
    }),
    status: field(6, conditionStatus, { required: true, doc: 'True, False or Unknown.' }),
    reason: field(2, string, { doc: 'Why, in one word for machines.' }),
    message: field(3, string, { doc: 'Why, in words for people.' }),
    lastUpdateTime: field(4, time, { doc: 'When it was last written.' }),
    lastTransitionTime: field(5, time, { doc: 'When it last changed.' }),
  },
  { doc: 'What has become of the request in one respect.' },
);
export type CertificateSigningRequestCondition = Infer<typeof CertificateSigningRequestCondition>;

export const CertificateSigningRequestStatus = struct(
  'certificates/v1.CertificateSigningRequestStatus',
  {
    conditions: field(1, list(CertificateSigningRequestCondition, { type: 'map', keys: ['type'] }), {
      doc: 'What has become of the request.',
    }),
    certificate: field(2, bytes, {
      doc: 'The certificate, in PEM, once it is signed. It cannot be changed.',
    }),
  },
  { doc: 'What has become of the request.' },
);
export type CertificateSigningRequestStatus = Infer<typeof CertificateSigningRequestStatus>;

export const CertificateSigningRequest = kind(
  'certificates/v1.CertificateSigningRequest',
  {
    spec: field(2, CertificateSigningRequestSpec, {
      required: true,
      doc: 'What is asked for, and by whom.',
    }),
    status: field(3, CertificateSigningRequestStatus, { doc: 'What has become of the request.' }),
  },
  { doc: 'Asks for a certificate: somebody approves, and the signer signs.' },
);
export type CertificateSigningRequest = Infer<typeof CertificateSigningRequest>;
