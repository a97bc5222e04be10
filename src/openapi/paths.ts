import type { Dialect } from '../dialect/dialect.ts';
import type { Verb } from '../resource/definition.ts';
import type { ServedResource } from '../resource/registry.ts';

/**
 * The paths of one group version in OpenAPI v3: what can be asked for, and with which parameters. That is what a
 * client needs to know before it leaves the check of unknown fields to the server. The objects' own schemas are
 * not part of it.
 */
export function pathsOf(resources: readonly ServedResource[], dialect: Dialect): Record<string, PathItem> {
  const paths: Record<string, PathItem> = {};
  for (const resource of resources) {
    const { plural, namespaced, subresources } = resource.definition;
    const root = resource.group === '' ? `/api/${resource.version}` : `/apis/${resource.apiVersion}`;
    const collection = namespaced ? `${root}/namespaces/{namespace}/${plural}` : `${root}/${plural}`;
    const describe = (path: string, wanted: readonly Verb[], verbs: readonly Verb[]) => {
      const item = pathItem(
        path,
        wanted.filter((verb) => verbs.includes(verb)),
        resource,
        dialect,
      );
      if (item) paths[path] = item;
    };
    // Before it creates or replaces anything, kubectl looks at the description of PATCH to learn whether the server
    // checks fields itself. So PATCH is described for all that can be written, served or not.
    const { verbs } = resource.definition;
    const described: readonly Verb[] = verbs.includes('update') ? [...verbs, 'patch'] : verbs;
    if (namespaced) describe(`${root}/${plural}`, ['list'], verbs);
    describe(collection, ['list', 'create', 'deletecollection'], verbs);
    describe(`${collection}/{name}`, ['get', 'update', 'patch', 'delete'], described);
    for (const [name, subresource] of Object.entries(subresources)) {
      describe(`${collection}/{name}/${name}`, ['get', 'create', 'update', 'patch'], subresource.verbs);
    }
  }
  return paths;
}

export interface PathItem {
  readonly parameters?: readonly Parameter[];
  readonly [method: string]: unknown;
}

interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query';
  readonly required?: true;
  readonly schema: { readonly type: string };
}

const methods: Record<Verb, string> = {
  get: 'get',
  list: 'get',
  watch: 'get',
  create: 'post',
  update: 'put',
  patch: 'patch',
  delete: 'delete',
  deletecollection: 'delete',
};

/** How the API calls each verb where the method alone does not tell. */
const actions: Record<Verb, string> = {
  ...methods,
  list: 'list',
  watch: 'watch',
  deletecollection: 'deletecollection',
};

const query = (name: string, type = 'string'): Parameter => ({ name, in: 'query', schema: { type } });

const selecting = [
  query('continue'),
  query('fieldSelector'),
  query('labelSelector'),
  query('limit', 'integer'),
  query('resourceVersion'),
  query('resourceVersionMatch'),
  query('timeoutSeconds', 'integer'),
];
const deleting = [
  query('dryRun'),
  query('gracePeriodSeconds', 'integer'),
  query('ignoreStoreReadErrorWithClusterBreakingPotential', 'boolean'),
  query('propagationPolicy'),
];
const writing = [query('dryRun'), query('fieldManager'), query('fieldValidation')];

const parametersOf: Record<Verb, readonly Parameter[]> = {
  get: [],
  list: [
    query('allowWatchBookmarks', 'boolean'),
    ...selecting,
    query('sendInitialEvents', 'boolean'),
    query('watch', 'boolean'),
  ],
  watch: [],
  create: writing,
  update: writing,
  patch: [...writing, query('force', 'boolean')],
  delete: deleting,
  deletecollection: [...deleting, ...selecting],
};

function pathItem(
  path: string,
  verbs: readonly Verb[],
  { group, version, kind }: ServedResource,
  dialect: Dialect,
): PathItem | undefined {
  if (verbs.length === 0) return undefined;
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(
    ([, name]): Parameter => ({ name: name!, in: 'path', required: true, schema: { type: 'string' } }),
  );
  const operations = verbs.map((verb) => [
    methods[verb],
    {
      parameters: parametersOf[verb],
      responses: { 200: { description: 'OK' }, 401: { description: 'Unauthorized' } },
      [`${dialect.extensionPrefix}action`]: actions[verb],
      [`${dialect.extensionPrefix}group-version-kind`]: { group, version, kind },
    },
  ]);
  return { parameters: [...inPath, query('pretty')], ...Object.fromEntries(operations) };
}
