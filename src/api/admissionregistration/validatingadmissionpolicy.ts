import { list } from '../../schema/collections.ts';
import { int64, named, oneOf, string } from '../../schema/scalars.ts';
import { field, type Infer, optional, struct } from '../../schema/struct.ts';
import type { KindContext } from '../context.ts';
import { Condition } from '../meta/condition.ts';
import { kind } from '../meta/kind.ts';
import { plainStrategy, statusOf } from '../plain-strategy.ts';
import { resource } from '../resource.ts';
import { alsoIn } from '../versions.ts';
import { failurePolicyType } from './failure-policy.ts';
import { MatchCondition, Variable } from './match-condition.ts';
import { ParamKind } from './params.ts';
import { MatchResources } from './rules.ts';
import { v1beta1 } from './versions.ts';

export const Validation = struct('admissionregistration/v1.Validation', {
  expression: field(1, string, { required: true }),
  message: field(2, string),
  reason: field(
    3,
    optional(
      named(
        'meta/v1.StatusReason',
        oneOf(
          '',
          'Unauthorized',
          'Forbidden',
          'NotFound',
          'AlreadyExists',
          'Conflict',
          'Gone',
          'Invalid',
          'ServerTimeout',
          'StorageReadError',
          'Timeout',
          'TooManyRequests',
          'BadRequest',
          'MethodNotAllowed',
          'NotAcceptable',
          'RequestEntityTooLarge',
          'UnsupportedMediaType',
          'InternalError',
          'Expired',
          'ServiceUnavailable',
        ),
      ),
    ),
  ),
  messageExpression: field(4, string),
});
export type Validation = Infer<typeof Validation>;

export const AuditAnnotation = struct('admissionregistration/v1.AuditAnnotation', {
  key: field(1, string, { required: true }),
  valueExpression: field(2, string, { required: true }),
});
export type AuditAnnotation = Infer<typeof AuditAnnotation>;

export const ValidatingAdmissionPolicySpec = struct(
  'admissionregistration/v1.ValidatingAdmissionPolicySpec',
  {
    paramKind: field(1, optional(ParamKind)),
    matchConstraints: field(2, optional(MatchResources)),
    validations: field(3, list(Validation, { type: 'atomic' })),
    failurePolicy: field(4, optional(failurePolicyType)),
    auditAnnotations: field(5, list(AuditAnnotation, { type: 'atomic' })),
    matchConditions: field(
      6,
      list(MatchCondition, { type: 'map', keys: ['name'], patch: 'merge', patchKey: 'name' }),
    ),
    variables: field(7, list(Variable, { type: 'map', keys: ['name'], patch: 'merge', patchKey: 'name' })),
  },
);
export type ValidatingAdmissionPolicySpec = Infer<typeof ValidatingAdmissionPolicySpec>;

export const ExpressionWarning = struct('admissionregistration/v1.ExpressionWarning', {
  fieldRef: field(2, string, { required: true }),
  warning: field(3, string, { required: true }),
});
export type ExpressionWarning = Infer<typeof ExpressionWarning>;

export const TypeChecking = struct('admissionregistration/v1.TypeChecking', {
  expressionWarnings: field(1, list(ExpressionWarning, { type: 'atomic' })),
});
export type TypeChecking = Infer<typeof TypeChecking>;

export const ValidatingAdmissionPolicyStatus = struct(
  'admissionregistration/v1.ValidatingAdmissionPolicyStatus',
  {
    observedGeneration: field(1, int64),
    typeChecking: field(2, optional(TypeChecking)),
    conditions: field(3, list(Condition, { type: 'map', keys: ['type'] })),
  },
);
export type ValidatingAdmissionPolicyStatus = Infer<typeof ValidatingAdmissionPolicyStatus>;

export const ValidatingAdmissionPolicy = kind(
  'admissionregistration/v1.ValidatingAdmissionPolicy',
  {
    spec: field(2, ValidatingAdmissionPolicySpec),
    status: field(3, ValidatingAdmissionPolicyStatus),
  },
  { doc: '' },
);
export type ValidatingAdmissionPolicy = Infer<typeof ValidatingAdmissionPolicy>;

export const validatingadmissionpolicies = (context: KindContext) =>
  resource<ValidatingAdmissionPolicy>({
    group: 'admissionregistration',
    version: 'v1',
    kind: 'ValidatingAdmissionPolicy',
    plural: 'validatingadmissionpolicies',
    categories: ['api-extensions'],
    namespaced: false,
    schema: ValidatingAdmissionPolicy,
    strategy: plainStrategy(context, ValidatingAdmissionPolicy),
    subresources: { status: statusOf(context, ValidatingAdmissionPolicy) },
  });

export const validatingadmissionpoliciesV1beta1 = (context: KindContext) =>
  alsoIn('v1beta1', validatingadmissionpolicies(context), v1beta1.of(ValidatingAdmissionPolicy));
