// Job: validation of updates of the spec (upstream: ValidateJobSpecUpdate).
import { type FieldError, FormattedValue, invalid } from '../../errors/field-error.ts';
import { quote } from '../../errors/quote.ts';
import type { KindContext } from '../../kind/context.ts';
import { validateSelectorImmutable } from '../apps/workload.ts';
import { PodTemplateSpec } from '../core/pod-template-spec.ts';
import type { Job, JobSpec } from './job.ts';
import { PodFailurePolicy, SuccessPolicy } from './job-policies.ts';
import { formatSuccessPolicy } from './job-policies-validation.ts';
import { validateJobSpec } from './job-validation.ts';

/** Runs the create rules too, as kube-apiserver does: an error of the spec is then reported twice. */
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
    ? withSchedulingDirectives(old.spec.template, template)
    : old.spec.template;
  if (PodTemplateSpec.write(template) === PodTemplateSpec.write(oldTemplate)) return [];
  return [
    invalid('spec.template', new FormattedValue(PodTemplateSpec.write(template)), 'field is immutable'),
  ];
}

/**
 * A copy of the old template with the scheduling directives of `updated`. Of the affinity, only nodeAffinity is one.
 */
function withSchedulingDirectives(old: PodTemplateSpec, updated: PodTemplateSpec): PodTemplateSpec {
  const { labels, annotations } = updated.metadata;
  const { affinity, nodeSelector, tolerations, schedulingGates } = updated.spec;
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

/** A cast for spreading `fields` over an object: an undefined value clears the field. */
function overrides<T extends object>(fields: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return fields as { [K in keyof T]?: Exclude<T[K], undefined> };
}

/** A PodFailurePolicy as Go's %#v prints it in upstream's message. */
function formatFailurePolicy({ rules }: PodFailurePolicy): FormattedValue {
  const formattedRules = rules?.map(({ action, onExitCodes, onPodConditions }) => {
    // Upstream prints the address of the pointer, which differs per process.
    const pointer = onExitCodes ? '0xc000000000' : 'nil';
    const patterns = onPodConditions?.map(
      ({ type, status }) =>
        `batch.PodFailurePolicyOnPodConditionsPattern{Type:${quote(type)}, Status:${quote(status)}}`,
    );
    return `batch.PodFailurePolicyRule{Action:${quote(action)}, OnExitCodes:(*batch.PodFailurePolicyOnExitCodesRequirement)(${pointer}), OnPodConditions:[]batch.PodFailurePolicyOnPodConditionsPattern${formatSlice(patterns)}}`;
  });
  return new FormattedValue(
    `batch.PodFailurePolicy{Rules:[]batch.PodFailurePolicyRule${formatSlice(formattedRules)}}`,
  );
}

function formatSlice(items: readonly string[] | undefined): string {
  return items ? `{${items.join(', ')}}` : '(nil)';
}
