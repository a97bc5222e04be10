// Validation of the webhooks in MutatingWebhookConfiguration and ValidatingWebhookConfiguration.
import {
  addErrors,
  duplicate,
  type FieldError,
  invalid,
  notSupported,
  required,
} from '../../errors/field-error.ts';
import { validateLabelSelector } from '../../kind/meta/label-selector-rules.ts';
import { dnsSubdomain } from '../../schema/names.ts';
import { reviewVersions, validateReviewVersions, validateWebhookClient } from '../webhook-client.ts';
import { validateMatchConditions } from './expression-validation.ts';
import type { MutatingWebhook } from './mutatingwebhookconfiguration-schema.ts';
import type { ExpressionCheck } from './policy-expressions.ts';
import { matchPolicies, validateRule } from './rule-validation.ts';
import type { ValidatingWebhook } from './validatingwebhookconfiguration-schema.ts';

export const failurePolicies = ['Fail', 'Ignore'];
export const reinvocationPolicies = ['IfNeeded', 'Never'];
const allowedSideEffects = ['None', 'NoneOnDryRun'];

/** A webhook of either kind. */
export type Webhook = ValidatingWebhook & Pick<MutatingWebhook, 'reinvocationPolicy'>;

/** Validates the webhooks of a configuration. Without a `check`, matchConditions are not compiled. */
export function validateWebhooks(webhooks: readonly Webhook[] = [], check?: ExpressionCheck): FieldError[] {
  const seen = new Set<string>();
  return webhooks.flatMap((webhook, i) => {
    const path = `webhooks[${i}]`;
    const errors = validateWebhook(webhook, path, check);
    const { admissionReviewVersions: versions = [] } = webhook;
    const fieldPath = `${path}.admissionReviewVersions`;
    if (versions.length > 0) addErrors(errors, validateReviewVersions(versions, fieldPath));
    else errors.push(required(fieldPath, `must specify one of ${reviewVersions.join(', ')}`));
    if (webhook.name !== '' && seen.has(webhook.name)) errors.push(duplicate(`${path}.name`, webhook.name));
    seen.add(webhook.name);
    return errors;
  });
}

function validateWebhook(webhook: Webhook, path: string, check: ExpressionCheck | undefined): FieldError[] {
  const { sideEffects, timeoutSeconds } = webhook;
  const errors = validateName(webhook.name, `${path}.name`);
  for (const [i, rule] of (webhook.rules ?? []).entries())
    addErrors(errors, validateRule(rule, `${path}.rules[${i}]`));
  const validateEnum = (field: string, value: string | undefined, allowed: readonly string[]) => {
    if (value !== undefined && !allowed.includes(value))
      errors.push(notSupported(`${path}.${field}`, value, allowed));
  };
  validateEnum('failurePolicy', webhook.failurePolicy, failurePolicies);
  validateEnum('matchPolicy', webhook.matchPolicy, matchPolicies);
  if (sideEffects === undefined) {
    errors.push(required(`${path}.sideEffects`, `must specify one of ${allowedSideEffects.join(', ')}`));
  }
  validateEnum('sideEffects', sideEffects, allowedSideEffects);
  if (timeoutSeconds !== undefined && (timeoutSeconds < 1 || timeoutSeconds > 30)) {
    const detail = 'the timeout value must be between 1 and 30 seconds';
    errors.push(invalid(`${path}.timeoutSeconds`, timeoutSeconds, detail));
  }
  addErrors(errors, [
    ...validateLabelSelector(webhook.namespaceSelector, `${path}.namespaceSelector`),
    ...validateLabelSelector(webhook.objectSelector, `${path}.objectSelector`),
  ]);
  validateEnum('reinvocationPolicy', webhook.reinvocationPolicy, reinvocationPolicies);
  return [
    ...errors,
    ...validateWebhookClient(webhook.clientConfig, `${path}.clientConfig`),
    ...validateMatchConditions(webhook.matchConditions, `${path}.matchConditions`, check),
  ];
}

function validateName(name: string, path: string): FieldError[] {
  if (name === '') return [required(path)];
  const problems = dnsSubdomain(name);
  if (problems.length > 0) return problems.map((problem) => invalid(path, name, problem));
  if (name.split('.').length >= 3) return [];
  return [invalid(path, name, 'should be a domain with at least three segments separated by dots')];
}
