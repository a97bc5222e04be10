// Job: validation of the spec, of a Job and of a CronJob's template, and warnings (upstream: ValidateJob,
// ValidateJobSpec).
// Dialect: the names of Kubernetes' API or of Orch's own; `title` is the name of the service.

import {
  addErrors,
  type FieldError,
  invalid,
  notSupported,
  required,
  tooLong,
} from '../../errors/field-error.ts';
import type { KindContext } from '../../kind/context.ts';
import { validateLabelSelector } from '../../kind/meta/label-selector-rules.ts';
import { validateNonNegative } from '../../kind/meta/non-negative.ts';
import { dnsLabel, dnsSubdomain } from '../../schema/names.ts';
import { validateTemplateMatchesSelector } from '../apps/workload.ts';
import { validatePodTemplateSpec } from '../core/pod-template-validation.ts';
import { podWarnings } from '../core/pod-warnings.ts';
import type { Job, JobSpec } from './job.ts';
import { validatePodFailurePolicy, validateSuccessPolicy } from './job-policies-validation.ts';
import { validateGeneratedSelector } from './job-selector.ts';

const maxManagedByBytes = 63;
/** Indexed jobs above this number of completions have a lower limit on parallelism and maxFailedIndexes. */
const completionsSoftLimit = 100_000;
/** The limit on parallelism and maxFailedIndexes above completionsSoftLimit. */
const maxForHighCompletions = 10_000;
const maxParallelismForIndexedJob = 100_000;

/** Validates everything but metadata. `old` is the stored job on update. */
export function validateJob(job: Job, context: KindContext, old?: Job): FieldError[] {
  return [
    ...validateGeneratedSelector(job, context.dialect, old),
    ...validateJobSpec(job.spec, context),
    ...validatePodHostnames(job),
  ];
}

/** Validates the spec of a Job, which requires a selector. */
export function validateJobSpec(spec: JobSpec, context: KindContext): FieldError[] {
  const { selector, template } = spec;
  const errors = validateJobTemplate(spec, 'spec', context);
  const selectorErrors = selector
    ? validateLabelSelector(selector, 'spec.selector')
    : [required('spec.selector')];
  addErrors(errors, selectorErrors);
  if (selector && selectorErrors.length > 0) return errors;
  // An absent selector matches no pods, so it is reported here a second time.
  return [...errors, ...validateTemplateMatchesSelector(template, selector, 'spec.template')];
}

/** Validates a JobSpec, of a Job or of a CronJob's template. */
export function validateJobTemplate(spec: JobSpec, path: string, context: KindContext): FieldError[] {
  const errors: FieldError[] = [];
  for (const name of [
    'parallelism',
    'completions',
    'activeDeadlineSeconds',
    'backoffLimit',
    'ttlSecondsAfterFinished',
    'backoffLimitPerIndex',
    'maxFailedIndexes',
  ] as const) {
    addErrors(errors, validateNonNegative(spec[name], `${path}.${name}`));
  }
  if (spec.maxFailedIndexes !== undefined && spec.backoffLimitPerIndex === undefined) {
    errors.push(required(`${path}.backoffLimitPerIndex`, 'when maxFailedIndexes is specified'));
  }
  if (spec.managedBy !== undefined) addErrors(errors, validateManagedBy(spec.managedBy, `${path}.managedBy`));
  addErrors(errors, validateCompletionMode(spec, path));
  if (spec.podFailurePolicy) {
    addErrors(errors, validatePodFailurePolicy(spec.podFailurePolicy, spec, `${path}.podFailurePolicy`));
  }
  if (spec.successPolicy) {
    addErrors(errors, validateSuccessPolicy(spec.successPolicy, spec, `${path}.successPolicy`));
  }
  return [
    ...errors,
    ...validateReplacementPolicy(spec, `${path}.podReplacementPolicy`),
    ...validatePodTemplateSpec(spec.template, `${path}.template`, context),
    ...validateRestartPolicy(spec, `${path}.template.spec.restartPolicy`),
  ];
}

function validateManagedBy(name: string, path: string): FieldError[] {
  const errors = validateDomainPrefixedPath(name, path);
  if (Buffer.byteLength(name) > maxManagedByBytes) errors.push(tooLong(path, maxManagedByBytes));
  return errors;
}

const httpPath = /^[A-Za-z0-9/\-._~%!$&'()*+,;=:]+$/;

function validateDomainPrefixedPath(text: string, path: string): FieldError[] {
  if (text === '') return [required(path)];
  const slash = text.indexOf('/');
  if (slash < 1 || slash === text.length - 1) {
    return [invalid(path, text, 'must be a domain-prefixed path (such as "acme.io/foo")')];
  }
  const domain = text.slice(0, slash);
  const pathPart = text.slice(slash + 1);
  const errors = dnsSubdomain(domain).map((problem) => invalid(path, domain, problem));
  if (!httpPath.test(pathPart)) {
    const pattern = "[A-Za-z0-9/\\-._~%!$&'()*+,;=:]+";
    errors.push(invalid(path, pathPart, `Invalid path (regex used for validation is '${pattern}')`));
  }
  return errors;
}

function validateCompletionMode(spec: JobSpec, path: string): FieldError[] {
  const { completionMode: mode = 'NonIndexed', completions, maxFailedIndexes } = spec;
  const errors: FieldError[] = [];
  if (mode !== 'NonIndexed' && mode !== 'Indexed') {
    errors.push(notSupported(`${path}.completionMode`, mode, ['NonIndexed', 'Indexed']));
  }
  if (mode === 'Indexed') {
    const validateAtMost = (name: 'parallelism' | 'maxFailedIndexes', max: number, maxText: string) => {
      const value = spec[name];
      if (value !== undefined && value > max) {
        errors.push(invalid(`${path}.${name}`, value, `must be less than or equal to ${maxText}`));
      }
    };
    if (completions === undefined) {
      errors.push(required(`${path}.completions`, 'when completion mode is Indexed'));
    }
    validateAtMost('parallelism', maxParallelismForIndexedJob, '100000 when completion mode is Indexed');
    if (completions !== undefined) validateAtMost('maxFailedIndexes', completions, 'completions');
    validateAtMost('maxFailedIndexes', completionsSoftLimit, '100000');
    if ((completions ?? 0) > completionsSoftLimit && spec.backoffLimitPerIndex !== undefined) {
      const maxText = `${maxForHighCompletions} when completions are above ${completionsSoftLimit} and used with backoff limit per index`;
      if (maxFailedIndexes === undefined) {
        const detail = `must be specified when completions is above ${completionsSoftLimit}`;
        errors.push(required(`${path}.maxFailedIndexes`, detail));
      }
      validateAtMost('parallelism', maxForHighCompletions, maxText);
      validateAtMost('maxFailedIndexes', maxForHighCompletions, maxText);
    }
  } else if (mode === 'NonIndexed') {
    for (const name of ['backoffLimitPerIndex', 'maxFailedIndexes'] as const) {
      if (spec[name] === undefined) continue;
      errors.push(invalid(`${path}.${name}`, spec[name], 'requires indexed completion mode'));
    }
  }
  return errors;
}

function validateReplacementPolicy(
  { podReplacementPolicy: policy, podFailurePolicy }: JobSpec,
  path: string,
): FieldError[] {
  const supported = podFailurePolicy ? ['Failed'] : ['Failed', 'TerminatingOrFailed'];
  return policy === undefined || supported.includes(policy) ? [] : [notSupported(path, policy, supported)];
}

/** Rejects restartPolicy Always: such pods never complete. */
function validateRestartPolicy({ template, podFailurePolicy }: JobSpec, path: string): FieldError[] {
  const { restartPolicy = '' } = template.spec;
  if (restartPolicy === '' || restartPolicy === 'Always') {
    return [required(path, 'valid values: "OnFailure", "Never"')];
  }
  if (restartPolicy !== 'OnFailure' && restartPolicy !== 'Never') {
    return [notSupported(path, restartPolicy, ['OnFailure', 'Never'])];
  }
  if (podFailurePolicy && restartPolicy !== 'Never') {
    return [invalid(path, restartPolicy, 'only "Never" is supported when podFailurePolicy is specified')];
  }
  return [];
}

/** The hostname of an Indexed job's pod is `<job>-<index>`, which must be a DNS label. */
function validatePodHostnames({ metadata, spec }: Job): FieldError[] {
  const { name = '' } = metadata;
  const { completionMode, completions = 0 } = spec;
  if (completionMode !== 'Indexed' || completions <= 0) return [];
  const longestName = `${name}-${completions - 1}`;
  if (dnsLabel(longestName).length === 0) return [];
  return [
    invalid('metadata.name', name, `will not able to create pod with invalid DNS label: ${longestName}`),
  ];
}

export function jobWarnings(spec: JobSpec, path: string, context: KindContext): string[] {
  const { completionMode, completions = 0, parallelism = 0 } = spec;
  const warnings = podWarnings(spec.template, `${path}.template`, context);
  if (
    completionMode === 'Indexed' &&
    completions > completionsSoftLimit &&
    parallelism > maxForHighCompletions
  ) {
    warnings.unshift(
      `${path}: In Indexed Jobs with a number of completions higher than 10^5 and a parallelism higher than 10^4, ${context.dialect.title} might not be able to track completedIndexes when a big number of indexes fail`,
    );
  }
  return warnings;
}
