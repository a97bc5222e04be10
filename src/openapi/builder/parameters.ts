// Query and path parameters of operations.
import { DeleteOptions } from '../../kind/meta/delete-options.ts';
import { CreateOptions, ListOptions, PatchOptions, UpdateOptions } from '../../kind/meta/options.ts';
import { ListType } from '../../schema/collections.ts';
import type { Field, Struct } from '../../schema/struct.ts';
import type { Form } from '../../schema/type.ts';
import type { Parameter } from './document.ts';

const types: Partial<Record<Form, string>> = { bool: 'boolean', int32: 'integer', int64: 'integer' };

/** The query parameters of an options type. Lists repeat the parameter. */
export function queryParameters(options: Struct<unknown>, leftOut: readonly string[] = []): Parameter[] {
  return Object.entries<Field>(options.fields)
    .filter(([name, { type }]) => isQueryable(type.form) && !leftOut.includes(name))
    .filter(([name]) => name !== 'kind' && name !== 'apiVersion')
    .map(([name, { doc, type }]) => {
      const { form } = type instanceof ListType ? type.element : type;
      return query(name, types[form] ?? 'string', doc);
    });
}

function isQueryable(form: Form): boolean {
  return form !== 'struct' && form !== 'map' && form !== 'time';
}

function query(name: string, type: string, description: string): Parameter {
  return { name, in: 'query', description, schema: { type, uniqueItems: true } };
}

export const pretty = query(
  'pretty',
  'string',
  'With true, the answer is indented. Without it, it is for browsers, curl and wget.',
);

export const listing = queryParameters(ListOptions);
export const reading = listing.filter(({ name }) => name === 'resourceVersion');
export const creating = queryParameters(CreateOptions);
export const updating = queryParameters(UpdateOptions);
export const patching = queryParameters(PatchOptions);
export const deleting = queryParameters(DeleteOptions);
export const deletingMany = [...deleting, ...queryParameters(ListOptions, ['allowWatchBookmarks', 'watch'])];

/** The path parameters. */
export function pathParameters(path: string, kind: string): Parameter[] {
  const descriptions: Readonly<Record<string, string>> = {
    name: `The name of the ${kind}.`,
    namespace: 'The namespace to look in.',
    path: 'The rest of the path, for who is asked in the end.',
  };
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    description: descriptions[name] ?? '',
    required: true,
    schema: { type: 'string', uniqueItems: true },
  }));
}

/** In the order of upstream's documents. */
export function sorted(parameters: readonly Parameter[]): Parameter[] {
  const key = ({ name, in: place }: Parameter) => `${name} ${place}`;
  return [...parameters].sort((a, b) => (key(a) < key(b) ? -1 : 1));
}
