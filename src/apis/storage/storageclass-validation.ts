// Validation of StorageClass.

import { isDeepStrictEqual } from 'node:util';
import type { Dialect } from '../../dialect/dialect.ts';
import {
  addErrors,
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
    ...validateMetadata(object.metadata, { namespaced: false, nameRule: nameIsSubdomain }),
    ...validateStorageClass(object, dialect),
    ...validateMetadataChange(object.metadata, old.metadata),
    ...validateFinalizersQualified(object.metadata, dialect),
  ];
  const rejectUpdate = (field: string) => errors.push(forbidden(field, `updates to ${field} are forbidden.`));
  if (!hasSameEntries(object.parameters, old.parameters)) rejectUpdate('parameters');
  if (object.provisioner !== old.provisioner) rejectUpdate('provisioner');
  if (object.reclaimPolicy !== old.reclaimPolicy) rejectUpdate('reclaimPolicy');
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
    const { labels, errors: termErrors } = validateTopology(term, `${path}[${i}]`);
    for (const error of termErrors) errors.push(error);
    if (i >= maxComparedTerms) continue;
    // kube-apiserver treats an empty term as a duplicate of every term.
    const equalCount = seen.filter((other) => isDeepStrictEqual(other, labels)).length;
    const duplicateCount =
      labels.size === 0 ? Math.min(terms.length, maxComparedTerms) + equalCount : equalCount;
    for (let n = 0; n < duplicateCount; n++)
      errors.push(duplicate(`${path}[${i}].matchLabelExpressions`, ''));
    seen.push(labels);
  }
  return errors;
}

/** Returns the errors of a term, and its values by label key to find duplicate terms. */
function validateTopology({ matchLabelExpressions = [] }: TopologySelectorTerm, path: string) {
  const errors: FieldError[] = [];
  const labels = new Map<string, ReadonlySet<string>>();
  for (const [i, { key, values }] of matchLabelExpressions.entries()) {
    const fieldPath = `${path}.matchLabelExpressions[${i}]`;
    const seenValues = new Set<string>();
    if ((values ?? []).length === 0) errors.push(required(`${fieldPath}.values`));
    for (const [j, value] of (values ?? []).entries()) {
      if (seenValues.has(value)) errors.push(duplicate(`${fieldPath}.values[${j}]`, value));
      seenValues.add(value);
    }
    addErrors(
      errors,
      qualifiedName(key).map((problem) => invalid(`${fieldPath}.key`, key, problem)),
    );
    if (labels.has(key)) errors.push(duplicate(`${fieldPath}.key`, key));
    labels.set(key, seenValues);
  }
  return { labels, errors };
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
