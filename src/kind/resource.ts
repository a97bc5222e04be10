import type { ApiObject } from './api-object.ts';
import type { ResourceDefinition, Verb } from './definition.ts';

export const allVerbs: readonly Verb[] = [
  'create',
  'delete',
  'deletecollection',
  'get',
  'list',
  'patch',
  'update',
  'watch',
];

type Usual =
  | 'singular'
  | 'shortNames'
  | 'categories'
  | 'namespaced'
  | 'verbs'
  | 'subresources'
  | 'storagePrefix';

/** A definition with what most kinds have in common filled in: namespaced, all verbs, stored under its plural name. */
export function resource<T extends ApiObject>(
  definition: Omit<ResourceDefinition<T>, Usual> & Partial<Pick<ResourceDefinition<T>, Usual>>,
): ResourceDefinition<T> {
  return {
    singular: definition.kind.toLowerCase(),
    shortNames: [],
    categories: [],
    namespaced: true,
    verbs: allVerbs,
    subresources: {},
    storagePrefix: definition.plural,
    ...definition,
  };
}
