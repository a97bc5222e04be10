import { userKeyed } from '../../codec/json/json-value.ts';
import type { Dialect } from '../../dialect/dialect.ts';
import { type FieldError, invalid, required } from '../../errors/field-error.ts';
import { labelSelectorMatches } from '../../kind/meta/label-selector-match.ts';
import { validateLabelSelector } from '../../kind/meta/label-selector-rules.ts';
import { shownLabels, shownSelector } from '../../kind/meta/shown-labels.ts';
import { validLabelValue } from '../../schema/names.ts';
import type { Job } from './job.ts';

/** The labels that pods of a job have, each also under the bare name it had once. */
function labelsOf({ metadata }: Job, { labels }: Dialect): [label: string, value: string][] {
  const { uid = '', name = '' } = metadata;
  return [
    ['controller-uid', uid],
    ['job-name', name],
    [labels.jobUid, uid],
    [labels.jobName, name],
  ];
}

/** On a job whose name was taken, so that it gets another one and a new uid: the labels that have the last ones. */
const made = Symbol('made');
interface Retried {
  [made]?: readonly string[];
}

/** Labels the pods of a new job with its name and uid, and selects them by the uid. What the client set stays. */
export function makeSelector(job: Job & Retried, dialect: Dialect): void {
  const { metadata, spec } = job;
  spec.template.metadata.labels ??= userKeyed();
  const { labels } = spec.template.metadata;
  // The labels of the pods may be those of the job as well, which then has all of them; not so one with a generated name.
  if (metadata.generateName) metadata.labels = Object.assign(userKeyed<string>(), metadata.labels);
  for (const label of job[made] ?? []) delete labels[label];
  const missing = labelsOf(job, dialect).filter(([label]) => labels[label] === undefined);
  for (const [label, value] of missing) labels[label] = value;
  // A job without labels of its own has those of its pods. What is wrong with these is told of the pods alone.
  const areValid = Object.values(labels).every((value) => validLabelValue(value).length === 0);
  if (Object.keys(metadata.labels ?? {}).length === 0 && areValid) metadata.labels = labels;

  const matchLabels = Object.assign(userKeyed<string>(), spec.selector?.matchLabels);
  if (job[made]) delete matchLabels[dialect.labels.jobUid];
  matchLabels[dialect.labels.jobUid] ??= metadata.uid ?? '';
  job[made] = missing.map(([label]) => label);
  spec.selector = { ...spec.selector, matchLabels };
}

/** What is wrong with a selector and labels that the server was to make. `old` is what the job was before, if any. */
export function validateMadeSelector(job: Job, dialect: Dialect, old?: Job): FieldError[] {
  const { metadata, spec } = job;
  if (spec.manualSelector || !spec.selector) return [];
  const errors: FieldError[] = metadata.uid ? [] : [required('metadata.uid')];
  const { labels } = spec.template.metadata;
  const expected = userKeyed<string>();
  for (const [label, value] of labelsOf(job, dialect)) {
    // Jobs made before these labels were do not have them.
    if (label.includes('/') && old && !hasLabels(old, dialect)) continue;
    expected[label] = value;
    const path = `spec.template.metadata.labels[${label}]`;
    const found = labels?.[label];
    if (found === undefined) errors.push(required(path, `must be '${value}'`));
    else if (found !== value) errors.push(invalid(path, shownLabels(labels), `must be '${value}'`));
  }
  if (
    validateLabelSelector(spec.selector, '').length === 0 &&
    !labelSelectorMatches(spec.selector, expected)
  ) {
    errors.push(invalid('spec.selector', shownSelector(spec.selector), '`selector` not auto-generated'));
  }
  return errors;
}

function hasLabels({ spec }: Job, { labels }: Dialect): boolean {
  const found = spec.template.metadata.labels ?? {};
  return labels.jobName in found && labels.jobUid in found;
}
