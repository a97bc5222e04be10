// Defaults for the definitions of built-in kinds.

import type { GroupId } from '../dialect/groups.ts';
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

type DefaultedField =
  | 'singular'
  | 'shortNames'
  | 'categories'
  | 'namespaced'
  | 'verbs'
  | 'subresources'
  | 'storagePrefix';

type BuiltInDefinition<T extends ApiObject> = Omit<ResourceDefinition<T>, DefaultedField | 'group'> &
  Partial<Pick<ResourceDefinition<T>, DefaultedField>> & { readonly group: GroupId };

/** A built-in kind with defaults for what most kinds share: namespaced, all verbs, stored under its plural name. */
export function resource<T extends ApiObject>(definition: BuiltInDefinition<T>): ResourceDefinition<T> {
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
