// Job: validation of podFailurePolicy and successPolicy (upstream: validatePodFailurePolicy, validateSuccessPolicy).
import {
  addErrors,
  duplicate,
  type FieldError,
  FormattedValue,
  formatItems,
  invalid,
  invalidWithoutValue,
  notSupported,
  required,
  tooLong,
  tooMany,
} from '../../errors/field-error.ts';
import { goStruct } from '../../errors/go-struct.ts';
import { quote } from '../../errors/quote.ts';
import { validateNonNegative } from '../../kind/meta/non-negative.ts';
import { qualifiedName } from '../../schema/names.ts';
import { parseIndexes } from './completion-indexes.ts';
import type { JobSpec } from './job.ts';
import type {
  PodFailurePolicy,
  PodFailurePolicyOnExitCodesRequirement,
  PodFailurePolicyOnPodConditionsPattern,
  PodFailurePolicyRule,
  SuccessPolicy,
  SuccessPolicyRule,
} from './job-policies.ts';

const maxRules = 20;
const maxConditions = 20;
const maxExitCodes = 255;
const maxIndexesBytes = 64 * 1024;

export function validatePodFailurePolicy(
  policy: PodFailurePolicy,
  spec: JobSpec,
  path: string,
): FieldError[] {
  const rules = policy.rules ?? [];
  const errors = rules.length > maxRules ? [tooMany(`${path}.rules`, rules.length, maxRules)] : [];
  for (const [i, rule] of rules.entries()) {
    addErrors(errors, validateFailureRule(rule, spec, `${path}.rules[${i}]`));
  }
  return errors;
}

function validateFailureRule(rule: PodFailurePolicyRule, spec: JobSpec, path: string): FieldError[] {
  const { onExitCodes, onPodConditions = [] } = rule;
  const errors = validateAction(rule.action, spec, `${path}.action`);
  if (onExitCodes) addErrors(errors, validateExitCodes(onExitCodes, spec, `${path}.onExitCodes`));
  addErrors(errors, validateConditions(onPodConditions, `${path}.onPodConditions`));
  if (onExitCodes && onPodConditions.length > 0) {
    errors.push(
      invalidWithoutValue(path, 'specifying both OnExitCodes and OnPodConditions is not supported'),
    );
  }
  if (!onExitCodes && onPodConditions.length === 0) {
    errors.push(invalidWithoutValue(path, 'specifying one of OnExitCodes and OnPodConditions is required'));
  }
  return errors;
}

function validateAction(action: string, spec: JobSpec, path: string): FieldError[] {
  if (action === 'FailIndex' && spec.backoffLimitPerIndex === undefined) {
    return [invalid(path, action, 'requires the backoffLimitPerIndex to be set')];
  }
  return validateEnum(action, ['Count', 'FailIndex', 'FailJob', 'Ignore'], path);
}

function validateEnum(value: string, supported: readonly string[], path: string): FieldError[] {
  if (value === '') return [required(path, `valid values: [${supported.map(quote).join(' ')}]`)];
  return supported.includes(value) ? [] : [notSupported(path, value, supported)];
}

function validateExitCodes(
  { containerName, operator, values: rawValues }: PodFailurePolicyOnExitCodesRequirement,
  { template }: JobSpec,
  path: string,
): FieldError[] {
  const values = rawValues ?? [];
  const errors = validateEnum(operator, ['In', 'NotIn'], `${path}.operator`);
  const { containers = [], initContainers = [] } = template.spec;
  const isContainer = [...containers, ...initContainers].some(({ name }) => name === containerName);
  if (containerName !== undefined && !isContainer) {
    const detail = 'must be one of the container or initContainer names in the pod template';
    errors.push(invalid(`${path}.containerName`, containerName, detail));
  }
  const fieldPath = `${path}.values`;
  // As Go's %#v prints the slice.
  const badValue = new FormattedValue(rawValues ? `[]int32{${values.join(', ')}}` : '[]int32(nil)');
  if (values.length === 0) errors.push(invalid(fieldPath, badValue, 'at least one value is required'));
  else if (values.length > maxExitCodes) errors.push(tooMany(fieldPath, values.length, maxExitCodes));
  const seen = new Set<number>();
  for (const [i, value] of values.entries()) {
    if (operator === 'In' && value === 0) {
      errors.push(invalid(`${fieldPath}[${i}]`, value, 'must not be 0 for the In operator'));
    }
    if (seen.has(value)) errors.push(duplicate(`${fieldPath}[${i}]`, value));
    seen.add(value);
  }
  const isOrdered = values.every((value, i) => i === 0 || values[i - 1]! <= value);
  return isOrdered ? errors : [...errors, invalid(fieldPath, badValue, 'must be ordered')];
}

function validateConditions(
  patterns: readonly PodFailurePolicyOnPodConditionsPattern[],
  path: string,
): FieldError[] {
  const errors: FieldError[] = [];
  if (patterns.length > maxConditions) errors.push(tooMany(path, patterns.length, maxConditions));
  for (const [i, { type, status }] of patterns.entries()) {
    for (const problem of qualifiedName(type)) errors.push(invalid(`${path}[${i}].type`, type, problem));
    addErrors(errors, validateEnum(status, ['False', 'True', 'Unknown'], `${path}[${i}].status`));
  }
  return errors;
}

export function validateSuccessPolicy(policy: SuccessPolicy, spec: JobSpec, path: string): FieldError[] {
  const rules = policy.rules ?? [];
  if (spec.completionMode !== 'Indexed') {
    return [invalid(path, formatSuccessPolicy(policy), 'requires indexed completion mode')];
  }
  const errors: FieldError[] = [];
  if (rules.length === 0) {
    const detail = 'at least one rules must be specified when the successPolicy is specified';
    errors.push(required(`${path}.rules`, detail));
  }
  if (rules.length > maxRules) errors.push(tooMany(`${path}.rules`, rules.length, maxRules));
  for (const [i, rule] of rules.entries()) {
    addErrors(errors, validateSuccessRule(rule, spec.completions ?? 0, `${path}.rules[${i}]`));
  }
  return errors;
}

function validateSuccessRule(
  { succeededCount, succeededIndexes }: SuccessPolicyRule,
  completions: number,
  path: string,
): FieldError[] {
  const errors: FieldError[] = [];
  if (succeededCount === undefined && succeededIndexes === undefined) {
    errors.push(required(path, 'at least one of succeededCount or succeededIndexes must be specified'));
  }
  let indexCount: number | undefined;
  if (succeededIndexes !== undefined) {
    const fieldPath = `${path}.succeededIndexes`;
    if (Buffer.byteLength(succeededIndexes) > maxIndexesBytes)
      errors.push(tooLong(fieldPath, maxIndexesBytes));
    const parsed = parseIndexes(succeededIndexes, completions);
    if ('problem' in parsed) {
      errors.push(invalid(fieldPath, succeededIndexes, `error parsing succeededIndexes: ${parsed.problem}`));
    }
    // Unparsable indexes count as 0, so any positive succeededCount is reported as too large.
    indexCount = 'problem' in parsed ? 0 : parsed.count;
  }
  if (succeededCount !== undefined) {
    const fieldPath = `${path}.succeededCount`;
    addErrors(errors, validateNonNegative(succeededCount, fieldPath));
    const validateAtMost = (max: number, limitDescription: string) => {
      if (succeededCount <= max) return;
      errors.push(
        invalid(fieldPath, succeededCount, `must be less than or equal to ${max} (${limitDescription})`),
      );
    };
    validateAtMost(completions, 'the number of specified completions');
    if (indexCount !== undefined) {
      validateAtMost(indexCount, 'the number of indexes in the specified succeededIndexes field');
    }
  }
  return errors;
}

/** A SuccessPolicy as Go's %#v prints it in upstream's messages. */
export function formatSuccessPolicy({ rules }: SuccessPolicy): FormattedValue {
  const formatRule = ({ succeededIndexes, succeededCount }: SuccessPolicyRule) =>
    goStruct('batch.SuccessPolicyRule', [
      ['SucceededIndexes', 'string', succeededIndexes],
      ['SucceededCount', 'int32', succeededCount],
    ]).text;
  const list = rules ? `{${formatItems(rules, formatRule)}}` : '(nil)';
  return new FormattedValue(`batch.SuccessPolicy{Rules:[]batch.SuccessPolicyRule${list}}`);
}
