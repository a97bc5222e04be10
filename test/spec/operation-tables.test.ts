/** SPEC's tables of operations and parameters, compared with the OpenAPI documents of the kinds that it lists. */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { everythingServed } from './support.ts';

const http = await everythingServed();

/** Group versions whose collections are compared; virtual kinds and connect subresources have other operations. */
const groupVersions = [
  'api/v1',
  'apis/apiregistration.orch.io/v1',
  'apis/apps/v1',
  'apis/batch/v1',
  'apis/certificates.orch.io/v1alpha1',
  'apis/events.orch.io/v1',
  'apis/flowcontrol.apiserver.orch.io/v1',
  'apis/networking.orch.io/v1beta1',
  'apis/rbac.authorization.orch.io/v1',
  'apis/resource.orch.io/v1beta1',
  'apis/scheduling.orch.io/v1',
  'apis/storage.orch.io/v1',
  'apis/storagemigration.orch.io/v1alpha1',
];
const kinds = new Set(
  (
    'clustertrustbundles roles endpoints controllerrevisions flowschemas limitranges resourcequotas configmaps secrets ' +
    'deviceclasses apiservices events ipaddresses cronjobs storageversionmigrations priorityclasses csidrivers csinodes'
  ).split(' '),
);

interface Operation {
  readonly 'x-orch-action': string;
  readonly parameters?: readonly { readonly in: string; readonly name: string }[];
  readonly responses: Readonly<Record<string, unknown>>;
}
type Path = Readonly<Record<string, Operation>> & {
  readonly parameters?: readonly { readonly in: string; readonly name: string }[];
};

/** Every operation of those kinds by its action: its query parameters and status codes. */
const operations: { path: string; action: string; query: string[]; codes: string[] }[] = [];

before(async () => {
  for (const groupVersion of groupVersions) {
    const { body } = await http.get(`/openapi/v3/${groupVersion}`);
    for (const [path, { parameters: shared = [], ...methods }] of Object.entries(
      body.paths as Record<string, Path>,
    )) {
      const plural = /\/(\w+)(?:\/\{name\}(?:\/status)?)?$/.exec(path.slice(groupVersion.length + 1))?.[1];
      if (path.includes('/watch/') || !kinds.has(plural ?? '')) continue;
      for (const operation of Object.values(methods)) {
        const all = [...shared, ...(operation.parameters ?? [])];
        operations.push({
          path,
          action: operation['x-orch-action'],
          query: all.flatMap(({ in: place, name }) => (place === 'query' ? [name] : [])).sort(),
          codes: Object.keys(operation.responses).sort(),
        });
      }
    }
  }
});

const written = ['dryRun', 'fieldManager', 'fieldValidation', 'pretty'];
const selection = [
  'continue',
  'fieldSelector',
  'labelSelector',
  'limit',
  'resourceVersion',
  'resourceVersionMatch',
];
const deletion = [
  'dryRun',
  'gracePeriodSeconds',
  'ignoreStoreReadErrorWithClusterBreakingPotential',
  'pretty',
  'propagationPolicy',
];
const streamed = ['sendInitialEvents', 'timeoutSeconds'];

/** By action: the parameters, the codes. */
const table: Readonly<Record<string, readonly [query: readonly string[], codes: readonly string[]]>> = {
  get: [['pretty'], ['200', '401']],
  list: [
    [...selection, ...streamed, 'allowWatchBookmarks', 'pretty', 'watch'],
    ['200', '401'],
  ],
  post: [written, ['200', '201', '202', '401']],
  put: [written, ['200', '201', '401']],
  patch: [
    [...written, 'force'],
    ['200', '201', '401'],
  ],
  delete: [deletion, ['200', '202', '401']],
  deletecollection: [
    [...deletion, ...selection, ...streamed],
    ['200', '401'],
  ],
};
/** Older than SPEC and still supported: orphanDependents, replaced by propagationPolicy. */
const older = ['orphanDependents'];

describe('the tables of operations', () => {
  for (const [action, [query, codes]] of Object.entries(table)) {
    test(`${action}: the parameters of the query`, () => {
      const found = operations.filter((operation) => operation.action === action);
      assert.ok(found.length > 15);
      for (const { path, query: parameters } of found) {
        assert.deepEqual(
          parameters.filter((name) => !older.includes(name)),
          [...query].sort(),
          path,
        );
      }
    });

    test(`${action}: the codes of its responses`, () => {
      for (const operation of operations) {
        if (operation.action === action) assert.deepEqual(operation.codes, codes, operation.path);
      }
    });
  }
});
