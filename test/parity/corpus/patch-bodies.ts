import { type Body, type JsonObject, type Step, send } from '../case.ts';

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
