import { ask, changed, type JsonObject, post, put, type Step, subject } from '../case.ts';
import { object } from './objects.ts';
import { pod, podSpec, pods, podtemplates, template, withAccount } from './pod-spec-cases.ts';
import {
  allSources,
  attachedSources,
  changedFields,
  claimSpecs,
  claimTemplate,
  downwardFiles,
  goodClaim,
  keyPaths,
  projections,
  templateMetadata,
} from './volume-sources.ts';

const volumes = (...list: JsonObject[]): Step => template({ volumes: list });
/** Each source in a volume of its own, asked one by one. */
const each = (sources: JsonObject[]): Step[] => sources.map((source) => volumes({ name: 'v', ...source }));
const one = (name: string, fields: JsonObject): JsonObject => ({ [name]: fields });
const ephemeral = (spec: JsonObject, metadata: JsonObject = {}): JsonObject => ({
  ephemeral: { volumeClaimTemplate: { metadata, spec } },
});
const projected = (...sources: JsonObject[]): JsonObject => ({ projected: { sources } });
const token = (path: string, fields: JsonObject = {}): JsonObject => ({
  serviceAccountToken: { path, ...fields },
});
const bundle = (fields: JsonObject): JsonObject => ({ clusterTrustBundle: { path: 'p', ...fields } });
const keys = (...paths: string[]): JsonObject[] => paths.map((path) => ({ key: 'k', path }));
const files = (...paths: string[]): JsonObject[] =>
  paths.map((path) => ({ path, fieldRef: { fieldPath: 'metadata.name' } }));

/** A volume of each source, and what each is to become. */
const everyVolume = Object.entries(allSources).map(([name, fields], i) => ({
  name: `v${i}`,
  [name]: fields,
}));
const changedSources: JsonObject[] = Object.entries(allSources).map(([name, fields]) => ({
  [name]: { ...fields, ...(changedFields[name] ?? { readOnly: true }) },
}));

export const volumeRules = subject('volumes', [
  ask(
    'every source, with what is filled in',
    each(Object.entries(allSources).map(([name, fields]) => one(name, fields))),
    volumes({ name: 'v' }),
    volumes({ name: 'v', emptyDir: null }),
  ),
  ask('every source, empty', each(Object.keys(allSources).map((name) => one(name, {})))),
  ask(
    'more than one source',
    volumes({ name: 'v', ...allSources }),
    volumes({ name: 'v', secret: {}, configMap: {} }),
    volumes({ name: 'v', ...Object.fromEntries(Object.keys(allSources).map((name) => [name, {}])) }),
  ),
  ask(
    'names',
    volumes({ name: '', emptyDir: {} }),
    volumes({ emptyDir: {} }, { secret: {} }),
    volumes({ name: 'A_b' }, { name: 'a.b' }, { name: 'a'.repeat(64) }),
    volumes({ name: 'a' }, { name: 'a' }, { name: 'a' }),
    volumes({ name: 'a', secret: {} }, { name: 'a' }, { name: 'a' }),
  ),
  ask('sources that lie on the node or beside it', each(attachedSources)),
  ask(
    'files of secrets, config maps and the downward API: modes',
    each(
      ['secret', 'configMap', 'downwardAPI', 'projected'].flatMap((source) =>
        [-1, 0, 511, 512, 420].map((defaultMode) => one(source, { ...allSources[source], defaultMode })),
      ),
    ),
    volumes({ name: 'v', secret: { defaultMode: -1, items: [{ mode: -1 }] } }),
    volumes({ name: 'v', downwardAPI: { defaultMode: -1, items: [{ mode: -1, fieldRef: {} }] } }),
  ),
  ask(
    'paths of keys',
    each(keyPaths.map((item) => one('configMap', { name: 'c', items: [item] }))),
    each(keyPaths.slice(0, 6).map((item) => one('secret', { secretName: 's', items: [item, item] }))),
    each(keyPaths.slice(0, 6).map((item) => projected({ secret: { name: 's', items: [item] } }))),
  ),
  ask(
    'files of the downward API',
    each(downwardFiles.map((item) => one('downwardAPI', { items: [item] }))),
    each(downwardFiles.slice(0, 6).map((item) => projected({ downwardAPI: { items: [item] } }))),
  ),
  ask('projected sources', each(projections.map((sources) => projected(...sources)))),
  ask(
    'projected tokens',
    each(
      [599, 600, 0, -1, 4294967296, 4294967297].map((expirationSeconds) =>
        projected(token('t', { expirationSeconds })),
      ),
    ),
    each(['', '/t', '../t', '..t', 'a/b'].map((path) => projected(token(path, { audience: 'x' })))),
  ),
  ask(
    'projected trust bundles',
    each(
      [
        {},
        { name: 'b' },
        { name: 'b', path: '' },
        { name: 'b', path: '/p' },
        { name: 'b', signerName: 'a.b/c' },
        { name: 'b', labelSelector: {} },
        { name: 'b', labelSelector: { matchLabels: { a: 'b' } } },
        { labelSelector: {} },
        { signerName: 'a.b/c' },
        { signerName: 'a.b/c', labelSelector: { matchLabels: { a: 'b' } }, optional: true },
        { signerName: 'a.b/c', labelSelector: { matchLabels: { 'a b': 'b' } } },
        { signerName: 'a.b/c', labelSelector: { matchExpressions: [{ key: 'a', operator: 'Nope' }] } },
        { name: '' },
        { name: 'A_b', path: '/p' },
        { name: 'a:b:c', path: '..' },
        { name: 'a:b:C_' },
        { name: '::' },
        { name: 'a/b:c' },
        ...[
          '',
          'nope',
          'a/b',
          'a.b/C_',
          'A.b/c',
          'a.b/c/d',
          '/',
          'a.b/',
          'a.b/c..d',
          `${'a'.repeat(64)}.b/c`,
        ].map((signerName) => ({ signerName })),
      ].map((fields) => projected(bundle(fields))),
    ),
  ),
  ask(
    'ephemeral volumes: the claim',
    each([...claimSpecs.map((spec) => ephemeral(spec)), { ephemeral: {} }]),
  ),
  ask(
    'ephemeral volumes: only labels and annotations of the metadata',
    each(templateMetadata.map((metadata) => ephemeral(goodClaim, metadata))),
  ),
  ask(
    'ephemeral volumes: the name of the claim',
    withAccount,
    [
      [
        { name: 'v', persistentVolumeClaim: { claimName: 'x-e' } },
        { name: 'e', ...claimTemplate },
      ],
      [{ name: 'E_', ...claimTemplate }],
      [
        { name: '', ...claimTemplate },
        { name: 'e', ephemeral: {} },
      ],
    ].map((list) => post(pods('?dryRun=All'), pod('x', { volumes: list }))),
    post(pods('?dryRun=All'), pod('x'.repeat(250), { volumes: [{ name: 'eeeeeeee', ...claimTemplate }] })),
    post(pods('?dryRun=All'), pod('X_', { volumes: [{ name: 'e', ...claimTemplate }] })),
    volumes({ name: 'v', persistentVolumeClaim: { claimName: 't-e' } }, { name: 'e', ...claimTemplate }),
  ),
  ask(
    'files in the place of others',
    each([
      { secret: { secretName: 's', items: keys('a', 'a/b', 'a') } },
      { secret: { secretName: 's', items: keys('a/b/c', 'a/b', 'a') } },
      { secret: { secretName: 's', items: keys('a', 'ab', 'a/', './a', 'a//b') } },
      { configMap: { name: 'c', items: keys('x/y', 'x', 'x/y/z') } },
      { downwardAPI: { items: files('x', 'x/y', 'x') } },
      projected(
        token('a'),
        { secret: { name: 's', items: keys('a/b', 'a/c') } },
        { configMap: { name: 'c', items: keys('a/b/x') } },
        { downwardAPI: { items: files('a/b/x/y') } },
        { clusterTrustBundle: { name: 'n', path: 'a/z' } },
        { clusterTrustBundle: { signerName: 'a.b/c', path: 'a/q' } },
        token('a/z'),
      ),
      projected({}, {}),
      projected({ secret: { name: 's' } }, {}),
      projected(token('b'), token('a'), token('b'), token('a')),
    ]),
  ),
  ask(
    'the volumes of a pod stay',
    withAccount,
    post(pods(), pod('a', { volumes: everyVolume }), { as: 'a' }),
    changedSources.map((source, i) =>
      put(pods('a?dryRun=All'), (kept) => {
        const { volumes: list, ...spec } = (kept.a?.spec ?? {}) as JsonObject;
        const changedVolumes = (list as JsonObject[]).map((volume, j) =>
          i === j ? { ...volume, ...source } : volume,
        );
        return { ...kept.a, spec: { ...spec, volumes: changedVolumes } };
      }),
    ),
  ),
  ask(
    'warnings of several volumes, and when they come again',
    volumes(
      { name: 'a', gitRepo: { repository: 'r' } },
      { name: 'b', secret: { secretName: 's', items: keys('a', 'a') } },
      { name: 'c', glusterfs: { endpoints: 'e', path: 'p' } },
      { name: 'd', ...ephemeral({ ...goodClaim, resources: { requests: { storage: '1.5' } } }) },
    ),
    post(
      podtemplates(),
      object('w', {
        template: { spec: podSpec({ volumes: [{ name: 'v', gitRepo: { repository: 'r' } }] }) },
      }),
      { as: 'w' },
    ),
    put(podtemplates('w'), changed('w', {})),
    put(
      podtemplates('w'),
      changed('w', {
        template: { spec: podSpec({ volumes: [{ name: 'x', gitRepo: { repository: 's' } }] }) },
      }),
    ),
  ),
]);
