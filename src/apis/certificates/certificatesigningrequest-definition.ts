// CertificateSigningRequest: the resource definition, with the strategies that run on writes of the object and of its
// status and approval subresources.

import { nullPrototypeObject } from '../../codec/json/json-value.ts';
import type { Dialect } from '../../dialect/dialect.ts';
import type { FieldError } from '../../errors/field-error.ts';
import type { KindContext } from '../../kind/context.ts';
import {
  validateBuiltInMetadata,
  validateBuiltInMetadataChange,
  validateFinalizersQualified,
} from '../../kind/meta/validation.ts';
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
  validateCertificate,
  validateConditions,
  validateDecisionsUnchanged,
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
        setRequestingUser(object.spec, user);
      },
      validate: (object) => [
        ...validateFinalizersQualified(object.metadata, dialect),
        ...validateRequest(object, dialect),
      ],
      resetFields: ['spec', 'status'],
      prepareForUpdate(object, old) {
        object.spec = old.spec;
        object.status = old.status;
      },
      validateUpdate: (object, old) => validateUpdate(object, old, dialect),
    },
    subresources: {
      status: { verbs: ['get', 'patch', 'update'], rules: statusRules(dialect) },
      approval: { verbs: ['get', 'patch', 'update'], rules: approvalRules(dialect) },
    },
  });

/** Overwrites the user fields with the authenticated caller, so that clients cannot request certificates for others. */
function setRequestingUser(spec: CertificateSigningRequestSpec, user: User | undefined): void {
  spec.username = user?.name ?? '';
  spec.uid = user?.uid ?? '';
  spec.groups = [...(user?.groups ?? [])];
  delete spec.extra;
  const extra = Object.entries(user?.extra ?? {});
  if (extra.length > 0) {
    spec.extra = Object.assign(
      nullPrototypeObject<string[]>(),
      Object.fromEntries(extra.map(([key, values]) => [key, [...values]])),
    );
  }
}

/** Validates the metadata as on create, then what the subresource writes, then the change of the metadata. */
function validateUpdate(
  { metadata }: CertificateSigningRequest,
  old: CertificateSigningRequest,
  dialect: Dialect,
  statusErrors: readonly FieldError[] = [],
): FieldError[] {
  return [
    ...validateBuiltInMetadata(metadata, { namespaced: false, nameRule: () => [] }, dialect),
    ...statusErrors,
    ...validateBuiltInMetadataChange(metadata, old.metadata, dialect),
  ];
}

const statusRules = (dialect: Dialect): UpdateStrategy<CertificateSigningRequest> => ({
  resetFields: ['spec', 'status.conditions'],
  prepareForUpdate(object, old, now) {
    object.spec = old.spec;
    // The status subresource cannot change Approved and Denied conditions.
    const oldApprovals = (old.status.conditions ?? []).filter(({ type }) => isApprovalCondition(type));
    if (object.status.conditions) {
      object.status.conditions = object.status.conditions.map(
        (condition) => oldApprovals.find(({ type }) => type === condition.type) ?? condition,
      );
    }
    defaultConditionTimes(object, old, now);
  },
  validateUpdate: (object, old) =>
    validateUpdate(object, old, dialect, [
      ...validateConditions(object.status.conditions ?? []),
      ...validateCertificate(object.status.certificate ?? '', old.status.certificate ?? ''),
      ...validateDecisionsUnchanged(object, old, { isApproval: false }),
    ]),
});

const approvalRules = (dialect: Dialect): UpdateStrategy<CertificateSigningRequest> => ({
  resetFields: ['spec', 'status.certificate'],
  prepareForUpdate(object, old, now) {
    object.spec = old.spec;
    object.status = { ...old.status, conditions: object.status.conditions ?? [] };
    defaultConditionTimes(object, old, now);
  },
  validateUpdate: (object, old) =>
    validateUpdate(object, old, dialect, [
      ...validateConditions(object.status.conditions ?? []),
      ...validateDecisionsUnchanged(object, old, { isApproval: true }),
    ]),
});

const isApprovalCondition = (type: string) => type === 'Approved' || type === 'Denied';

/** Sets absent times. An unchanged status keeps its previous lastTransitionTime. */
function defaultConditionTimes(
  { status }: CertificateSigningRequest,
  { status: oldStatus }: CertificateSigningRequest,
  now: string,
): void {
  for (const condition of status.conditions ?? []) {
    condition.lastUpdateTime ||= now;
    if (condition.lastTransitionTime) continue;
    const oldCondition = oldStatus.conditions?.find(
      ({ type, status: oldConditionStatus }) =>
        type === condition.type && oldConditionStatus === condition.status,
    );
    condition.lastTransitionTime = oldCondition?.lastTransitionTime || now;
  }
}
