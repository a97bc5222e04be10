// Job: validation of spec updates.
import { type FieldError, FormattedValue, invalid } from '../../errors/field-error.ts';
import { quote } from '../../errors/quote.ts';
import type { KindContext } from '../../kind/context.ts';
import { validateSelectorImmutable } from '../apps/workload.ts';
import { PodTemplateSpec } from '../core/pod-template-spec.ts';
import type { Job, JobSpec } from './job.ts';
import { PodFailurePolicy, SuccessPolicy } from './job-policies.ts';
import { formatSuccessPolicy } from './job-policies-validation.ts';
import { validateJobSpec } from './job-validation.ts';

/** Rules for updates; runs the create rules again first, as kube-apiserver does. */
export function validateJobUpdate({ spec }: Job, old: Job, context: KindContext): FieldError[] {
  return [
    ...validateJobSpec(spec, context),
    ...validateCompletionsUpdate(spec, old.spec),
    ...validateSelectorImmutable(spec.selector, old.spec.selector),
    ...validateTemplateUpdate(spec, old),
    ...validateImmutable('completionMode', spec.completionMode, old.spec.completionMode),
    ...validatePodFailurePolicyImmutable(spec, old.spec),
    ...validateImmutable('backoffLimitPerIndex', spec.backoffLimitPerIndex, old.spec.backoffLimitPerIndex),
    ...validateImmutable('managedBy', spec.managedBy, old.spec.managedBy),
    ...validateSuccessPolicyImmutable(spec, old.spec),
  ];
}

function validateImmutable(
  name: keyof JobSpec,
  value: string | number | undefined,
  old: string | number | undefined,
): FieldError[] {
  return value === old ? [] : [invalid(`spec.${name}`, value ?? 'null', 'field is immutable')];
}

/** An Indexed job may change completions only together with an equal parallelism (elastic Indexed job). */
function validateCompletionsUpdate(spec: JobSpec, old: JobSpec): FieldError[] {
  const { completions, parallelism } = spec;
  if (spec.completionMode !== 'Indexed')
    return validateImmutable('completions', completions, old.completions);
  if (completions === undefined || completions === old.completions || completions === parallelism) return [];
  return [invalid('spec.completions', completions, 'can only be modified in tandem with spec.parallelism')];
}

function validatePodFailurePolicyImmutable(
  { podFailurePolicy: policy }: JobSpec,
  old: JobSpec,
): FieldError[] {
  const encode = (value: PodFailurePolicy | undefined) => value && PodFailurePolicy.write(value);
  if (encode(policy) === encode(old.podFailurePolicy)) return [];
  return [
    invalid('spec.podFailurePolicy', policy ? formatFailurePolicy(policy) : 'null', 'field is immutable'),
  ];
}

function validateSuccessPolicyImmutable({ successPolicy: policy }: JobSpec, old: JobSpec): FieldError[] {
  const encode = (value: SuccessPolicy | undefined) => value && SuccessPolicy.write(value);
  if (encode(policy) === encode(old.successPolicy)) return [];
  return [invalid('spec.successPolicy', policy ? formatSuccessPolicy(policy) : 'null', 'field is immutable')];
}

/** The template is immutable, except scheduling directives of a suspended job that has not started. */
function validateTemplateUpdate({ template }: JobSpec, old: Job): FieldError[] {
  const isSuspendedBeforeStart = old.spec.suspend === true && old.status.startTime === undefined;
  const oldTemplate = isSuspendedBeforeStart
    ? withSchedulingDirectivesOf(template, old.spec.template)
    : old.spec.template;
  if (PodTemplateSpec.write(template) === PodTemplateSpec.write(oldTemplate)) return [];
  return [
    invalid('spec.template', new FormattedValue(PodTemplateSpec.write(template)), 'field is immutable'),
  ];
}

/** The old template with the scheduling directives of the new one. */
function withSchedulingDirectivesOf(template: PodTemplateSpec, old: PodTemplateSpec): PodTemplateSpec {
  const { labels, annotations } = template.metadata;
  const { affinity, nodeSelector, tolerations, schedulingGates } = template.spec;
  const { nodeAffinity: _, ...otherAffinity } = old.spec.affinity ?? {};
  const spec = { ...old.spec };
  delete spec.affinity;
  if (affinity) {
    spec.affinity = {
      ...otherAffinity,
      ...(affinity.nodeAffinity && { nodeAffinity: affinity.nodeAffinity }),
    };
  } else if (Object.keys(otherAffinity).length > 0) {
    spec.affinity = otherAffinity;
  }
  return {
    metadata: { ...old.metadata, ...overrides({ labels, annotations }) },
    spec: { ...spec, ...overrides({ nodeSelector, tolerations, schedulingGates }) },
  };
}

/** Types the fields for a spread in which undefined values overwrite too. */
function overrides<T extends object>(fields: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return fields as { [K in keyof T]?: Exclude<T[K], undefined> };
}

function formatFailurePolicy({ rules }: PodFailurePolicy): FormattedValue {
  const formatted = rules?.map(({ action, onExitCodes, onPodConditions }) => {
    // The address of a Go pointer, which upstream's message prints.
    const pointer = onExitCodes ? '0xc000000000' : 'nil';
    const patterns = onPodConditions?.map(
      ({ type, status }) =>
        `batch.PodFailurePolicyOnPodConditionsPattern{Type:${quote(type)}, Status:${quote(status)}}`,
    );
    const list = patterns ? `{${patterns.join(', ')}}` : '(nil)';
    return `batch.PodFailurePolicyRule{Action:${quote(action)}, OnExitCodes:(*batch.PodFailurePolicyOnExitCodesRequirement)(${pointer}), OnPodConditions:[]batch.PodFailurePolicyOnPodConditionsPattern${list}}`;
  });
  const list = formatted ? `{${formatted.join(', ')}}` : '(nil)';
  return new FormattedValue(`batch.PodFailurePolicy{Rules:[]batch.PodFailurePolicyRule${list}}`);
}
