import { userKeyed } from '../../codec/json/json-value.ts';
import type { KindContext } from '../../kind/context.ts';
import { validateMetadataChange } from '../../kind/meta/validation.ts';
import { resource } from '../../kind/resource.ts';
import type { UpdateStrategy } from '../../kind/strategy.ts';
import type { User } from '../../request/user.ts';
import { nameIsPathSegment } from '../../schema/names.ts';
import {
  CertificateSigningRequest,
  type CertificateSigningRequestSpec,
} from './certificatesigningrequest.ts';
import { certificateSigningRequestTable } from './certificatesigningrequest-table.ts';
import {
  decisionsStay,
  validateCertificate,
  validateConditions,
  validateRequest,
} from './certificatesigningrequest-validation.ts';

export const certificatesigningrequests = ({ dialect }: KindContext) =>
  resource<CertificateSigningRequest>({
    group: 'certificates',
    version: 'v1',
    kind: 'CertificateSigningRequest',
    plural: 'certificatesigningrequests',
    shortNames: ['csr'],
    namespaced: false,
    schema: CertificateSigningRequest,
    table: certificateSigningRequestTable,
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
