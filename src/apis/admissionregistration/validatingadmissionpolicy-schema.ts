// The schema of ValidatingAdmissionPolicy.
import { Condition } from '../../kind/meta/condition.ts';
import { kind } from '../../kind/meta/kind.ts';
import { list } from '../../schema/collections.ts';
import { int64, named, oneOf, string } from '../../schema/scalars.ts';
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
      doc: 'A CEL expression that is true of every request to be let through. It knows `object` (null on DELETE), `oldObject` (null on CREATE), `request`, `params` (where the policy has a kind of them), `namespaceObject` (null outside of namespaces), `variables`, `authorizer` and `authorizer.requestResource`.',
    }),
    message: field(2, string, { doc: 'What is said when it is not, on one line.' }),
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
      {
        doc: 'Forbidden, Invalid or RequestEntityTooLarge: the reason, and with it the code, of the refusal. Invalid unless said otherwise; of several that fail the first one counts.',
      },
    ),
    messageExpression: field(4, string, {
      doc: 'A CEL expression for what is said instead of `message`. It knows all but the authorizer. Where it fails or gives nothing on one line, `message` is said.',
    }),
  },
  { doc: 'Something that must hold of a request.' },
);

export type Validation = Infer<typeof Validation>;

export const AuditAnnotation = struct(
  'admissionregistration/v1.AuditAnnotation',
  {
    key: field(1, string, {
      required: true,
      doc: "The annotation's key, which the policy's name and a slash go before.",
    }),
    valueExpression: field(2, string, {
      required: true,
      doc: 'A CEL expression for the value, at most 5 kB; null leaves the annotation out.',
    }),
  },
  { doc: 'A note that a policy adds to the audit log.' },
);

export type AuditAnnotation = Infer<typeof AuditAnnotation>;

export const ValidatingAdmissionPolicySpec = struct(
  'admissionregistration/v1.ValidatingAdmissionPolicySpec',
  {
    paramKind: field(1, optional(ParamKind), { doc: 'The kind of its parameters, where it has any.' }),
    matchConstraints: field(2, optional(MatchResources), { doc: 'Which requests it checks. Needed.' }),
    validations: field(3, list(Validation, { type: 'atomic' }), {
      doc: 'What must hold. There are some, or audit annotations.',
    }),
    failurePolicy: field(4, optional(failurePolicyType), {
      default: 'Fail',
      doc: 'What becomes of a request when an expression fails: Fail or Ignore.',
    }),
    auditAnnotations: field(5, list(AuditAnnotation, { type: 'atomic' }), {
      doc: 'What is noted in the audit log, at most 20.',
    }),
    matchConditions: matchConditionsField(6),
    variables: field(7, list(Variable, { type: 'map', keys: ['name'], patch: 'merge', patchKey: 'name' }), {
      doc: 'Parts of expressions. Each may use those before it, and match conditions use none.',
    }),
  },
  { doc: 'What a policy checks.' },
);

export type ValidatingAdmissionPolicySpec = Infer<typeof ValidatingAdmissionPolicySpec>;

export const ExpressionWarning = struct(
  'admissionregistration/v1.ExpressionWarning',
  {
    fieldRef: field(2, string, {
      required: true,
      doc: 'The path of the expression: `spec.validations[0].expression`.',
    }),
    warning: field(3, string, { required: true, doc: 'What is doubtful about it, and for which kinds.' }),
  },
  { doc: 'Something doubtful about an expression.' },
);

export type ExpressionWarning = Infer<typeof ExpressionWarning>;

const TypeChecking = struct(
  'admissionregistration/v1.TypeChecking',
  {
    expressionWarnings: field(1, list(ExpressionWarning, { type: 'atomic' }), { doc: 'What was found.' }),
  },
  { doc: 'What was found when expressions were held against the kinds they are meant for.' },
);

export const ValidatingAdmissionPolicyStatus = struct(
  'admissionregistration/v1.ValidatingAdmissionPolicyStatus',
  {
    observedGeneration: field(1, int64, { doc: 'The generation that was last looked at.' }),
    typeChecking: field(2, optional(TypeChecking), {
      doc: 'What was found about the expressions; absent until they were looked at.',
    }),
    conditions: field(3, list(Condition, { type: 'map', keys: ['type'] }), {
      doc: 'How the policy is doing.',
    }),
  },
  { doc: 'What has become of a policy.' },
);

export type ValidatingAdmissionPolicyStatus = Infer<typeof ValidatingAdmissionPolicyStatus>;

export const ValidatingAdmissionPolicy = kind(
  'admissionregistration/v1.ValidatingAdmissionPolicy',
  {
    spec: field(2, ValidatingAdmissionPolicySpec, { doc: 'What it checks.' }),
    status: field(3, ValidatingAdmissionPolicyStatus, { doc: 'What has become of it.' }),
  },
  { doc: 'Rules in CEL for requests of some kind. Bindings say where it is in force.' },
);

export type ValidatingAdmissionPolicy = Infer<typeof ValidatingAdmissionPolicy>;
