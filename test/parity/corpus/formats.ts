import { ask, del, get, post, put, type Step, subject, watch } from '../case.ts';
import { configMap, configmaps, namespacedKinds, namespaces, object } from './objects.ts';

const accept = (value: string) => ({ headers: { accept: value } });
const yaml = 'application/yaml';
const protobuf = 'application/vnd.kubernetes.protobuf';
const cbor = 'application/cbor';
const as = (kind: string, version = 'v1', group = 'meta.k8s.io') =>
  accept(`application/json;as=${kind};v=${version};g=${group}`);
const table = as('Table');
const make = (name: string): Step =>
  post(configmaps(), configMap(name, { k: 'v' }, { labels: { a: 'b' } }), { as: name });

export const formats = subject(
  'formats',
  [
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
    ask(
      'YAML bodies',
      [
        'metadata:\n  name: a\ndata:\n  k: v\n',
        'metadata: {name: b}\ndata: {k: "1"}\n',
        'metadata: {name: c}\ndata: {k: 1}\n',
        'metadata: {name: d}\ndata: {k: yes}\n',
        'metadata: {name: 5}\n',
        'metadata: {name: e}\ndata: {k: &x v, l: *x}\n',
        'metadata: {name: f}\nmetadata: {name: g}\n',
        'metadata: {name: h}\nfoo: 1\ndata: {k: v, k: w}\n',
        'metadata:\n  name: i\n--- \nmetadata:\n  name: j\n',
        '- a\n',
        'just text',
        '{"metadata":{"name":"json-is-yaml"}}',
        ':\n  - [',
        '\tmetadata: {}',
        '',
        'metadata: {name: k}\ndata: {t: 2001-02-03, n: ~, o: 0o7, h: 0x10, f: 1.0}\n',
        'metadata: {name: l}\ndata: {k: !!binary aGk=}\n',
        'metadata: {name: m}\ndata:\n  <<: {k: v}\n',
        'metadata: {name: n}\ndata:\n  k: |\n    two\n    lines\n',
      ].map((body) => post(configmaps(), body, { headers: { 'content-type': yaml } })),
      post(configmaps('?fieldValidation=Strict'), 'metadata: {name: z, name: y}\nfoo: 1\n', {
        headers: { 'content-type': yaml },
      }),
      put(configmaps('a'), 'metadata: {name: a}\ndata: {k: changed}\n', {
        headers: { 'content-type': yaml },
      }),
      del(configmaps('a'), 'dryRun: [All]\n', { headers: { 'content-type': yaml } }),
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
    ask(
      'binary bodies that are none',
      [protobuf, cbor].flatMap((type) =>
        ['', 'k8s\u0000', 'k8s\u0000x', '{"metadata":{"name":"a"}}', 'garbage'].map((body) =>
          post(configmaps(), body, { headers: { 'content-type': type } }),
        ),
      ),
    ),
  ],
  { issue: 4 },
);
