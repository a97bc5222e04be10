import { ask, del, get, type JsonObject, post, put, type Step, subject, watch } from '../case.ts';
import { formatBodies } from './format-bodies.ts';
import { configMap, configmaps, namespacedKinds, namespaces, object, paths } from './objects.ts';

const accept = (value: string) => ({ headers: { accept: value } });
const yaml = 'application/yaml';
const protobuf = 'application/vnd.kubernetes.protobuf';
const cbor = 'application/cbor';
const as = (kind: string, version = 'v1', group = 'meta.k8s.io') =>
  accept(`application/json;as=${kind};v=${version};g=${group}`);
const table = as('Table');
const make = (name: string): Step =>
  post(configmaps(), configMap(name, { k: 'v' }, { labels: { a: 'b' } }), { as: name });

const asMetadata = 'as=PartialObjectMetadata;v=v1;g=meta.k8s.io';
const initialEvents =
  '?watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true';

const oddTexts: JsonObject = Object.fromEntries(
  [
    ...[
      '',
      'a',
      'true',
      'y',
      'null',
      '~',
      '1',
      '1.5',
      '0x10',
      '1e3',
      '-',
      '---',
      '- a',
      '?',
      'a: b',
      'a:b',
      '# a',
      'a #b',
    ],
    ...[
      '[a]',
      '{a',
      '&a',
      '*a',
      '!a',
      '|',
      "'",
      '"',
      "it's",
      '%a',
      '@a',
      '\\',
      'a\tb',
      ' a',
      'a ',
      'a\n',
      '\na',
      'a\nb',
    ],
    ...[
      'a\n\n',
      'a\n b',
      'a \nb',
      'é',
      '日本',
      '😀',
      '2001-01-01',
      '12:30',
      '<<',
      '.',
      'word '.repeat(30),
      'x'.repeat(100),
    ],
    ...["it's ".repeat(30), '10', '9', 'k: |\n  x\n', '  two\nlines'],
  ].map((text, index) => [`k${index}`, text]),
);

const deployments = paths('/apis/apps/v1/namespaces/{ns}/deployments');
const deployment = object('a', {
  spec: {
    replicas: 0,
    selector: { matchLabels: { a: 'b' } },
    template: {
      metadata: { labels: { a: 'b' } },
      spec: { containers: [{ name: 'c', image: 'i' }] },
    },
  },
});
const review = { spec: { resourceAttributes: { verb: 'get', resource: 'pods' } } };

export const formats = subject('formats', [
  ask(
    'YAML answers',
    make('a'),
    get(configmaps('a'), accept(yaml)),
    get(configmaps(), accept(yaml)),
    get(configmaps('nope'), accept(yaml)),
    get(configmaps('a?pretty=true'), accept(yaml)),
    get('/api', accept(yaml)),
    get('/apis/apps', accept(yaml)),
    get(configmaps('a'), accept(`${yaml};q=0.1, application/json`)),
    get(configmaps('a'), accept(`text/html, ${yaml}`)),
    watch(configmaps('?watch=true'), { events: 1 }, accept(yaml)),
    del(configmaps('a'), undefined, accept(yaml)),
  ),
  ...namespacedKinds.map(({ kind, path, make: build }) =>
    ask(
      `${kind}: as a table`,
      post(path(), build('a')),
      get(path(), table),
      get(path('a'), table),
      get(path('?includeObject=None'), table),
      get(path('?includeObject=Object'), table),
    ),
  ),
  ask(
    'tables',
    make('a'),
    make('b'),
    get(configmaps('?limit=1'), table),
    get(configmaps('?includeObject=Nope'), table),
    get(configmaps('?includeObject=Metadata'), table),
    get(configmaps('nope'), table),
    get(configmaps(), as('Table', 'v1beta1')),
    get(configmaps(), as('Table', 'v9')),
    watch(configmaps('?watch=true'), { events: 2 }, table),
    watch(
      configmaps(
        '?watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true',
      ),
      { events: 3 },
      table,
    ),
    watch(configmaps('?watch=true&allowWatchBookmarks=true'), { events: 3 }, table),
    watch(configmaps('?watch=true&allowWatchBookmarks=true&resourceVersion={a.rv}'), { events: 1 }, table),
    watch(
      configmaps('?watch=true&allowWatchBookmarks=true&timeoutSeconds=3&resourceVersion={b.rv}'),
      { events: 1 },
      table,
    ),
    watch(configmaps('?watch=true&includeObject=None'), { events: 2 }, table),
    watch(configmaps('?watch=true&includeObject=Nope'), {}, table),
    watch(configmaps('?watch=true&includeObject=Nope&resourceVersion=x'), {}, table),
    watch(configmaps('?watch=true&includeObject=Nope&fieldSelector=nope%3D1'), {}, table),
    watch(configmaps('?watch=true&includeObject=Nope'), {}, accept(`${yaml};as=Table;v=v1;g=meta.k8s.io`)),
    get(configmaps('?includeObject=Nope&resourceVersion=x'), table),
    get(configmaps('a?includeObject=Nope&resourceVersion=x'), table),
    get(configmaps('a?includeObject=Nope'), table),
    get(configmaps(), accept('application/json;as=Table;v=v1;g=meta.k8s.io,application/json')),
    get(namespaces('?fieldSelector=metadata.name%3D{ns}'), table),
    post(configmaps(), configMap('c'), table),
    del(configmaps('c'), undefined, table),
  ),
  ask(
    'only the metadata',
    make('a'),
    ['PartialObjectMetadata', 'PartialObjectMetadataList'].flatMap((kind) => [
      get(configmaps('a'), as(kind)),
      get(configmaps(), as(kind)),
      get(configmaps(), as(kind, 'v1beta1')),
      get(configmaps('nope'), as(kind)),
    ]),
    watch(configmaps('?watch=true'), { events: 1 }, as('PartialObjectMetadata')),
    watch(configmaps('?watch=true'), { events: 1 }, as('PartialObjectMetadataList')),
    post(configmaps(), object('b'), as('PartialObjectMetadata')),
    put(configmaps('a'), configMap('a'), as('PartialObjectMetadata')),
  ),
  ask(
    'binary answers',
    make('a'),
    [protobuf, cbor].flatMap((type) => [
      get(configmaps('a'), accept(type)),
      get(configmaps(), accept(type)),
      get(configmaps('nope'), accept(type)),
      get(configmaps('a'), accept(`${type},application/json`)),
      get(configmaps('a'), accept(`application/json,${type}`)),
      get(configmaps('a'), accept(`${type};as=PartialObjectMetadata;v=v1;g=meta.k8s.io`)),
      get(configmaps(), accept(`${type};as=Table;v=v1;g=meta.k8s.io`)),
      get('/apis/apps', accept(type)),
      get('/version', accept(type)),
    ]),
  ),
  ...[protobuf, cbor].map((type) =>
    ask(
      `a watch as ${type}`,
      make('a'),
      watch(configmaps('?watch=true'), { events: 2, during: [make('b')] }, accept(type)),
      watch(configmaps('?watch=true&resourceVersion={a.rv}'), { events: 1 }, accept(type)),
      watch(configmaps('?watch=true'), { events: 2 }, accept(`${type};stream=watch`)),
      watch(configmaps(initialEvents), { events: 3 }, accept(type)),
      watch(configmaps(initialEvents), { events: 3 }, accept(`${type};${asMetadata}`)),
      watch(configmaps('?watch=true'), { events: 2 }, accept(`${type};${asMetadata}`)),
      watch(configmaps('?watch=true'), { events: 2 }, accept(`${type};as=Table;v=v1;g=meta.k8s.io`)),
      watch(configmaps('?watch=true'), { events: 2 }, accept(`application/yaml,${type}`)),
      watch(configmaps('?watch=true'), { events: 2 }, accept(`text/html,${type};q=0.1`)),
      watch(configmaps('?watch=true&resourceVersion=x'), {}, accept(type)),
      watch(configmaps('?watch=true&timeoutSeconds=1&resourceVersion={b.rv}'), {}, accept(type)),
    ),
  ),
  ...namespacedKinds.map(({ kind, path, make: build }) =>
    ask(
      `${kind}: in every form`,
      post(path(), build('a'), accept(protobuf)),
      [yaml, protobuf, cbor].flatMap((type) => [
        get(path('a'), accept(type)),
        get(path(), accept(type)),
        get(path('?limit=1'), accept(`${type};as=PartialObjectMetadataList;v=v1;g=meta.k8s.io`)),
        watch(path('?watch=true'), { events: 1 }, accept(type)),
        post(path(), build('b'), accept(type)),
        del(path('b'), undefined, accept(type)),
      ]),
      del(path('?dryRun=All'), undefined, accept(protobuf)),
    ),
  ),
  ask(
    'what YAML is written for odd texts',
    post(configmaps(), configMap('a', oddTexts), { as: 'a' }),
    get(configmaps('a'), accept(yaml)),
    get(configmaps(), accept(yaml)),
    get(configmaps('a'), accept(`${yaml};as=PartialObjectMetadata;v=v1;g=meta.k8s.io`)),
  ),
  ask(
    'Accept headers with several clauses',
    make('a'),
    [
      `${yaml};q=0.4, application/json;q=0.3`,
      `application/json;q=0.3;${asMetadata}, ${yaml};q=0.4`,
      `*/*;q=0.1, ${yaml};q=0.2`,
      `${protobuf};as=Table;v=v1;g=meta.k8s.io, ${protobuf}`,
      `${protobuf};as=Table;v=v1;g=meta.k8s.io, ${yaml};${asMetadata}`,
      `${yaml};pretty=1`,
      `${yaml};stream=watch`,
      `${yaml};stream=watch, application/json`,
      `${protobuf};stream=watch`,
      `${cbor};stream=watch`,
      'application/cbor-seq',
      `${protobuf};charset=utf-8`,
      'application/*;q=0.5',
      'application/*, application/json',
      `text/*, ${yaml};q=0`,
    ].flatMap((value) => [get(configmaps('a'), accept(value)), get(configmaps(), accept(value))]),
  ),
  ask(
    'what is not stored, in every form',
    [yaml, protobuf, cbor, 'application/json;as=Table;v=v1;g=meta.k8s.io', `${yaml};${asMetadata}`].flatMap(
      (type) => [
        post('/apis/authorization.k8s.io/v1/selfsubjectaccessreviews', review, accept(type)),
        get('/api/v1/componentstatuses?labelSelector=nope', accept(type)),
      ],
    ),
    post(deployments(), deployment),
    [
      yaml,
      protobuf,
      cbor,
      'application/json;as=Table;v=v1;g=meta.k8s.io',
      `application/json;${asMetadata}`,
    ].flatMap((type, index) => [
      get(deployments('a/scale'), accept(type)),
      get(deployments('a/status'), accept(type)),
      put(deployments('a/scale'), { metadata: { name: 'a' }, spec: { replicas: index + 1 } }, accept(type)),
    ]),
  ),
  ask(
    'errors in every form',
    [yaml, protobuf, cbor, 'text/html'].flatMap((type) => [
      get(configmaps(), { ...accept(type), token: 'nobody' }),
      get(configmaps(), { ...accept(type), token: 'alice-token' }),
      get('/api/v1/nope', accept(type)),
      get(configmaps('?limit=x'), accept(type)),
      get(configmaps('?resourceVersion=1&resourceVersionMatch=Nope'), accept(type)),
      post(configmaps('a'), {}, accept(type)),
      post(configmaps(), {}, accept(type)),
      post(configmaps(), '{', accept(type)),
      post(configmaps(), object('UPPER'), accept(type)),
      get('/apis/nope', accept(type)),
      get('/apis/apps/v9', accept(type)),
      get('/apis/apps/v1/nope', accept(type)),
      del(configmaps('nope'), undefined, accept(type)),
    ]),
  ),
  ask(
    'discovery in every form',
    [yaml, protobuf, 'application/json'].flatMap((type) => [
      get('/api', accept(type)),
      get('/apis/apps', accept(type)),
      get('/apis/coordination.k8s.io', accept(type)),
      get('/apis/scheduling.k8s.io/v1', accept(type)),
      get('/apis/node.k8s.io/v1', accept(type)),
      get('/api', accept(`${type};as=APIGroupDiscoveryList;v=v2;g=apidiscovery.k8s.io`)),
    ]),
    get('/apis', accept(cbor)),
  ),
  ...formatBodies,
]);
