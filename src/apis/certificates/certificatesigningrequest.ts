import { userKeyed } from '../../codec/json/json-value.ts';
import type { KindContext } from '../../kind/context.ts';
import { kind } from '../../kind/meta/kind.ts';
import { validateMetadataChange } from '../../kind/meta/validation.ts';
import { resource } from '../../kind/resource.ts';
import type { UpdateStrategy } from '../../kind/strategy.ts';
import type { User } from '../../request/user.ts';
import { list, mapOf } from '../../schema/collections.ts';
import { nameIsPathSegment } from '../../schema/names.ts';
import { bytes, int32, named, oneOf, string } from '../../schema/scalars.ts';
import { field, type Infer, optional, struct } from '../../schema/struct.ts';
import { time } from '../../schema/time.ts';
import { conditionStatus } from '../core/condition-status.ts';
import {
  decisionsStay,
  validateCertificate,
  validateConditions,
  validateRequest,
} from './certificatesigningrequest-validation.ts';
import { keyUsages } from './key-usage.ts';

/** In Protobuf a message of its own, whose first field is the list. */
export const extraValue = list(string, { name: 'certificates/v1.ExtraValue' });

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
    usages: field(5, list(named('certificates/v1.KeyUsage', oneOf(...keyUsages)), { type: 'atomic' }), {
      doc: 'What the certificate is to be used for; each at most once.',
    }),
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

export const certificatesigningrequests = ({ dialect }: KindContext) =>
  resource<CertificateSigningRequest>({
    group: 'certificates',
    version: 'v1',
    kind: 'CertificateSigningRequest',
    plural: 'certificatesigningrequests',
    shortNames: ['csr'],
    namespaced: false,
    schema: CertificateSigningRequest,
    selectableFieldNames: ['spec.signerName'],
    selectableFields: ({ spec }) => ({ 'spec.signerName': spec.signerName }),
    strategy: {
      validateName: nameIsPathSegment,
      allowUnconditionalUpdate: true,
      prepareForCreate(object, _now, user) {
        object.status = {};
        recordWhoAsks(object.spec, user);
      },
      validate: (object) => validateRequest(object, dialect),
      untracked: ['spec', 'status'],
      prepareForUpdate(object, old) {
        object.spec = old.spec;
        object.status = old.status;
      },
      validateUpdate: ({ metadata }, old) => validateMetadataChange(metadata, old.metadata),
    },
    subresources: {
      status: { verbs: ['get', 'patch', 'update'], rules: statusRules },
      approval: { verbs: ['get', 'patch', 'update'], rules: approvalRules },
    },
  });

/** Who asks is whoever sends the request, whatever it says. */
function recordWhoAsks(spec: CertificateSigningRequestSpec, user: User | undefined): void {
  spec.username = user?.name ?? '';
  spec.uid = user?.uid ?? '';
  spec.groups = [...(user?.groups ?? [])];
  delete spec.extra;
  const extra = Object.entries(user?.extra ?? {});
  if (extra.length > 0) {
    spec.extra = Object.assign(
      userKeyed<string[]>(),
      Object.fromEntries(extra.map(([key, values]) => [key, [...values]])),
    );
  }
}

const statusRules: UpdateStrategy<CertificateSigningRequest> = {
  untracked: ['spec', 'status.conditions'],
  prepareForUpdate(object, old, now) {
    object.spec = old.spec;
    // What was decided stays as it was decided.
    const decided = (old.status.conditions ?? []).filter(({ type }) => isDecision(type));
    if (object.status.conditions) {
      object.status.conditions = object.status.conditions.map(
        (condition) => decided.find(({ type }) => type === condition.type) ?? condition,
      );
    }
    fillInTimes(object, old, now);
  },
  validateUpdate: (object, old) => [
    ...validateMetadataChange(object.metadata, old.metadata),
    ...validateConditions(object.status.conditions ?? []),
    ...decisionsStay(object, old, false),
    ...validateCertificate(object.status.certificate ?? '', old.status.certificate ?? ''),
  ],
};

const approvalRules: UpdateStrategy<CertificateSigningRequest> = {
  untracked: ['spec', 'status.certificate'],
  prepareForUpdate(object, old, now) {
    object.spec = old.spec;
    object.status = { ...old.status, conditions: object.status.conditions ?? [] };
    fillInTimes(object, old, now);
  },
  validateUpdate: (object, old) => [
    ...validateMetadataChange(object.metadata, old.metadata),
    ...validateConditions(object.status.conditions ?? []),
    ...decisionsStay(object, old, true),
  ],
};

const isDecision = (type: string) => type === 'Approved' || type === 'Denied';

/** A condition that does not say when gets the time at which it was last otherwise. */
function fillInTimes(
  { status }: CertificateSigningRequest,
  { status: before }: CertificateSigningRequest,
  now: string,
): void {
  for (const condition of status.conditions ?? []) {
    condition.lastUpdateTime ||= now;
    if (condition.lastTransitionTime) continue;
    const same = before.conditions?.find(
      ({ type, status: was }) => type === condition.type && was === condition.status,
    );
    condition.lastTransitionTime = same?.lastTransitionTime || now;
  }
}
