import { type Body, type JsonObject, post, type Step, send } from '../case.ts';
import { configMap, configmaps } from './objects.ts';

/** Requests to patch, one maker for each type. A string is sent as it is. */
const patchOf =
  (type: string) =>
  (path: string, body: Body, headers: Record<string, string> = {}): Step =>
    send('PATCH', path, body, { headers: { 'content-type': `application/${type}`, ...headers } });

export const merge = patchOf('merge-patch+json');
export const strategic = patchOf('strategic-merge-patch+json');
const json = patchOf('json-patch+json');

export const jsonPatch = (path: string, steps: JsonObject[] | string) =>
  json(path, typeof steps === 'string' ? steps : JSON.stringify(steps));

export const add = (path: string, value: JsonObject[string]): JsonObject => ({ op: 'add', path, value });
export const replace = (path: string, value: JsonObject[string]): JsonObject => ({
  op: 'replace',
  path,
  value,
});
export const remove = (path: string): JsonObject => ({ op: 'remove', path });

/** What is refused is shown whole, with the revision that each server has given. */
export const withoutRevision = (step: Step): Step => ({
  ...step,
  pick: (body) =>
    JSON.parse(JSON.stringify(body).replaceAll(/resourceVersion(\\+":\\+")\d+/g, 'resourceVersion$1<rv>')),
});

/** The ConfigMap `a` that JSON patches and merge patches are tried on. */
export const patchedMap = post(
  configmaps(),
  configMap(
    'a',
    { k: 'v', less: 'a<b', '0': 'zero' },
    { labels: { l: 'm' }, finalizers: ['a.b/c', 'd.e/f'] },
  ),
);
