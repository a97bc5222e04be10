// Workload kinds: shared validation of selector, pod template and updates.
import { type FieldError, forbidden, invalid, notSupported, required } from '../../errors/field-error.ts';
import type { ApiObject, ObjectMetadata } from '../../kind/api-object.ts';
import type { KindContext } from '../../kind/context.ts';
import { formattedLabelSelector, formattedLabels } from '../../kind/meta/format-labels.ts';
import type { LabelSelector } from '../../kind/meta/label-selector.ts';
import { isEmptyLabelSelector, labelSelectorMatches } from '../../kind/meta/label-selector-match.ts';
import { validateLabelSelector } from '../../kind/meta/label-selector-rules.ts';
import { validateMetadata } from '../../kind/meta/validation.ts';
import type { PlainStrategy } from '../../kind/plain-strategy.ts';
import { dnsLabel, nameIsSubdomain } from '../../schema/names.ts';
import type { PodTemplateSpec } from '../core/pod-template-spec.ts';
import { validatePodTemplateSpec } from '../core/pod-template-validation.ts';

/** Validates a required, non-empty selector. `owner` names the kind in the message. */
export function validateOwnSelector(
  selector: LabelSelector | undefined,
  path: string,
  owner: string,
): FieldError[] {
  if (!selector) return [required(path)];
  const errors = validateLabelSelector(selector, path);
  if (isEmptyLabelSelector(selector)) {
    errors.push(invalid(path, formattedLabelSelector(selector), `empty selector is invalid for ${owner}`));
  }
  return errors;
}

/** The selector must match the template's labels; a missing selector matches nothing. */
export function validateTemplateMatchesSelector(
  template: PodTemplateSpec,
  selector: LabelSelector | undefined,
  path: string,
): FieldError[] {
  const { labels } = template.metadata;
  if (selector && (isEmptyLabelSelector(selector) || labelSelectorMatches(selector, labels))) return [];
  return [
    invalid(
      `${path}.metadata.labels`,
      formattedLabels(labels),
      '`selector` does not match template `labels`',
    ),
  ];
}

/** Validates the template of a workload whose pods restart always. */
export function validateAlwaysRestartingTemplate(
  template: PodTemplateSpec,
  path: string,
  owner: string,
  context: KindContext,
): FieldError[] {
  return [
    ...validatePodTemplateSpec(template, path, context),
    ...validateAlwaysRestarts(template, path, owner),
  ];
}

/** Requires restartPolicy Always and rejects activeDeadlineSeconds: these pods must not complete. */
export function validateAlwaysRestarts({ spec }: PodTemplateSpec, path: string, owner: string): FieldError[] {
  const errors: FieldError[] = [];
  if (spec.restartPolicy !== 'Always') {
    errors.push(notSupported(`${path}.spec.restartPolicy`, spec.restartPolicy, ['Always']));
  }
  if (spec.activeDeadlineSeconds !== undefined) {
    const detail = `activeDeadlineSeconds in ${owner} is not Supported`;
    errors.push(forbidden(`${path}.spec.activeDeadlineSeconds`, detail));
  }
  return errors;
}

export function validateSelectorImmutable(
  selector: LabelSelector | undefined,
  old: LabelSelector | undefined,
): FieldError[] {
  if (hasSameSelector(selector, old)) return [];
  return [invalid('spec.selector', formattedLabelSelector(selector), 'field is immutable')];
}

function hasSameSelector(a: LabelSelector | undefined, b: LabelSelector | undefined): boolean {
  if (!a || !b) return a === b;
  return (
    hasSameMap(a.matchLabels, b.matchLabels) &&
    JSON.stringify(a.matchExpressions ?? []) === JSON.stringify(b.matchExpressions ?? [])
  );
}

export function hasSameMap(
  a: Readonly<Record<string, string>> = {},
  b: Readonly<Record<string, string>> = {},
): boolean {
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => a[key] === b[key]);
}

/** Whether the update incremented metadata.generation. */
export function hasNewGeneration(
  { metadata }: { metadata: ObjectMetadata },
  old: { metadata: ObjectMetadata },
): boolean {
  return metadata.generation !== old.metadata.generation;
}

export function podNameWarnings({ name = '' }: ObjectMetadata): string[] {
  const problems = dnsLabel(name);
  if (problems.length === 0) return [];
  return [
    'metadata.name: this is used in Pod names and hostnames, which can result in surprising behavior; ' +
      `a DNS label is recommended: [${problems.join(' ')}]`,
  ];
}

/** Runs `check` only if the generation changed; an unchanged spec was validated when it was written. */
export function validateIfNewGeneration(
  object: { metadata: ObjectMetadata },
  old: { metadata: ObjectMetadata },
  check: () => FieldError[],
): FieldError[] {
  return hasNewGeneration(object, old) ? check() : [];
}

/** Update validation that runs the create rules first, as kube-apiserver does; errors of both appear twice. */
export function validateAsCreateAndUpdate<T extends SelectorWorkload>(
  baseStrategy: PlainStrategy<T>,
  checkSpec: (spec: T['spec']) => FieldError[],
): (object: T, old: T) => FieldError[] {
  return (object, old) => {
    const specErrors = validateIfNewGeneration(object, old, () => checkSpec(object.spec));
    return [
      ...validateMetadata(object.metadata, { namespaced: true, nameRule: nameIsSubdomain }),
      ...baseStrategy.validate(object),
      ...specErrors,
      ...baseStrategy.validateUpdate(object, old),
      ...specErrors,
      ...validateSelectorImmutable(object.spec.selector, old.spec.selector),
    ];
  };
}

interface SelectorWorkload extends ApiObject {
  spec: { selector?: LabelSelector };
}
