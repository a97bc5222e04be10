// OpenAPI: the query and path parameters of operations.
import { DeleteOptions } from '../../kind/meta/delete-options.ts';
import { CreateOptions, ListOptions, PatchOptions, UpdateOptions } from '../../kind/meta/options.ts';
import { ListType } from '../../schema/collections.ts';
import type { Field, Struct } from '../../schema/struct.ts';
import type { TypeCategory } from '../../schema/type.ts';
import type { Parameter } from './document.ts';

const typesByCategory: Partial<Record<TypeCategory, string>> = {
  bool: 'boolean',
  int32: 'integer',
  int64: 'integer',
};

/** The query parameters of an options type. Lists repeat the parameter. */
export function queryParameters(options: Struct<unknown>, excluded: readonly string[] = []): Parameter[] {
  return Object.entries<Field>(options.fields)
    .filter(([name, { type }]) => isQueryable(type.category) && !excluded.includes(name))
    .filter(([name]) => name !== 'kind' && name !== 'apiVersion')
    .map(([name, { doc, type }]) => {
      const { category } = type instanceof ListType ? type.element : type;
      return query(name, typesByCategory[category] ?? 'string', doc);
    });
}

function isQueryable(category: TypeCategory): boolean {
  return category !== 'struct' && category !== 'map' && category !== 'time';
}

function query(name: string, type: string, description: string): Parameter {
  return { name, in: 'query', description, schema: { type, uniqueItems: true } };
}

export const prettyParameter = query(
  'pretty',
  'string',
  'If true, the response is indented. The default is true for browsers, curl and wget.',
);

export const listParameters = queryParameters(ListOptions);
export const getParameters = listParameters.filter(({ name }) => name === 'resourceVersion');
export const createParameters = queryParameters(CreateOptions);
export const updateParameters = queryParameters(UpdateOptions);
export const patchParameters = queryParameters(PatchOptions);
export const deleteParameters = queryParameters(DeleteOptions);
export const deleteCollectionParameters = [
  ...deleteParameters,
  ...queryParameters(ListOptions, ['allowWatchBookmarks', 'watch']),
];

/** The parameters in braces of a path: `{namespace}`, `{name}`, `{path}`. */
export function pathParameters(path: string, kind: string): Parameter[] {
  const descriptions: Readonly<Record<string, string>> = {
    name: `The name of the ${kind}.`,
    namespace: 'The namespace of the object.',
    path: 'The path that is passed to the backend.',
  };
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    description: descriptions[name] ?? '',
    required: true,
    schema: { type: 'string', uniqueItems: true },
  }));
}

/** Sorts parameters as upstream's documents do: by name. */
export function sorted(parameters: readonly Parameter[]): Parameter[] {
  const key = ({ name, in: location }: Parameter) => `${name} ${location}`;
  return [...parameters].sort((a, b) => (key(a) < key(b) ? -1 : 1));
}
