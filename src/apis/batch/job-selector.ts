// Job: generates the selector and the pod labels that tie a Job to its pods, and validates them on every write. With
// spec.manualSelector the client sets them instead. Dialect: Kubernetes' or Orch's own names of the labels.
import { nullPrototypeObject } from '../../codec/json/json-value.ts';
import type { Dialect } from '../../dialect/dialect.ts';
import { type FieldError, invalid, required } from '../../errors/field-error.ts';
import { formattedLabelSelector, formattedLabels } from '../../kind/meta/format-labels.ts';
import { labelSelectorMatches } from '../../kind/meta/label-selector-match.ts';
import { validateLabelSelector } from '../../kind/meta/label-selector-rules.ts';
import { validLabelValue } from '../../schema/names.ts';
import type { Job } from './job.ts';

/**
 * The labels that an earlier attempt generated on this object. A create with generateName is retried with a new name
 * and uid if the name is taken: labels of the failed attempt must not pass for labels that the client set.
 */
const generatedLabels = Symbol('generatedLabels');
interface MarkedJob extends Job {
  [generatedLabels]?: readonly string[];
}

/** Adds name and uid labels to the template and a selector by uid, keeping values that the client set. */
export function generateSelector(job: MarkedJob, dialect: Dialect): void {
  const isRetry = job[generatedLabels] !== undefined;
  addPodLabels(job, dialect);
  const { metadata, spec } = job;
  const { jobUid } = dialect.labels;
  const matchLabels = Object.assign(nullPrototypeObject<string>(), spec.selector?.matchLabels);
  if (isRetry) delete matchLabels[jobUid]; // the uid of the failed attempt
  matchLabels[jobUid] ??= metadata.uid ?? '';
  spec.selector = { ...spec.selector, matchLabels };
}

function addPodLabels(job: MarkedJob, dialect: Dialect): void {
  const { metadata, spec } = job;
  spec.template.metadata.labels ??= nullPrototypeObject();
  const { labels } = spec.template.metadata;
  // The job may share the template's labels map. A copy keeps retries from changing metadata.labels.
  if (metadata.generateName) metadata.labels = Object.assign(nullPrototypeObject<string>(), metadata.labels);
  for (const label of job[generatedLabels] ?? []) delete labels[label];
  const missingLabels = expectedPodLabels(job, dialect).filter(([label]) => labels[label] === undefined);
  for (const [label, value] of missingLabels) labels[label] = value;
  job[generatedLabels] = missingLabels.map(([label]) => label);
  // A job without labels takes those of its template, if valid, so that errors are reported for the template only.
  const areValid = Object.values(labels).every((value) => validLabelValue(value).length === 0);
  if (Object.keys(metadata.labels ?? {}).length === 0 && areValid) metadata.labels = labels;
}

/** The name and uid labels of a job's pods, each also under its legacy name without domain prefix. */
function expectedPodLabels({ metadata }: Job, { labels }: Dialect): [label: string, value: string][] {
  const { uid = '', name = '' } = metadata;
  return [
    ['controller-uid', uid],
    ['job-name', name],
    [labels.jobUid, uid],
    [labels.jobName, name],
  ];
}

/** Validates the selector and labels that the server generates. `old` is the stored job on update. */
export function validateGeneratedSelector(job: Job, dialect: Dialect, old?: Job): FieldError[] {
  const { metadata, spec } = job;
  if (spec.manualSelector || !spec.selector) return [];
  const errors: FieldError[] = metadata.uid ? [] : [required('metadata.uid')];
  const { labels } = spec.template.metadata;
  const expected = nullPrototypeObject<string>();
  for (const [label, value] of expectedPodLabels(job, dialect)) {
    // Jobs stored before the prefixed labels existed lack them.
    if (label.includes('/') && old && !hasPrefixedLabels(old, dialect)) continue;
    expected[label] = value;
    const path = `spec.template.metadata.labels[${label}]`;
    const actual = labels?.[label];
    if (actual === undefined) errors.push(required(path, `must be '${value}'`));
    else if (actual !== value) errors.push(invalid(path, formattedLabels(labels), `must be '${value}'`));
  }
  if (
    validateLabelSelector(spec.selector, '').length === 0 &&
    !labelSelectorMatches(spec.selector, expected)
  ) {
    errors.push(
      invalid('spec.selector', formattedLabelSelector(spec.selector), '`selector` not auto-generated'),
    );
  }
  return errors;
}

/** Whether the template of a job has the prefixed labels. */
function hasPrefixedLabels({ spec }: Job, { labels }: Dialect): boolean {
  const templateLabels = spec.template.metadata.labels ?? {};
  return labels.jobName in templateLabels && labels.jobUid in templateLabels;
}
