// Validation of StorageClass.

import { isDeepStrictEqual } from 'node:util';
import type { Dialect } from '../../dialect/dialect.ts';
import {
  duplicate,
  type FieldError,
  forbidden,
  invalid,
  notSupported,
  required,
} from '../../errors/field-error.ts';
import { deprecatedLabelWarning } from '../../kind/deprecated-labels.ts';
import {
  validateFinalizersQualified,
  validateMetadata,
  validateMetadataChange,
} from '../../kind/meta/validation.ts';
import { nameIsSubdomain, qualifiedName } from '../../schema/names.ts';
import { hasSameEntries } from '../core/data.ts';
import type { TopologySelectorTerm } from '../core/topology-selector.ts';
import { validateParameters } from './class-parameters.ts';
import type { StorageClass } from './storageclass.ts';

export function validateStorageClass(object: StorageClass, dialect: Dialect): FieldError[] {
  return [
    ...validateFinalizersQualified(object.metadata, dialect),
    ...validateProvisioner(object.provisioner, 'provisioner'),
    ...validateParameters(object.parameters ?? {}, 'parameters'),
    ...validateChoice(object.reclaimPolicy || undefined, 'reclaimPolicy', ['Delete', 'Retain']),
    ...validateChoice(object.volumeBindingMode, 'volumeBindingMode', ['Immediate', 'WaitForFirstConsumer']),
    ...validateTopologies(object.allowedTopologies ?? [], 'allowedTopologies'),
  ];
}

export function validateStorageClassUpdate(
  object: StorageClass,
  old: StorageClass,
  dialect: Dialect,
): FieldError[] {
  const errors = [
    ...validateMetadata(object.metadata, false, nameIsSubdomain),
    ...validateStorageClass(object, dialect),
    ...validateMetadataChange(object.metadata, old.metadata),
    ...validateFinalizersQualified(object.metadata, dialect),
  ];
  const addError = (field: string) => errors.push(forbidden(field, `updates to ${field} are forbidden.`));
  if (!hasSameEntries(object.parameters, old.parameters)) addError('parameters');
  if (object.provisioner !== old.provisioner) addError('provisioner');
  if (object.reclaimPolicy !== old.reclaimPolicy) addError('reclaimPolicy');
  if (object.volumeBindingMode !== old.volumeBindingMode) {
    errors.push(invalid('volumeBindingMode', object.volumeBindingMode, 'field is immutable'));
  }
  return errors;
}

/** Requires a qualified name. Unlike other qualified names, its prefix may contain upper-case letters. */
export function validateProvisioner(name: string, path: string): FieldError[] {
  if (name === '') return [required(path)];
  const lower = name.toLowerCase();
  return qualifiedName(lower).map((problem) => invalid(path, lower, problem));
}

function validateChoice(value: string | undefined, path: string, choices: readonly string[]): FieldError[] {
  return value === undefined || choices.includes(value) ? [] : [notSupported(path, value, choices)];
}

/** Bounds the quadratic search for duplicate topology terms. */
const maxComparedTerms = 100;

function validateTopologies(terms: readonly TopologySelectorTerm[], path: string): FieldError[] {
  const errors: FieldError[] = [];
  const seen: ReadonlyMap<string, ReadonlySet<string>>[] = [];
  for (const [i, term] of terms.entries()) {
    const { labels, problems } = validateTopology(term, `${path}[${i}]`);
    for (const problem of problems) errors.push(problem);
    if (i >= maxComparedTerms) continue;
    // kube-apiserver treats an empty term as a duplicate of every term.
    const equalCount = seen.filter((other) => isDeepStrictEqual(other, labels)).length;
    const times = labels.size === 0 ? Math.min(terms.length, maxComparedTerms) + equalCount : equalCount;
    for (let n = 0; n < times; n++) errors.push(duplicate(`${path}[${i}].matchLabelExpressions`, ''));
    seen.push(labels);
  }
  return errors;
}

function validateTopology({ matchLabelExpressions = [] }: TopologySelectorTerm, path: string) {
  const problems: FieldError[] = [];
  const labels = new Map<string, ReadonlySet<string>>();
  for (const [i, { key, values }] of matchLabelExpressions.entries()) {
    const fieldPath = `${path}.matchLabelExpressions[${i}]`;
    const distinct = new Set<string>();
    if ((values ?? []).length === 0) problems.push(required(`${fieldPath}.values`));
    for (const [j, value] of (values ?? []).entries()) {
      if (distinct.has(value)) problems.push(duplicate(`${fieldPath}.values[${j}]`, value));
      distinct.add(value);
    }
    problems.push(...qualifiedName(key).map((problem) => invalid(`${fieldPath}.key`, key, problem)));
    if (labels.has(key)) problems.push(duplicate(`${fieldPath}.key`, key));
    labels.set(key, distinct);
  }
  return { labels, problems };
}

export function topologyWarnings({ allowedTopologies = [] }: StorageClass, dialect: Dialect): string[] {
  return allowedTopologies.flatMap(({ matchLabelExpressions = [] }, i) =>
    matchLabelExpressions.flatMap(({ key }, j) => {
      const advice = deprecatedLabelWarning(key, dialect);
      const fieldPath = `allowedTopologies[${i}].matchLabelExpressions[${j}].key`;
      return advice === undefined ? [] : [`${fieldPath}: ${advice}`];
    }),
  );
}
