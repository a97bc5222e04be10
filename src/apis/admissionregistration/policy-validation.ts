// Validation of ValidatingAdmissionPolicy and of policy bindings.
import type { Dialect, DialectRules } from '../../dialect/dialect.ts';
import {
  addErrors,
  duplicate,
  type FieldError,
  FormattedValue,
  formatItems,
  invalid,
  notSupported,
  required,
} from '../../errors/field-error.ts';
import { quote } from '../../errors/quote.ts';
import { validateConditions } from '../../kind/meta/condition-rules.ts';
import { nameIsSubdomain, qualifiedName } from '../../schema/names.ts';
import { validateExpression, validateMatchConditions, validateVariables } from './expression-validation.ts';
import type { MatchCondition, Variable } from './match-condition.ts';
import { validateParamKind, validateParamRef } from './param-validation.ts';
import type { ParamKind, ParamRef } from './params.ts';
import type { PolicyChecks } from './policy-expressions.ts';
import { validateMatchResources } from './rule-validation.ts';
import type { MatchResources } from './rules.ts';
import type {
  AuditAnnotation,
  ValidatingAdmissionPolicy,
  ValidatingAdmissionPolicyStatus,
  Validation,
} from './validatingadmissionpolicy-schema.ts';
import type { ValidatingAdmissionPolicyBinding } from './validatingadmissionpolicybinding-schema.ts';
import { failurePolicies } from './webhook-validation.ts';

/** The spec fields of validating and mutating policies. */
interface PolicySpec {
  readonly failurePolicy?: string;
  readonly paramKind?: ParamKind;
  readonly matchConstraints?: MatchResources;
  readonly matchConditions?: readonly MatchCondition[];
  readonly variables?: readonly Variable[];
}

/** Validates the spec fields of validating and mutating policies. Without `checks`, expressions are not compiled. */
export function validatePolicySpec(
  spec: PolicySpec,
  rules: DialectRules,
  checks?: PolicyChecks,
): FieldError[] {
  const { failurePolicy, paramKind, matchConstraints } = spec;
  const errors: FieldError[] = [];
  if (failurePolicy !== undefined && !failurePolicies.includes(failurePolicy)) {
    errors.push(notSupported('spec.failurePolicy', failurePolicy, failurePolicies));
  }
  if (paramKind) addErrors(errors, validateParamKind(paramKind, 'spec.paramKind'));
  if (!matchConstraints) errors.push(required('spec.matchConstraints'));
  else {
    addErrors(errors, validateMatchResources(matchConstraints, 'spec.matchConstraints', rules));
    if ((matchConstraints.resourceRules ?? []).length === 0) {
      errors.push(required('spec.matchConstraints.resourceRules'));
    }
  }
  addErrors(errors, validateMatchConditions(spec.matchConditions, 'spec.matchConditions', checks?.condition));
  addErrors(errors, validateVariables(spec.variables, 'spec.variables', rules, checks));
  return errors;
}

export function validatePolicy(
  { metadata, spec }: ValidatingAdmissionPolicy,
  { rules }: Dialect,
  checks: PolicyChecks,
): FieldError[] {
  const { validations = [], auditAnnotations = [] } = spec;
  const errors = validatePolicySpec(spec, rules, checks);
  if (validations.length === 0 && auditAnnotations.length === 0) {
    const detail = 'validations or auditAnnotations must contain at least one item';
    return [...errors, required('spec.validations', detail), required('spec.auditAnnotations', detail)];
  }
  return [
    ...errors,
    ...validations.flatMap((validation, i) =>
      validateValidation(validation, `spec.validations[${i}]`, rules, checks),
    ),
    ...validateAuditAnnotations(auditAnnotations, metadata.name ?? '', checks),
  ];
}

function validateValidation(
  validation: Validation,
  path: string,
  rules: DialectRules,
  checks: PolicyChecks,
): FieldError[] {
  const { validationReasons: reasons, multilineExpressionsNeedMessage } = rules;
  const { expression, message = '', messageExpression = '', reason } = validation;
  const blankDetail = 'expression is not specified';
  const errors = validateExpression(expression, `${path}.expression`, checks.validation, blankDetail);
  if (messageExpression !== '' && messageExpression.trim() === '') {
    const detail = 'must be non-empty if specified';
    errors.push(invalid(`${path}.messageExpression`, messageExpression, detail));
  } else if (messageExpression !== '') {
    addErrors(errors, validateExpression(messageExpression, `${path}.messageExpression`, checks.message));
  }
  if (message !== '' && message.trim() === '') {
    errors.push(invalid(`${path}.message`, message, 'message must be non-empty if specified'));
  } else if (/[\r\n]/.test(message.trim())) {
    errors.push(invalid(`${path}.message`, message, 'message must not contain line breaks'));
  }
  if (multilineExpressionsNeedMessage && message === '' && /[\r\n]/.test(expression.trim())) {
    errors.push(required(`${path}.message`, 'message must be specified if expression contains line breaks'));
  }
  if (reason !== undefined && !reasons.includes(reason)) {
    errors.push(notSupported(`${path}.reason`, reason, reasons));
  }
  return errors;
}

const maxAnnotations = 20;
const maxValueExpressionBytes = 5 * 1024;

function validateAuditAnnotations(
  annotations: readonly AuditAnnotation[],
  policy: string,
  checks: PolicyChecks,
): FieldError[] {
  const path = 'spec.auditAnnotations';
  const errors: FieldError[] = [];
  if (annotations.length > maxAnnotations) {
    const type = 'admissionregistration.AuditAnnotation';
    const formatted = formatItems(
      annotations,
      ({ key, valueExpression }) => `${type}{Key:${quote(key)}, ValueExpression:${quote(valueExpression)}}`,
    );
    const detail = `must not have more than ${maxAnnotations} auditAnnotations`;
    errors.push(invalid(path, new FormattedValue(`[]${type}{${formatted}}`), detail));
  }
  const seen = new Set<string>();
  for (const [i, { key, valueExpression }] of annotations.entries()) {
    // The key of the audit annotation is `<policy>/<key>`.
    const qualifiedKey = `${policy}/${key}`;
    const fieldPath = `${path}[${i}].key`;
    addErrors(
      errors,
      qualifiedName(qualifiedKey).map((problem) => invalid(fieldPath, qualifiedKey, problem)),
    );
    const valuePath = `${path}[${i}].valueExpression`;
    if (Buffer.byteLength(valueExpression) > maxValueExpressionBytes) {
      // Reported as a required value although it is too long.
      errors.push(required(valuePath, `must not exceed ${maxValueExpressionBytes} bytes in length`));
    } else {
      const blankDetail = 'valueExpression is not specified';
      addErrors(errors, validateExpression(valueExpression, valuePath, checks.annotation, blankDetail));
    }
    if (seen.has(key)) errors.push(duplicate(fieldPath, key));
    seen.add(key);
  }
  return errors;
}

export function validatePolicyStatus({
  typeChecking,
  conditions,
}: ValidatingAdmissionPolicyStatus): FieldError[] {
  const errors: FieldError[] = [];
  for (const [i, { fieldRef, warning }] of (typeChecking?.expressionWarnings ?? []).entries()) {
    const path = `status.typeChecking.expressionWarnings[${i}]`;
    if (warning === '') errors.push(required(`${path}.warning`));
    if (fieldRef === '') errors.push(required(`${path}.fieldRef`));
  }
  return [...errors, ...validateConditions(conditions ?? [], 'status.conditions')];
}

/** The spec fields of bindings of validating and mutating policies. */
interface BindingSpec {
  readonly policyName?: string;
  readonly paramRef?: ParamRef;
  readonly matchResources?: MatchResources;
}

export function validateBindingSpec(
  { policyName = '', paramRef, matchResources }: BindingSpec,
  { rules }: Dialect,
): FieldError[] {
  const errors: FieldError[] =
    policyName === ''
      ? [required('spec.policyName')]
      : nameIsSubdomain(policyName).map((problem) => invalid('spec.policyName', policyName, problem));
  if (paramRef) addErrors(errors, validateParamRef(paramRef, 'spec.paramRef'));
  if (matchResources) addErrors(errors, validateMatchResources(matchResources, 'spec.matchResources', rules));
  return errors;
}

const validationActionNames = ['Audit', 'Deny', 'Warn'];

export function validateBinding({ spec }: ValidatingAdmissionPolicyBinding, dialect: Dialect): FieldError[] {
  const path = 'spec.validationActions';
  const { validationActions = [] } = spec;
  const errors = validateBindingSpec(spec, dialect);
  const seen = new Set<string>();
  for (const [i, action] of validationActions.entries()) {
    if (!validationActionNames.includes(action))
      errors.push(notSupported(`${path}[${i}]`, action, validationActionNames));
    if (seen.has(action)) errors.push(duplicate(`${path}[${i}]`, action));
    seen.add(action);
  }
  if (seen.has('Deny') && seen.has('Warn')) {
    const formatted = `[]admissionregistration.ValidationAction{${validationActions.map(quote).join(', ')}}`;
    const detail =
      'must not contain both Deny and Warn (repeating the same validation failure information in the API response and headers serves no purpose)';
    errors.push(invalid(path, new FormattedValue(formatted), detail));
  }
  if (seen.size === 0) errors.push(required(path, 'at least one validation action is required'));
  return errors;
}
