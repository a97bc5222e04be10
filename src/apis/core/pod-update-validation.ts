// Pod: validates updates of the spec, most of which is immutable.
import { type FieldError, forbidden, invalid, required } from '../../errors/field-error.ts';
import { goSyntaxOfType } from '../../errors/go-syntax-of-type.ts';
import type { KindContext } from '../../kind/context.ts';
import { shownLabels } from '../../kind/meta/shown-labels.ts';
import { validateMetadataChange } from '../../kind/meta/validation.ts';
import { list } from '../../schema/collections.ts';
import { NodeAffinity } from './affinity.ts';
import type { Container } from './container.ts';
import { rejectPaddedImage } from './container-validation.ts';
import { NodeSelectorRequirement, NodeSelectorTerm } from './node-selector.ts';
import type { Pod } from './pod.ts';
import { validatePodAnnotations } from './pod-annotations-validation.ts';
import { PodSpec } from './pod-spec.ts';
import { podSpecDifference } from './pod-spec-difference.ts';
import { validatePod } from './pod-validation.ts';
import type { Toleration } from './toleration.ts';

const changeable = [
  '`spec.containers[*].image`',
  '`spec.initContainers[*].image`',
  '`spec.activeDeadlineSeconds`',
  '`spec.tolerations` (only additions to existing tolerations)',
  '`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)',
].join(',');

/** Mutable: container images, activeDeadlineSeconds, added tolerations, removed scheduling gates, and scheduling constraints while gated. */
export function validatePodUpdate(pod: Pod, old: Pod, context: KindContext): FieldError[] {
  const errors = [
    ...validateMetadataChange(pod.metadata, old.metadata),
    ...validatePod(pod, context),
    ...validateAnnotationChange(pod, old, context),
  ];
  const { spec } = pod;
  const before = old.spec;
  for (const field of ['containers', 'initContainers'] as const) {
    const { problems, stop } = validateImages(spec[field] ?? [], before[field] ?? [], `spec.${field}`);
    errors.push(...problems);
    if (stop) return errors;
  }
  const deadline = validateDeadlineChange(spec.activeDeadlineSeconds, before.activeDeadlineSeconds);
  errors.push(...deadline.problems);
  if (deadline.stop) return errors;
  errors.push(...validateTolerationChange(spec.tolerations ?? [], before.tolerations ?? []));
  errors.push(...validateGateChange(spec, before));
  if (PodSpec.write(spec) === PodSpec.write(before)) return errors;

  const rest = withAllowedChanges(spec, before);
  if ((before.schedulingGates ?? []).length > 0) errors.push(...validateGatedChange(rest, before));
  if (PodSpec.write(rest) !== PodSpec.write(before)) {
    const detail = `pod updates may not change fields other than ${changeable}\n${podSpecDifference(before, rest)}`;
    errors.push(forbidden('spec', detail));
  }
  return errors;
}

/** Annotations that the kubelet reads are immutable after creation. */
export function validateAnnotationChange(pod: Pod, old: Pod, context: KindContext): FieldError[] {
  const { containerAppArmorPrefix, mirrorPod } = context.dialect.annotations;
  const now = pod.metadata.annotations ?? {};
  const before = old.metadata.annotations ?? {};
  const isAppArmor = (name: string) => name.startsWith(containerAppArmorPrefix);
  const fieldPath = (name: string) => `metadata.annotations[${name}]`;
  const errors: FieldError[] = [];
  for (const name of Object.keys(before)) {
    if (!isAppArmor(name) || now[name] === before[name]) continue;
    errors.push(forbidden(fieldPath(name), 'may not remove or update AppArmor annotations'));
  }
  for (const name of Object.keys(now)) {
    if (isAppArmor(name) && before[name] === undefined) {
      errors.push(forbidden(fieldPath(name), 'may not add AppArmor annotations'));
    }
  }
  if (now[mirrorPod] !== before[mirrorPod]) {
    const what = before[mirrorPod] === undefined ? 'add' : 'remove or update';
    errors.push(forbidden(fieldPath(mirrorPod), `may not ${what} mirror pod annotation`));
  }
  return [...errors, ...validatePodAnnotations(now, pod.spec, 'metadata.annotations', context)];
}

interface StepResult {
  readonly problems: FieldError[];
  /** Validation ends after these errors, as in kube-apiserver. */
  readonly stop: boolean;
}

function validateImages(now: readonly Container[], before: readonly Container[], path: string): StepResult {
  if (now.length !== before.length) {
    return { problems: [forbidden(path, 'pod updates may not add or remove containers')], stop: true };
  }
  // validatePod reports missing and padded images already; kube-apiserver reports them a second time here.
  const problems = now.flatMap((container, i) => {
    const fieldPath = `${path}[${i}]`;
    return container.image ? rejectPaddedImage(container, fieldPath) : [required(`${fieldPath}.image`)];
  });
  return { problems, stop: false };
}

const maxDeadlineSeconds = 2 ** 31 - 1;

function validateDeadlineChange(now: number | undefined, before: number | undefined): StepResult {
  const path = 'spec.activeDeadlineSeconds';
  if (now === undefined) {
    const detail = 'must not update from a positive integer to nil value';
    return { problems: before === undefined ? [] : [invalid(path, 'null', detail)], stop: false };
  }
  const refuse = (detail: string) => ({ problems: [invalid(path, now, detail)], stop: true });
  if (now < 0 || now > maxDeadlineSeconds)
    return refuse(`must be between 0 and ${maxDeadlineSeconds}, inclusive`);
  if (before !== undefined && before < now) return refuse('must be less than or equal to previous value');
  return { problems: [], stop: false };
}

function validateTolerationChange(now: readonly Toleration[], before: readonly Toleration[]): FieldError[] {
  const texts = (tolerations: readonly Toleration[]) =>
    tolerations.map(({ key = '', operator = '', value = '', effect = '' }) =>
      JSON.stringify([key, operator, value, effect]),
    );
  const kept = new Set(texts(now));
  if (texts(before).every((each) => kept.has(each))) return [];
  const detail = 'existing toleration can not be modified except its tolerationSeconds';
  return [forbidden('spec.tolerations', detail)];
}

function validateGateChange(spec: PodSpec, before: PodSpec): FieldError[] {
  const known = new Set((before.schedulingGates ?? []).map(({ name }) => name));
  return (spec.schedulingGates ?? []).flatMap(({ name }, i) => {
    if (known.has(name)) return [];
    const detail = `only deletion is allowed, but found new scheduling gate '${name}'`;
    return [forbidden(`spec.schedulingGates[${i}].name`, detail)];
  });
}

/** The new spec with all mutable fields reset to their old values; any remaining difference is forbidden. */
function withAllowedChanges(spec: PodSpec, before: PodSpec): PodSpec {
  const withImages = (now: Container[] | undefined, old: Container[] | undefined) =>
    now?.map((container, i) => ({ ...container, image: old?.[i]?.image ?? '' }));
  const rest: PodSpec = { ...spec };
  const put = <K extends keyof PodSpec>(field: K, value: PodSpec[K] | undefined) => {
    if (value === undefined) delete rest[field];
    else rest[field] = value;
  };
  put('containers', withImages(spec.containers, before.containers));
  put('initContainers', withImages(spec.initContainers, before.initContainers));
  put('activeDeadlineSeconds', before.activeDeadlineSeconds);
  put('tolerations', before.tolerations);
  put('schedulingGates', before.schedulingGates);
  if ((before.terminationGracePeriodSeconds ?? 0) < 0 && spec.terminationGracePeriodSeconds === 1) {
    put('terminationGracePeriodSeconds', before.terminationGracePeriodSeconds);
  }
  return rest;
}

/** A pod with scheduling gates may narrow nodeSelector and node affinity. Resets both in `rest` once validated. */
function validateGatedChange(rest: PodSpec, before: PodSpec): FieldError[] {
  const errors: FieldError[] = [];
  const labels = rest.nodeSelector ?? {};
  const missing = Object.entries(before.nodeSelector ?? {}).some(([key, value]) => labels[key] !== value);
  if (missing) {
    const detail = 'only additions to spec.nodeSelector are allowed (no mutations or deletions)';
    errors.push(invalid('spec.nodeSelector', shownLabels(rest.nodeSelector), detail));
  }
  if (before.nodeSelector) rest.nodeSelector = before.nodeSelector;
  else delete rest.nodeSelector;
  const affinity = rest.affinity?.nodeAffinity;
  const affinityBefore = before.affinity?.nodeAffinity;
  const text = (value: NodeAffinity | undefined) => (value ? NodeAffinity.write(value) : '');
  if (text(affinity) !== text(affinityBefore)) {
    errors.push(...validateNodeAffinityChange(affinity, affinityBefore));
    rest.affinity = { ...rest.affinity };
    if (affinityBefore) rest.affinity.nodeAffinity = affinityBefore;
    else delete rest.affinity.nodeAffinity;
    if (!before.affinity && Object.keys(rest.affinity).length === 0) delete rest.affinity;
  }
  return errors;
}

const requiredTerms = 'requiredDuringSchedulingIgnoredDuringExecution';

function validateNodeAffinityChange(
  now: NodeAffinity | undefined,
  before: NodeAffinity | undefined,
): FieldError[] {
  const old = before?.[requiredTerms]?.nodeSelectorTerms;
  if (!old) return [];
  const terms = now?.[requiredTerms]?.nodeSelectorTerms ?? [];
  const path = `spec.affinity.nodeAffinity.${requiredTerms}.nodeSelectorTerms`;
  if (old.length > 0 && terms.length !== old.length) {
    const detail = 'no additions/deletions to non-empty NodeSelectorTerms list are allowed';
    return [
      invalid(path, goSyntaxOfType(list(NodeSelectorTerm), terms.length > 0 ? terms : undefined), detail),
    ];
  }
  return terms.flatMap((term, i) => {
    if (extendsTerm(term, old[i] ?? {})) return [];
    const detail = 'only additions are allowed (no mutations or deletions)';
    return [invalid(`${path}[${i}]`, goSyntaxOfType(NodeSelectorTerm, term), detail)];
  });
}

/** An empty term matches no node, so adding requirements would widen it; that is rejected. */
function extendsTerm(term: NodeSelectorTerm, old: NodeSelectorTerm): boolean {
  const texts = (requirements: readonly NodeSelectorRequirement[] = []) =>
    requirements.map((each) => NodeSelectorRequirement.write(each));
  const conditions = [...texts(old.matchExpressions), ...texts(old.matchFields)];
  if (conditions.length === 0)
    return texts(term.matchExpressions).length + texts(term.matchFields).length === 0;
  const starts = (now: string[], before: string[]) => before.every((each, i) => now[i] === each);
  return (
    starts(texts(term.matchExpressions), texts(old.matchExpressions)) &&
    starts(texts(term.matchFields), texts(old.matchFields))
  );
}
