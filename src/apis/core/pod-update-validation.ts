// Pod: validation of updates of the spec, most of which is immutable (upstream: ValidatePodUpdate).
// Dialect: the names of annotations in Kubernetes' domain, or in Orch's own.
import { addErrors, type FieldError, forbidden, invalid, required } from '../../errors/field-error.ts';
import { goSyntaxOfType } from '../../errors/go-syntax-of-type.ts';
import type { KindContext } from '../../kind/context.ts';
import { formattedLabels } from '../../kind/meta/format-labels.ts';
import { validateMetadataChange } from '../../kind/meta/validation.ts';
import { list } from '../../schema/collections.ts';
import { NodeAffinity } from './affinity.ts';
import type { Container } from './container.ts';
import { validateImageNotPadded } from './container-validation.ts';
import { NodeSelectorRequirement, NodeSelectorTerm } from './node-selector.ts';
import type { Pod } from './pod.ts';
import { validatePodAnnotations } from './pod-annotations-validation.ts';
import { PodSpec } from './pod-spec.ts';
import { podSpecDifference } from './pod-spec-difference.ts';
import { validatePod } from './pod-validation.ts';
import type { Toleration } from './toleration.ts';

/** The mutable fields, in the words of the error message. */
const mutableFields = [
  '`spec.containers[*].image`',
  '`spec.initContainers[*].image`',
  '`spec.activeDeadlineSeconds`',
  '`spec.tolerations` (only additions to existing tolerations)',
  '`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)',
].join(',');

/**
 * Mutable are container images, activeDeadlineSeconds and tolerationSeconds; tolerations can be added and scheduling
 * gates removed. While the pod is gated, its scheduling constraints can be narrowed.
 */
export function validatePodUpdate(pod: Pod, old: Pod, context: KindContext): FieldError[] {
  const errors = [
    ...validateMetadataChange(pod.metadata, old.metadata),
    ...validatePod(pod, context),
    ...validateAnnotationChange(pod, old, context),
  ];
  const { spec } = pod;
  const oldSpec = old.spec;
  for (const field of ['containers', 'initContainers'] as const) {
    const images = validateImages(spec[field] ?? [], oldSpec[field] ?? [], `spec.${field}`);
    addErrors(errors, images.errors);
    if (images.stop) return errors;
  }
  const deadline = validateDeadlineChange(spec.activeDeadlineSeconds, oldSpec.activeDeadlineSeconds);
  addErrors(errors, deadline.errors);
  if (deadline.stop) return errors;
  addErrors(errors, validateTolerationChange(spec.tolerations ?? [], oldSpec.tolerations ?? []));
  addErrors(errors, validateGateChange(spec, oldSpec));
  if (PodSpec.write(spec) === PodSpec.write(oldSpec)) return errors;

  const remaining = withMutableFieldsReset(spec, oldSpec);
  if ((oldSpec.schedulingGates ?? []).length > 0) addErrors(errors, validateGatedChange(remaining, oldSpec));
  if (PodSpec.write(remaining) !== PodSpec.write(oldSpec)) {
    const detail = `pod updates may not change fields other than ${mutableFields}\n${podSpecDifference(oldSpec, remaining)}`;
    errors.push(forbidden('spec', detail));
  }
  return errors;
}

/** Annotations that the kubelet reads are immutable after creation. */
export function validateAnnotationChange(pod: Pod, old: Pod, context: KindContext): FieldError[] {
  const { containerAppArmorPrefix, mirrorPod } = context.dialect.annotations;
  const newAnnotations = pod.metadata.annotations ?? {};
  const oldAnnotations = old.metadata.annotations ?? {};
  const isAppArmor = (name: string) => name.startsWith(containerAppArmorPrefix);
  const fieldPath = (name: string) => `metadata.annotations[${name}]`;
  const errors: FieldError[] = [];
  for (const name of Object.keys(oldAnnotations)) {
    if (!isAppArmor(name) || newAnnotations[name] === oldAnnotations[name]) continue;
    errors.push(forbidden(fieldPath(name), 'may not remove or update AppArmor annotations'));
  }
  for (const name of Object.keys(newAnnotations)) {
    if (isAppArmor(name) && oldAnnotations[name] === undefined) {
      errors.push(forbidden(fieldPath(name), 'may not add AppArmor annotations'));
    }
  }
  if (newAnnotations[mirrorPod] !== oldAnnotations[mirrorPod]) {
    const change = oldAnnotations[mirrorPod] === undefined ? 'add' : 'remove or update';
    errors.push(forbidden(fieldPath(mirrorPod), `may not ${change} mirror pod annotation`));
  }
  return [...errors, ...validatePodAnnotations(newAnnotations, pod.spec, 'metadata.annotations', context)];
}

interface StepResult {
  readonly errors: FieldError[];
  /** Validation ends after these errors, as in kube-apiserver. */
  readonly stop: boolean;
}

function validateImages(
  newContainers: readonly Container[],
  oldContainers: readonly Container[],
  path: string,
): StepResult {
  if (newContainers.length !== oldContainers.length) {
    return { errors: [forbidden(path, 'pod updates may not add or remove containers')], stop: true };
  }
  // validatePod reports missing and padded images already; kube-apiserver reports them a second time here.
  const errors = newContainers.flatMap((container, i) => {
    const fieldPath = `${path}[${i}]`;
    return container.image ? validateImageNotPadded(container, fieldPath) : [required(`${fieldPath}.image`)];
  });
  return { errors, stop: false };
}

const maxDeadlineSeconds = 2 ** 31 - 1;

function validateDeadlineChange(newSeconds: number | undefined, oldSeconds: number | undefined): StepResult {
  const path = 'spec.activeDeadlineSeconds';
  if (newSeconds === undefined) {
    const detail = 'must not update from a positive integer to nil value';
    return { errors: oldSeconds === undefined ? [] : [invalid(path, 'null', detail)], stop: false };
  }
  const reject = (detail: string) => ({ errors: [invalid(path, newSeconds, detail)], stop: true });
  if (newSeconds < 0 || newSeconds > maxDeadlineSeconds)
    return reject(`must be between 0 and ${maxDeadlineSeconds}, inclusive`);
  if (oldSeconds !== undefined && oldSeconds < newSeconds)
    return reject('must be less than or equal to previous value');
  return { errors: [], stop: false };
}

function validateTolerationChange(
  newTolerations: readonly Toleration[],
  oldTolerations: readonly Toleration[],
): FieldError[] {
  const keysOf = (tolerations: readonly Toleration[]) =>
    tolerations.map(({ key = '', operator = '', value = '', effect = '' }) =>
      JSON.stringify([key, operator, value, effect]),
    );
  const newKeys = new Set(keysOf(newTolerations));
  if (keysOf(oldTolerations).every((key) => newKeys.has(key))) return [];
  const detail = 'existing toleration can not be modified except its tolerationSeconds';
  return [forbidden('spec.tolerations', detail)];
}

function validateGateChange(spec: PodSpec, oldSpec: PodSpec): FieldError[] {
  const oldGates = new Set((oldSpec.schedulingGates ?? []).map(({ name }) => name));
  return (spec.schedulingGates ?? []).flatMap(({ name }, i) => {
    if (oldGates.has(name)) return [];
    const detail = `only deletion is allowed, but found new scheduling gate '${name}'`;
    return [forbidden(`spec.schedulingGates[${i}].name`, detail)];
  });
}

/** The new spec with the mutable fields reset to their old values, so that every remaining difference is forbidden. */
function withMutableFieldsReset(spec: PodSpec, oldSpec: PodSpec): PodSpec {
  const withOldImages = (newContainers: Container[] | undefined, old: Container[] | undefined) =>
    newContainers?.map((container, i) => ({ ...container, image: old?.[i]?.image ?? '' }));
  const remaining: PodSpec = { ...spec };
  const setField = <K extends keyof PodSpec>(field: K, value: PodSpec[K] | undefined) => {
    if (value === undefined) delete remaining[field];
    else remaining[field] = value;
  };
  setField('containers', withOldImages(spec.containers, oldSpec.containers));
  setField('initContainers', withOldImages(spec.initContainers, oldSpec.initContainers));
  setField('activeDeadlineSeconds', oldSpec.activeDeadlineSeconds);
  setField('tolerations', oldSpec.tolerations);
  setField('schedulingGates', oldSpec.schedulingGates);
  if ((oldSpec.terminationGracePeriodSeconds ?? 0) < 0 && spec.terminationGracePeriodSeconds === 1) {
    setField('terminationGracePeriodSeconds', oldSpec.terminationGracePeriodSeconds);
  }
  return remaining;
}

/**
 * A pod with scheduling gates may narrow nodeSelector and node affinity. Validates and then resets both in
 * `remaining`.
 */
function validateGatedChange(remaining: PodSpec, oldSpec: PodSpec): FieldError[] {
  const errors: FieldError[] = [];
  const labels = remaining.nodeSelector ?? {};
  const isRemoved = Object.entries(oldSpec.nodeSelector ?? {}).some(([key, value]) => labels[key] !== value);
  if (isRemoved) {
    const detail = 'only additions to spec.nodeSelector are allowed (no mutations or deletions)';
    errors.push(invalid('spec.nodeSelector', formattedLabels(remaining.nodeSelector), detail));
  }
  if (oldSpec.nodeSelector) remaining.nodeSelector = oldSpec.nodeSelector;
  else delete remaining.nodeSelector;
  const affinity = remaining.affinity?.nodeAffinity;
  const oldAffinity = oldSpec.affinity?.nodeAffinity;
  const encode = (value: NodeAffinity | undefined) => (value ? NodeAffinity.write(value) : '');
  if (encode(affinity) !== encode(oldAffinity)) {
    addErrors(errors, validateNodeAffinityChange(affinity, oldAffinity));
    remaining.affinity = { ...remaining.affinity };
    if (oldAffinity) remaining.affinity.nodeAffinity = oldAffinity;
    else delete remaining.affinity.nodeAffinity;
    if (!oldSpec.affinity && Object.keys(remaining.affinity).length === 0) delete remaining.affinity;
  }
  return errors;
}

const requiredTerms = 'requiredDuringSchedulingIgnoredDuringExecution';

function validateNodeAffinityChange(
  newAffinity: NodeAffinity | undefined,
  oldAffinity: NodeAffinity | undefined,
): FieldError[] {
  const oldTerms = oldAffinity?.[requiredTerms]?.nodeSelectorTerms;
  if (!oldTerms) return [];
  const terms = newAffinity?.[requiredTerms]?.nodeSelectorTerms ?? [];
  const path = `spec.affinity.nodeAffinity.${requiredTerms}.nodeSelectorTerms`;
  if (oldTerms.length > 0 && terms.length !== oldTerms.length) {
    const detail = 'no additions/deletions to non-empty NodeSelectorTerms list are allowed';
    return [
      invalid(path, goSyntaxOfType(list(NodeSelectorTerm), terms.length > 0 ? terms : undefined), detail),
    ];
  }
  return terms.flatMap((term, i) => {
    if (extendsTerm(term, oldTerms[i] ?? {})) return [];
    const detail = 'only additions are allowed (no mutations or deletions)';
    return [invalid(`${path}[${i}]`, goSyntaxOfType(NodeSelectorTerm, term), detail)];
  });
}

/** Whether `term` only adds requirements to `old`. An empty term matches no node, so adding to it would widen it. */
function extendsTerm(term: NodeSelectorTerm, old: NodeSelectorTerm): boolean {
  const encode = (requirements: readonly NodeSelectorRequirement[] = []) =>
    requirements.map((requirement) => NodeSelectorRequirement.write(requirement));
  const oldRequirements = [...encode(old.matchExpressions), ...encode(old.matchFields)];
  if (oldRequirements.length === 0)
    return encode(term.matchExpressions).length + encode(term.matchFields).length === 0;
  const startsWith = (requirements: string[], prefix: string[]) =>
    prefix.every((requirement, i) => requirements[i] === requirement);
  return (
    startsWith(encode(term.matchExpressions), encode(old.matchExpressions)) &&
    startsWith(encode(term.matchFields), encode(old.matchFields))
  );
}
