import type { ObservedObject } from '../record.ts';
import { ask } from './ask.ts';

/** The fields of an object that are compared. */
export interface ApiObject {
  readonly metadata: {
    readonly name: string;
    readonly uid: string;
    readonly resourceVersion: string;
    readonly continue?: string;
    readonly annotations?: Readonly<Record<string, string>>;
  };
  readonly data?: Content;
  readonly spec?: Content;
}

interface Content {
  readonly token?: string;
  readonly patch?: string;
  readonly bulk?: string;
}

/** Objects of one kind in one namespace. */
export interface Collection {
  readonly name: string;
  readonly path: string;
  /** The field in which objects of this kind keep their data. */
  readonly field: 'data' | 'spec';
  readonly header: { readonly apiVersion: string; readonly kind: string };
}

const configMaps = (namespace: string): Collection => ({
  name: `configmaps ${namespace}`,
  path: `/api/v1/namespaces/${namespace}/configmaps`,
  field: 'data',
  header: { apiVersion: 'v1', kind: 'ConfigMap' },
});
const namespaces = ['faults-a', 'faults-b'];
const group = 'faults.example.com';

export const collections: readonly Collection[] = [
  ...namespaces.map(configMaps),
  {
    name: 'gears',
    path: `/apis/${group}/v1/namespaces/faults-a/gears`,
    field: 'spec',
    header: { apiVersion: `${group}/v1`, kind: 'Gear' },
  },
];

export function observed({ field }: Collection, object: ApiObject): ObservedObject {
  const { name, uid, resourceVersion } = object.metadata;
  const { token = '', patch = '' } = object[field] ?? {};
  return { name, uid, revision: Number(resourceVersion), token, patch };
}

const definition = {
  metadata: { name: `gears.${group}` },
  spec: {
    group,
    names: { plural: 'gears', singular: 'gear', kind: 'Gear', listKind: 'GearList' },
    scope: 'Namespaced',
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: {
              spec: {
                type: 'object',
                properties: {
                  token: { type: 'string' },
                  patch: { type: 'string' },
                  bulk: { type: 'string' },
                },
              },
            },
          },
        },
      },
    ],
  },
};

/** Creates the namespaces and the CRD, and waits until every server serves them. */
export async function prepareCollections(urls: readonly string[]): Promise<void> {
  const [first = ''] = urls;
  for (const name of namespaces) await must(first, '/api/v1/namespaces', { metadata: { name } });
  await must(first, '/apis/apiextensions.orch.io/v1/customresourcedefinitions', definition);
  for (const url of urls) {
    for (const { path } of collections) {
      while ((await ask(url, 'GET', path)).code !== 200)
        await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}

async function must(url: string, path: string, body: unknown): Promise<void> {
  const response = await ask(url, 'POST', path, { body });
  if (response.code !== 201) throw new Error(`POST ${path}: ${JSON.stringify(response)}`);
}
