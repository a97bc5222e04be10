// CertificateSigningRequest: schema.

import { kind } from '../../kind/meta/kind.ts';
import { list, mapOf } from '../../schema/collections.ts';
import { bytes, int32, named, openEnum, publishedEnum, string, time } from '../../schema/scalars.ts';
import { field, type Infer, optional, struct } from '../../schema/struct.ts';
import { conditionStatus } from '../core/condition-status.ts';
import { keyUsages } from './key-usage.ts';

/** Protobuf wraps the list in a message, ExtraValue, whose first field it is. */
const extraValue = list(string, { name: 'certificates/v1.ExtraValue' });

export const CertificateSigningRequestSpec = struct(
  'certificates/v1.CertificateSigningRequestSpec',
  {
    request: field(1, bytes, { required: true, doc: 'The PKCS#10 certificate signing request, in PEM.' }),
    signerName: field(7, string, {
      required: true,
      doc: 'The requested signer, as a domain-prefixed path such as example.com/signer-name.',
    }),
    expirationSeconds: field(8, optional(int32), {
      doc: 'The requested validity in seconds, at least 600. The signer may ignore it.',
    }),
    usages: field(
      5,
      list(named('certificates/v1.KeyUsage', publishedEnum(...keyUsages)), { type: 'atomic' }),
      {
        doc: 'The requested key usages, each at most once.',
      },
    ),
    username: field(2, string, { doc: 'The name of the requesting user. Set by the server.' }),
    uid: field(3, string, { doc: 'The UID of the requesting user. Set by the server.' }),
    groups: field(4, list(string, { type: 'atomic' }), {
      doc: 'The groups of the requesting user. Set by the server.',
    }),
    extra: field(6, mapOf(extraValue), {
      doc: 'Additional attributes of the requesting user. Set by the server.',
    }),
  },
  { doc: 'The certificate request and the requesting user. Immutable.' },
);
export type CertificateSigningRequestSpec = Infer<typeof CertificateSigningRequestSpec>;

export const CertificateSigningRequestCondition = struct(
  'certificates/v1.CertificateSigningRequestCondition',
  {
    type: field(1, named('certificates/v1.RequestConditionType', openEnum('Approved', 'Denied', 'Failed')), {
      required: true,
      doc: 'Approved, Denied, Failed or another type. These three cannot be removed once set; Approved and Denied are mutually exclusive.',
    }),
    status: field(6, conditionStatus, { required: true, doc: 'True, False or Unknown.' }),
    reason: field(2, string, { doc: 'A machine-readable reason (CamelCase).' }),
    message: field(3, string, { doc: 'A human-readable explanation.' }),
    lastUpdateTime: field(4, time, { doc: 'When the condition was last updated.' }),
    lastTransitionTime: field(5, time, { doc: 'When the status last changed.' }),
  },
  { doc: 'A condition of a CertificateSigningRequest.' },
);
export type CertificateSigningRequestCondition = Infer<typeof CertificateSigningRequestCondition>;

export const CertificateSigningRequestStatus = struct(
  'certificates/v1.CertificateSigningRequestStatus',
  {
    conditions: field(1, list(CertificateSigningRequestCondition, { type: 'map', keys: ['type'] }), {
      doc: 'The conditions of the request.',
    }),
    certificate: field(2, bytes, {
      doc: 'The issued certificate in PEM. Immutable once set.',
    }),
  },
  { doc: 'The current status of a CertificateSigningRequest.' },
);
export type CertificateSigningRequestStatus = Infer<typeof CertificateSigningRequestStatus>;

export const CertificateSigningRequest = kind(
  'certificates/v1.CertificateSigningRequest',
  {
    spec: field(2, CertificateSigningRequestSpec, {
      required: true,
      doc: 'The certificate request and the requesting user.',
    }),
    status: field(3, CertificateSigningRequestStatus, { doc: 'The approval and the issued certificate.' }),
  },
  {
    doc: 'Requests an X.509 certificate: an approver approves the request, then the signer issues the certificate.',
  },
);
export type CertificateSigningRequest = Infer<typeof CertificateSigningRequest>;
