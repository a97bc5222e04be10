// Label and field selectors of a list or watch, as a selection of stored objects.

import { fieldMatcher } from '../selectors/field-matcher.ts';
import type { FieldRequirement } from '../selectors/field-selector.ts';
import { labelMatcher } from '../selectors/label-matcher.ts';
import type { LabelRequirement } from '../selectors/label-selector.ts';
import { Selection } from '../store/selection.ts';
import type { EqualityRequirement } from '../store/store.ts';

/** The part of a served resource that says how its keys are built. */
interface KeyedResource {
  readonly prefix: string;
  readonly definition: { readonly namespaced: boolean };
}

/** The selection of a list or watch; undefined if it selects every object. */
export function selectionOf(
  resource: KeyedResource,
  labels: readonly LabelRequirement[],
  fields: readonly FieldRequirement[],
): Selection | undefined {
  // metadata.name and metadata.namespace are in the key; the other fields are stored with the object.
  const keyRequirements = fields.filter(({ field }) => isKeyField(field));
  const contentRequirements = fields.filter(({ field }) => !isKeyField(field));
  if (labels.length === 0 && fields.length === 0) return undefined;
  const matchesContent = fieldMatcher(contentRequirements);
  const matchesKey = fieldMatcher(keyRequirements);
  return new Selection(JSON.stringify([labels, fields]), {
    equalities: equalitiesOf(labels, fields),
    ...(labels.length > 0 && { labels: labelMatcher(labels) }),
    ...(contentRequirements.length > 0 && {
      fields: (pairs) => matchesContent((field) => pairs.get(field) ?? ''),
    }),
    ...(keyRequirements.length > 0 && {
      key: (key) => {
        const { namespace, name } = splitKey(resource, key);
        return matchesKey((field) => (field === 'metadata.name' ? name : namespace));
      },
    }),
  });
}

function equalitiesOf(
  labels: readonly LabelRequirement[],
  fields: readonly FieldRequirement[],
): EqualityRequirement[] {
  const ofFields = fields.filter(({ equal }) => equal);
  const ofLabels = labels.filter(({ operator }) => operator === 'in');
  return [
    ...ofFields.map(({ field, value }): EqualityRequirement => {
      return { kind: isKeyField(field) ? 'key' : 'field', name: field, values: [value] };
    }),
    ...ofLabels.map(({ key, values }): EqualityRequirement => ({ kind: 'label', name: key, values })),
  ];
}

/** The selection without metadata.name and metadata.namespace, for objects that were selected by key. */
export function contentSelectionOf(
  resource: KeyedResource,
  labels: readonly LabelRequirement[],
  fields: readonly FieldRequirement[],
): Selection | undefined {
  return selectionOf(
    resource,
    labels,
    fields.filter(({ field }) => !isKeyField(field)),
  );
}

/** The field selectors that an object's key decides: metadata.name and metadata.namespace. */
export function keySelectors({ fields }: Selectors): Selectors {
  return { labels: [], fields: fields.filter(({ field }) => isKeyField(field)) };
}

export interface Selectors {
  readonly labels: readonly LabelRequirement[];
  readonly fields: readonly FieldRequirement[];
}

function isKeyField(field: string): boolean {
  return field === 'metadata.name' || field === 'metadata.namespace';
}

function splitKey(resource: KeyedResource, key: string): { namespace: string; name: string } {
  const relativeKey = key.slice(resource.prefix.length + 1);
  const slash = resource.definition.namespaced ? relativeKey.indexOf('/') : -1;
  return { namespace: slash < 0 ? '' : relativeKey.slice(0, slash), name: relativeKey.slice(slash + 1) };
}
