import { encodeCbor } from '../../../src/codec/cbor/encode.ts';
import { ask, type Body, get, subject } from '../case.ts';
import { apply, configMapIntent, intent } from './applies.ts';
import { configmaps } from './objects.ts';

const a = configmaps('a');
const head = 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\n';
const text = (body: Body, more: Parameters<typeof apply>[2] = {}) => apply(a, body, { by: 'one', ...more });
const dry = (body: Body) => text(body, { query: 'dryRun=All' });
const cbor = (value: Parameters<typeof encodeCbor>[0]) => Buffer.from(encodeCbor(value));
const deployment = '/apis/apps/v1/namespaces/{ns}/deployments/a';
const service = '/api/v1/namespaces/{ns}/services/a';

/** What an intent may be written in, and how it is answered. */
export const applyBodies = subject('apply-bodies', [
  ask(
    'YAML with everything that it has',
    text(`# a comment\n${head}data:\n  k: v # another\n`),
    text(`---\n${head}data:\n  k: "v"\n  'l': 'w'\n...\n`),
    text(`${head}data: &d\n  k: v\n`),
    text(
      'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\n  labels: &l {x: z}\n  annotations: *l\ndata: {k: v}\n',
    ),
    text(`${head}data:\n  <<: {m: n}\n  k: v\n`),
    text(`${head}data:\n  k: |\n    one\n    two\n  f: >-\n    three\n    four\n`),
    text('{apiVersion: v1, kind: ConfigMap, metadata: {name: a}, data: {k: v,}}'),
    text(`${head}data: !!map\n  k: !!str 12\n`),
    text(`%YAML 1.1\n---\n${head}data: {y: "y"}\n`),
    text('apiVersion: v1\r\nkind: ConfigMap\r\nmetadata:\r\n  name: a\r\n'),
    text('\ufeffapiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n'),
    get(a),
  ),
  ask(
    'values that are no strings where strings belong',
    dry(`${head}data:\n  k: 1\n`),
    dry(`${head}data:\n  k: yes\n`),
    dry(`${head}data:\n  k: 1.50\n`),
    dry(`${head}data:\n  k: 2020-01-01\n`),
    dry(`${head}data:\n  k: ~\n`),
    dry(`${head}data:\n  k: 0x1f\n`),
    dry(`${head}data:\n  k: 1e3\n`),
    dry(`${head}data:\n  k: .inf\n`),
    dry(`${head}data:\n  1: v\n`),
    dry(`${head}data:\n  true: v\n`),
    dry(`${head}data:\n  k: [v]\n`),
    dry(`${head}data:\n  k: {v: w}\n`),
    dry(`${head}immutable: "true"\n`),
    dry(`${head}immutable: 1\n`),
    dry(`${head}data: []\n`),
    dry(`${head}data: text\n`),
    dry(`${head}data:\n`),
    dry(`${head}binaryData:\n  k: "@@"\n`),
    dry(`${head}binaryData:\n  k: YQ==\n`),
    dry(`${head}binaryData:\n  k: !!binary YQ==\n`),
  ),
  ask(
    'texts that are no intent',
    text(''),
    text(' \n'),
    text('# nothing\n'),
    text('null'),
    text('~'),
    text('text'),
    text('12'),
    text('[]'),
    text('- a\n- b\n'),
    text('{}'),
    text('{'),
    text('a: b: c'),
    text('\tkind: x'),
    text(`${head}data: *nope\n`),
    text(`${head}data: {k: v`),
    text(`${head}---\n${head}`),
    text(`${head}---\n`),
    text(`${head}\n... \nrest`),
    text(Buffer.from([0xff, 0xfe, 0x00])),
    text(Buffer.from('apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {k: "\u0000"}\n')),
    text('kind: ConfigMap\nkind: ConfigMap\nmetadata: {name: a}\n'),
    text(`${'['.repeat(200)}`),
    text(`a: &a [x,x,x]\nb: &b [*a,*a,*a]\nc: &c [*b,*b,*b]\n`),
    get(a),
  ),
  ask(
    'fields that are twice there, or are none of the kind',
    ...['', 'Ignore', 'Warn', 'Strict', 'nope'].flatMap((level) => {
      const query = `dryRun=All&fieldValidation=${level}`;
      return [
        text(`${head}data:\n  k: v\n  k: w\n`, { query }),
        text(`${head}data: {k: v}\ndata: {l: w}\n`, { query }),
        text(`${head}nope: 1\n`, { query }),
        text(`${head}  nope: 1\ndata:\n  k: v\n`, { query }),
        text(`${head}nope: 1\ndata:\n  k: v\n  k: w\n`, { query }),
      ];
    }),
  ),
  ask(
    'unknown fields deep in an object',
    apply(
      deployment,
      intent('apps/v1', 'Deployment', 'a', {
        spec: { template: { spec: { containers: [{ name: 'c', nope: 1 }] } } },
      }),
      { by: 'one' },
    ),
    apply(
      deployment,
      intent('apps/v1', 'Deployment', 'a', {
        spec: { template: { spec: { containers: [{ name: 'c' }, { name: 'd', nope: 2 }] } } },
      }),
      { by: 'one', query: 'fieldValidation=Strict' },
    ),
    apply(
      deployment,
      intent('apps/v1', 'Deployment', 'a', { spec: { template: { metadata: { name: 1 } } } }),
      { by: 'one' },
    ),
  ),
  ask(
    'the type of the body, in other words',
    text(head, { type: 'application/apply-patch+yaml; charset=utf-8' }),
    text(head, { type: 'application/apply-patch+yaml;' }),
    text(head, { type: 'APPLICATION/APPLY-PATCH+YAML' }),
    text(head, { type: 'application/apply-patch+json' }),
    text(head, { type: 'application/apply-patch' }),
    text(head, { type: 'application/yaml' }),
    text(head, { type: '' }),
    text(JSON.stringify(configMapIntent('a', { k: 'v' })), { type: 'application/apply-patch+yaml' }),
    text('{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"},"data":{"k":"v","k":"w"}}'),
  ),
  ask(
    'CBOR',
    text(cbor(configMapIntent('a', { k: 'v' })), { type: 'application/apply-patch+cbor' }),
    text(cbor(configMapIntent('a', { k: 'w' })), { type: 'application/apply-patch+cbor' }),
    text(cbor(configMapIntent('a', { k: 'x' })), { type: 'application/apply-patch+cbor', by: 'two' }),
    text(cbor({ ...configMapIntent('a', { k: 'w' }), nope: 1 }), { type: 'application/apply-patch+cbor' }),
    text(cbor({ ...configMapIntent('a', { k: 'w' }), immutable: 'x' }), {
      type: 'application/apply-patch+cbor',
    }),
    text(cbor([]), { type: 'application/apply-patch+cbor' }),
    text(cbor(null), { type: 'application/apply-patch+cbor' }),
    text(Buffer.from(''), { type: 'application/apply-patch+cbor' }),
    text(Buffer.from([0xff]), { type: 'application/apply-patch+cbor' }),
    text(head, { type: 'application/apply-patch+cbor' }),
    text(cbor(configMapIntent('a', { k: 'w' })), { type: 'application/apply-patch+yaml' }),
    get(a),
  ),
  ask(
    'answers in every form',
    ...[
      'application/yaml',
      'application/vnd.kubernetes.protobuf',
      'application/cbor',
      'application/json;as=Table;v=v1;g=meta.k8s.io',
      'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io',
      'application/vnd.kubernetes.protobuf;as=PartialObjectMetadata;v=v1;g=meta.k8s.io',
      'text/plain',
    ].flatMap((accept) => [
      text(configMapIntent('a', { k: 'v' }), { headers: { accept } }),
      text(configMapIntent('a', { k: 'w' }), { by: 'two', headers: { accept } }),
    ]),
    text(configMapIntent('a', { k: 'v' }), { query: 'pretty=true' }),
    text(configMapIntent('a', { k: 'v' }), { headers: { 'user-agent': 'Mozilla/5.0' } }),
  ),
  ask(
    'a Service and its defaults from YAML',
    apply(service, 'apiVersion: v1\nkind: Service\nmetadata: {name: a}\nspec:\n  ports:\n  - port: 80\n', {
      by: 'one',
    }),
    apply(service, 'apiVersion: v1\nkind: Service\nmetadata: {name: a}\nspec:\n  ports:\n  - port: "80"\n', {
      by: 'one',
    }),
    apply(service, 'apiVersion: v1\nkind: Service\nmetadata: {name: a}\nspec:\n  ports:\n  - port: 80.0\n', {
      by: 'one',
    }),
    apply(service, 'apiVersion: v1\nkind: Service\nmetadata: {name: a}\nspec:\n  ports:\n  - port: 8e1\n', {
      by: 'one',
    }),
    apply(service, 'apiVersion: v1\nkind: Service\nmetadata: {name: a}\nspec:\n  ports:\n  - port: 80.5\n', {
      by: 'one',
    }),
    apply(
      service,
      'apiVersion: v1\nkind: Service\nmetadata: {name: a}\nspec:\n  ports:\n  - {port: 80, targetPort: http}\n',
      { by: 'one' },
    ),
    apply(
      service,
      'apiVersion: v1\nkind: Service\nmetadata: {name: a}\nspec:\n  ports:\n  - {port: 80, targetPort: true}\n',
      { by: 'one' },
    ),
  ),
]);
