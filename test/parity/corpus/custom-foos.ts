import { type Body, get, type Json, type JsonObject, post, type Step, send } from '../case.ts';
import { apply as applied } from './applies.ts';
import { object } from './objects.ts';

export const group = '{name}.example.com';
export const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
export const definition = `${definitions}/foos.${group}`;
export const foos = `/apis/${group}/v1/namespaces/{ns}/foos`;
export const x = (extension: string) => `x-kubernetes-${extension}`;
export const anything: JsonObject = { type: 'object', [x('preserve-unknown-fields')]: true };

export const version = (schema: Json, changes: JsonObject = {}): JsonObject => ({
  ...{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: schema } },
  ...changes,
});

export const kind = (versions: JsonObject[], changes: JsonObject = {}) =>
  object(`foos.${group}`, {
    spec: { group, scope: 'Namespaced', names: { plural: 'foos', kind: 'Foo' }, versions, ...changes },
  });

interface Conditions {
  conditions?: { type: string; status: string }[];
}

const isEstablished = ({ status }: JsonObject) =>
  ((status as unknown as Conditions).conditions ?? []).some(
    ({ type, status: is }) => type === 'Established' && is === 'True',
  );

/** Makes the kind, and waits until it is served. */
export const serve = (versions: JsonObject[], changes?: JsonObject): Step[] => [
  post(definitions, kind(versions, changes), { pick: () => 'made' }),
  get(definition, { until: isEstablished, pick: ({ status }) => status ?? null }),
  get(`/apis/${group}/v1/foos`, { until: ({ kind: is }) => is !== 'Status', pick: () => 'served' }),
  get(`/apis/${group}/v1`, { until: ({ resources }) => Array.isArray(resources), pick: withoutHashes }),
];

/** The reference hashes group, version and kind of the case's own names. */
function withoutHashes({ resources }: JsonObject): Json {
  return (resources as JsonObject[]).map(({ storageVersionHash, ...rest }) => ({
    ...rest,
    hashed: storageVersionHash !== undefined,
  }));
}

export const foo = (name: string, parts: JsonObject = {}, version = 'v1'): JsonObject => ({
  ...{ apiVersion: `${group}/${version}`, kind: 'Foo', metadata: { name } },
  ...parts,
});

export const spec = (value: Json) => foo('a', { spec: value });
export const withSpec = (properties: JsonObject, more: JsonObject = {}): JsonObject => ({
  type: 'object',
  properties: { spec: { type: 'object', properties, ...more }, status: anything },
});
export const patch = (path: string, body: Body, type: string) =>
  send('PATCH', path, body, { headers: { 'content-type': `application/${type}` } });
export const merge = (path: string, body: JsonObject) => patch(path, body, 'merge-patch+json');
export const apply = (path: string, by: string, body: JsonObject, force?: boolean) =>
  applied(path, body, { by, ...(force && { force }) });
