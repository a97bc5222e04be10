import { ask, type Case, type JsonObject, type Kept, post, put, type Step } from '../case.ts';
import { withChange } from './lifecycle.ts';
import { object } from './objects.ts';

export const storageGroup = '/apis/storage.k8s.io';

export type Path = (rest?: string) => string;
type Change = JsonObject | ((kept: Kept) => JsonObject);

/** Objects to be created one by one, without their staying. */
export const tries = (path: Path, ...objects: JsonObject[]): Step[] =>
  objects.map((fields) => post(path('?dryRun=All'), object('{name}', fields)));
export const relabelled = (metadata: JsonObject) => (kept: Kept) => ({
  ...kept.a,
  metadata: { ...(kept.a?.metadata as JsonObject), ...metadata },
});
export const without = (field: string) => (kept: Kept) => {
  const { [field]: _, ...rest } = kept.a ?? {};
  return rest;
};
export const spec = (fields: JsonObject): JsonObject => ({ spec: fields });

/** An object, changes to it asked one by one, and its end. */
export function updates(name: string, path: Path, fields: JsonObject, ...changes: Change[]): Case {
  const metadata = [
    { labels: { a: 'b' } },
    { labels: { 'a b': 'c' } },
    { finalizers: ['foo'] },
    { generation: 9 },
    { resourceVersion: '' },
  ];
  return ask(
    name,
    post(path(), object('{name}', fields), { as: 'a' }),
    [...metadata.map(relabelled), ...changes].map((change) =>
      put(path('{name}?dryRun=All'), typeof change === 'function' ? change : withChange('a', change)),
    ),
    { method: 'DELETE', path: path('{name}') },
  );
}

export const largeMap = { a: 'x'.repeat(300_000) };
