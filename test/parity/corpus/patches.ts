import { ask, del, get, type JsonObject, post, subject } from '../case.ts';
import { configMap, configmaps } from './objects.ts';
import { jsonPatch, merge, strategic } from './patch-bodies.ts';
import { deployments } from './workloads.ts';

const made = post(configmaps(), configMap('a', { k: 'v' }, { labels: { l: 'm' } }), { as: 'a' });
const dry = configmaps('a?dryRun=All');

const steps: Record<string, JsonObject[][]> = {
  'JSON patch: what fits': [
    [],
    [{ op: 'add', path: '/data/x', value: 'y' }],
    [{ op: 'replace', path: '/data/k', value: 'w' }],
    [{ op: 'replace', path: '/data/nope', value: 'w' }],
    [{ op: 'remove', path: '/data/k' }],
    [{ op: 'remove', path: '/data' }],
    [{ op: 'test', path: '/data/k', value: 'v' }],
    [{ op: 'test', path: '/data/nope', value: null }],
    [{ op: 'move', from: '/data/k', path: '/data/m' }],
    [{ op: 'copy', from: '/data/k', path: '/data/m' }],
    [{ op: 'copy', from: '/data/nope', path: '/data/m' }],
    [{ op: 'add', path: '/data/x' }],
    [{ op: 'add', path: 'data/x', value: 'y' }],
    [
      { op: 'add', path: '/metadata/finalizers', value: ['a.b/c'] },
      { op: 'add', path: '/metadata/finalizers/-', value: 'd.e/f' },
      { op: 'add', path: '/metadata/finalizers/0', value: 'g.h/i' },
    ],
  ],
  'JSON patch: what does not': [
    [{ op: 'add', path: '/nope/x', value: 'y' }],
    [{ op: 'remove', path: '/data/nope' }],
    [{ op: 'replace', path: '/nope/x', value: 'x' }],
    [{ op: 'test', path: '/data/k', value: 'w' }],
    [{ op: 'move', from: '/data/nope', path: '/data/m' }],
    [{ op: 'copy', from: '/nope/x', path: '/data/m' }],
    [{ op: 'bogus', path: '/x' }],
    [{ path: '/x' }],
    [{ op: 'add' }],
    [{ op: 'add', path: '', value: {} }],
    [{ op: 'replace', path: '', value: { data: {} } }],
    [
      { op: 'add', path: '/metadata/finalizers', value: ['a.b/c'] },
      { op: 'remove', path: '/metadata/finalizers/9' },
    ],
    [{ op: 'replace', path: '/metadata/name', value: 'other' }],
    [{ op: 'replace', path: '/metadata/namespace', value: 'other' }],
    [{ op: 'replace', path: '/metadata/resourceVersion', value: '1' }],
    [{ op: 'add', path: '/data/a~1b', value: 'y' }],
    [{ op: 'remove', path: '/metadata' }],
  ],
};

const container = (name: string, more: JsonObject = {}) => ({ name, image: `${name}:1`, ...more });
const deployment = {
  metadata: { name: 'd' },
  spec: {
    selector: { matchLabels: { a: 'b' } },
    template: {
      metadata: { labels: { a: 'b' } },
      spec: {
        containers: [
          container('one', {
            env: [
              { name: 'A', value: '1' },
              { name: 'B', value: '2' },
            ],
            args: ['x', 'y'],
          }),
          container('two', { ports: [{ containerPort: 80 }] }),
        ],
      },
    },
  },
};
const podSpec = (spec: JsonObject) => ({ spec: { template: { spec } } });

export const patches = subject('patches', [
  ...Object.entries(steps).map(([name, tried]) =>
    ask(
      name,
      made,
      tried.map((patch) => jsonPatch(dry, patch)),
    ),
  ),
  ask(
    'JSON patch: bodies',
    made,
    ['{', '', 'null', '{"op":"add"}', '[1]', '"x"', '[null]'].map((body) => jsonPatch(dry, body)),
  ),
  ask(
    'merge patch',
    made,
    [
      {},
      { data: { k: null, n: 'x' } },
      { data: null },
      { foo: 1 },
      { metadata: { labels: { l: null } } },
    ].map((patch) => merge(dry, patch)),
    ['[]', '"x"', 'null', '5', '{', '', '{"data":{"a":"1","a":"2"}}'].map((body) => merge(dry, body)),
    merge(dry, { metadata: { resourceVersion: '1' } }),
    merge(dry, { metadata: { name: 'x' } }),
    merge(dry, { data: { 'a b': 'x' } }),
  ),
  ask(
    'strategic merge patch',
    made,
    [
      {},
      { data: { k: null, n: 'x' } },
      { data: { $patch: 'replace', n: 'x' } },
      { data: { $patch: 'delete' } },
      { $patch: 'delete' },
      { data: { $patch: 'bogus' } },
      { foo: 1 },
      { metadata: { finalizers: ['x.y/z'] } },
      { metadata: { '$deleteFromPrimitiveList/finalizers': ['x'] } },
      { metadata: { ownerReferences: [{ uid: 'u' }] } },
      { metadata: { ownerReferences: [{ uid: 'u', $patch: 'delete' }] } },
    ].map((patch) => strategic(dry, patch as JsonObject)),
    ['[]', 'null', '5', '{'].map((body) => strategic(dry, body)),
    strategic(`${dry}&fieldValidation=Strict`, { data: { z: '1' }, bogus: 1 }),
    strategic(`${dry}&fieldValidation=Warn`, { data: { z: '1' }, bogus: 1 }),
  ),
  ask(
    'strategic merge patch of lists',
    post(deployments(), deployment),
    [
      { containers: [{ name: 'two', image: 'new' }] },
      { containers: [{ name: 'three', image: 'three' }] },
      { containers: [{ name: 'one', $patch: 'delete' }] },
      { containers: [{ $patch: 'replace' }, { name: 'three', image: 'three' }] },
      {
        containers: [
          {
            name: 'one',
            env: [
              { name: 'B', value: '3' },
              { name: 'C', value: '4' },
            ],
          },
        ],
      },
      { containers: [{ name: 'one', args: ['z'] }] },
      { containers: [{ name: 'two', ports: [{ containerPort: 81, name: 'p' }] }] },
      { '$setElementOrder/containers': [{ name: 'two' }, { name: 'one' }] },
      {
        '$setElementOrder/containers': [{ name: 'two' }, { name: 'zero' }, { name: 'one' }],
        containers: [{ name: 'zero', image: 'zero' }],
      },
      { containers: [{ image: 'nameless' }] },
      { nodeSelector: { a: 'b' } },
      { containers: null },
    ].map((spec) => strategic(deployments('d?dryRun=All'), podSpec(spec as JsonObject))),
    strategic(deployments('d'), { spec: { strategy: { $retainKeys: ['type'], type: 'Recreate' } } }),
    strategic(deployments('d?dryRun=All'), {
      spec: { strategy: { $retainKeys: ['type'], rollingUpdate: {} } },
    }),
    merge(deployments('d/scale'), { spec: { replicas: 3 } }),
    merge(deployments('d/scale'), { spec: { replicas: -3 } }),
    merge(deployments('d/status'), { status: { replicas: 2 }, spec: { replicas: 9 } }),
    jsonPatch(deployments('d/status'), [{ op: 'replace', path: '/status/replicas', value: 1 }]),
    get(deployments('d')),
  ),
  ask(
    'what else a patch needs',
    made,
    merge(configmaps('nope'), {}),
    jsonPatch(configmaps('nope'), []),
    merge(configmaps(), {}),
    merge(configmaps('a?dryRun=x'), {}),
    merge(configmaps('a?force=true'), {}),
    ...['application/json', 'text/plain', 'application/merge-patch+json; charset=utf-8'].map((type) =>
      merge(dry, {}, { 'content-type': type }),
    ),
    merge(configmaps('a'), { data: { k: 'new' } }),
    merge(configmaps('a'), { data: { k: 'new' } }),
    del(configmaps('a')),
  ),
]);
