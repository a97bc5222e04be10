// ValidatingAdmissionPolicy: schema and defaults (upstream: types.go, defaults.go). Field numbers are those of protobuf.
import { Condition } from '../../kind/meta/condition.ts';
import { kind } from '../../kind/meta/kind.ts';
import { list } from '../../schema/collections.ts';
import { int64, named, openEnum, string } from '../../schema/scalars.ts';
import { field, type Infer, optional, struct } from '../../schema/struct.ts';
import { failurePolicyType } from './failure-policy.ts';
import { Variable } from './match-condition.ts';
import { ParamKind } from './params.ts';
import { MatchResources } from './rules.ts';
import { matchConditionsField } from './webhook-fields.ts';

export const Validation = struct(
  'admissionregistration/v1.Validation',
  {
    expression: field(1, string, {
      required: true,
      doc: 'A CEL expression that is true if the request is valid. Its variables are `object` (null on DELETE), `oldObject` (null on CREATE), `request`, `params` (if the policy has a paramKind), `namespaceObject` (null for cluster-scoped objects), `variables`, `authorizer` and `authorizer.requestResource`.',
    }),
    message: field(2, string, { doc: 'The message of a failed validation, on one line.' }),
    reason: field(
      3,
      optional(
        named(
          'meta/v1.StatusReason',
          openEnum(
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
      {
        doc: 'The reason, and thereby the status code, of the rejection: Forbidden, Invalid (default) or RequestEntityTooLarge. The first failed validation decides.',
      },
    ),
    messageExpression: field(4, string, {
      doc: 'A CEL expression that returns the message; it overrides `message`. It can use all variables but the authorizer. If it fails, or does not return one nonempty line, `message` is used.',
    }),
  },
  { doc: 'A CEL expression that requests are validated with.' },
);

export type Validation = Infer<typeof Validation>;

export const AuditAnnotation = struct(
  'admissionregistration/v1.AuditAnnotation',
  {
    key: field(1, string, {
      required: true,
      doc: 'The key of the audit annotation. The name of the policy and a slash are prepended.',
    }),
    valueExpression: field(2, string, {
      required: true,
      doc: 'A CEL expression that returns the value, of at most 5 kB; null omits the annotation.',
    }),
  },
  { doc: 'An annotation that a policy adds to the audit event.' },
);

export type AuditAnnotation = Infer<typeof AuditAnnotation>;

export const ValidatingAdmissionPolicySpec = struct(
  'admissionregistration/v1.ValidatingAdmissionPolicySpec',
  {
    paramKind: field(1, optional(ParamKind), {
      doc: 'The kind of the parameter objects, if the policy has parameters.',
    }),
    matchConstraints: field(2, optional(MatchResources), {
      doc: 'The requests that the policy applies to. Required.',
    }),
    validations: field(3, list(Validation, { type: 'atomic' }), {
      doc: 'The validations. The policy must have validations or auditAnnotations.',
    }),
    failurePolicy: field(4, optional(failurePolicyType), {
      default: 'Fail',
      doc: 'What happens to a request if an expression fails: Fail or Ignore.',
    }),
    auditAnnotations: field(5, list(AuditAnnotation, { type: 'atomic' }), {
      doc: 'The annotations that the policy adds to the audit event, at most 20.',
    }),
    matchConditions: matchConditionsField(6),
    variables: field(7, list(Variable, { type: 'map', keys: ['name'], patch: 'merge', patchKey: 'name' }), {
      doc: 'Named expressions. Each can refer to earlier ones. Match conditions cannot use them.',
    }),
  },
  { doc: 'The specification of a ValidatingAdmissionPolicy.' },
);

export type ValidatingAdmissionPolicySpec = Infer<typeof ValidatingAdmissionPolicySpec>;

export const ExpressionWarning = struct(
  'admissionregistration/v1.ExpressionWarning',
  {
    fieldRef: field(2, string, {
      required: true,
      doc: 'The path of the expression, such as `spec.validations[0].expression`.',
    }),
    warning: field(3, string, {
      required: true,
      doc: 'The type checking problem and the kinds for which it occurs.',
    }),
  },
  { doc: 'A type checking warning about an expression.' },
);

export type ExpressionWarning = Infer<typeof ExpressionWarning>;

const TypeChecking = struct(
  'admissionregistration/v1.TypeChecking',
  {
    expressionWarnings: field(1, list(ExpressionWarning, { type: 'atomic' }), {
      doc: 'The type checking warnings.',
    }),
  },
  { doc: 'The result of type checking the expressions against the matched kinds.' },
);

export const ValidatingAdmissionPolicyStatus = struct(
  'admissionregistration/v1.ValidatingAdmissionPolicyStatus',
  {
    observedGeneration: field(1, int64, { doc: 'The generation that the controller last observed.' }),
    typeChecking: field(2, optional(TypeChecking), {
      doc: 'The result of type checking. Absent until it has run.',
    }),
    conditions: field(3, list(Condition, { type: 'map', keys: ['type'] }), {
      doc: 'The observed conditions of the policy.',
    }),
  },
  { doc: 'The current status of a ValidatingAdmissionPolicy.' },
);

export type ValidatingAdmissionPolicyStatus = Infer<typeof ValidatingAdmissionPolicyStatus>;

export const ValidatingAdmissionPolicy = kind(
  'admissionregistration/v1.ValidatingAdmissionPolicy',
  {
    spec: field(2, ValidatingAdmissionPolicySpec, { doc: 'The specification of the policy.' }),
    status: field(3, ValidatingAdmissionPolicyStatus, { doc: 'The current status of the policy.' }),
  },
  { doc: 'Validates requests at admission with CEL expressions. Bindings put it into effect.' },
);

export type ValidatingAdmissionPolicy = Infer<typeof ValidatingAdmissionPolicy>;
