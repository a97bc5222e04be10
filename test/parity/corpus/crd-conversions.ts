import { pathFor, type Told } from '../../admission/webhook.ts';
import {
  ask,
  del,
  get,
  type Json,
  type JsonObject,
  post,
  put,
  remade,
  type Step,
  subject,
  watch,
} from '../case.ts';
import {
  apply,
  definition,
  foo,
  foos,
  group,
  kind,
  merge,
  patch,
  serve,
  version,
  withSpec,
} from './custom-foos.ts';

const in2 = `/apis/${group}/v2/namespaces/{ns}/foos`;
const table = { accept: 'application/json;as=Table;g=meta.k8s.io;v=v1' };
const partial = { accept: 'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1' };
const partialList = { accept: 'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1' };

const by = (told?: Told, changes: JsonObject = {}): JsonObject => ({
  strategy: 'Webhook',
  webhook: {
    conversionReviewVersions: ['v1', 'v1beta1'],
    clientConfig: { url: `{webhook}${pathFor(told)}`, caBundle: '{authority}' },
    ...changes,
  },
});

const text = { type: 'string' };
const inOne = withSpec({ hostPort: text, size: { type: 'integer', default: 1 } });
const inTwo = withSpec({ host: text, port: text, size: { type: 'integer', default: 2 }, only2: text });
const scale = { specReplicasPath: '.spec.size', statusReplicasPath: '.status.size' };
const subresources: JsonObject = { status: {}, scale };

const two = (one: JsonObject = {}, other: JsonObject = {}): JsonObject[] => [
  version(inOne, { subresources, ...one }),
  version(inTwo, {
    name: 'v2',
    storage: false,
    subresources,
    additionalPrinterColumns: [{ name: 'Host', type: 'string', jsonPath: '.spec.host' }],
    ...other,
  }),
];

const converted = (told?: Told, changes?: JsonObject) => serve(two(), { conversion: by(told, changes) });
const foo2 = (name: string, parts: JsonObject = {}) => foo(name, parts, 'v2');
const first = post(foos, foo('a', { spec: { hostPort: 'h:1' } }), { as: 'first' });

/** What is read of an object that only a webhook knows in the other version. */
const reads = (told: Told, changes?: JsonObject): Step[] => [
  ...converted(told, changes),
  first,
  get(`${foos}/a`),
  get(`${in2}/a`),
  get(in2),
  post(in2, foo2('b', { spec: { host: 'x', port: '2' } })),
];

export const crdConversions = subject(
  'crd-conversions',
  [
    ask(
      'an object in another version',
      converted(),
      first,
      get(`${foos}/a`),
      get(`${in2}/a`),
      get(in2),
      get(`${in2}/b`),
      post(in2, foo2('b', { spec: { host: 'x', port: '2', only2: 'x' } }), { as: 'b' }),
      get(`${foos}/b`),
      get(foos),
      get(in2),
      get(`${in2}/a`, { headers: table }),
      get(in2, { headers: table }),
      get(`${in2}?includeObject=Object`, { headers: table }),
      get(`${foos}/a`, { headers: table }),
      get(`${in2}/a`, { headers: partial }),
      get(in2, { headers: partialList }),
      get(`${in2}?limit=1`),
      put(`${in2}/b`, remade('b', {}, { spec: { host: 'y', port: '3' } })),
      put(`${in2}/b`, remade('b', {}, { spec: { host: 'z', port: '3' } })),
      merge(`${in2}/a`, { spec: { port: '5' } }),
      patch(`${in2}/a`, '[{"op":"replace","path":"/spec/host","value":"j"}]', 'json-patch+json'),
      merge(`${in2}/a/status`, { status: { size: 3 } }),
      get(`${in2}/a/status`),
      get(`${in2}/a/scale`),
      merge(`${in2}/a/scale`, { spec: { replicas: 7 } }),
      get(`${foos}/a/scale`),
      post(`${in2}?dryRun=All`, foo2('c', { spec: { host: 'x' } })),
      post(in2, foo2('a')),
      post(in2, foo2('d', { spec: { host: 3 } })),
      del(`${in2}/a`),
      get(`${in2}/a`),
      del(in2),
      get(in2),
    ),
    ask(
      'what a webhook is sent',
      converted({ notes: 'heard' }),
      first,
      get(`${in2}/a`),
      get(in2),
      post(in2, foo2('b', { spec: { host: 'x', port: '2' } })),
      get(`${foos}/b`),
    ),
    ask(
      'what a webhook is sent in an older review',
      converted({ notes: 'heard' }, { conversionReviewVersions: ['v9', 'v1beta1', 'v1'] }),
      first,
      get(`${in2}/a`),
    ),
    ask('reviews that nobody knows', reads({}, { conversionReviewVersions: ['v9'] })),
    ask(
      'owners in two versions',
      converted(),
      apply(`${foos}/a`, 'one', foo('a', { spec: { hostPort: 'h:1', size: 5 } })),
      apply(`${in2}/a`, 'two', foo2('a', { spec: { host: 'h' } })),
      apply(`${in2}/a`, 'two', foo2('a', { spec: { host: 'i' } })),
      apply(`${in2}/a`, 'two', foo2('a', { spec: { host: 'i' } }), true),
      apply(`${foos}/a`, 'one', foo('a', { spec: { hostPort: 'j:1' } })),
      apply(`${foos}/a`, 'one', foo('a', { spec: { hostPort: 'j:1' } }), true),
      apply(`${in2}/a`, 'two', foo2('a', { spec: {} })),
      merge(`${in2}/a`, { spec: { port: '5' } }),
      merge(`${foos}/a`, { metadata: { labels: { a: 'b' } } }),
      get(`${in2}/a`),
      apply(`${in2}/b`, 'two', foo2('b', { spec: { host: 'i' } })),
      get(`${foos}/b`),
    ),
    ask(
      'watches in another version',
      converted(),
      first,
      post(foos, foo('b', { spec: { hostPort: 'i:2' } })),
      watch(`${in2}?watch=1&resourceVersion=0`, { events: 2 }),
      watch(`${in2}?watch=1&resourceVersion={first.rv}`, {
        events: 5,
        during: [
          merge(`${in2}/b`, { spec: { port: '3' } }),
          post(foos, foo('c')),
          merge(`${foos}/c`, { spec: { hostPort: 'k:1' } }),
          del(`${foos}/c`),
        ],
      }),
      watch(
        `${in2}?watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true`,
        { events: 2 },
      ),
    ),
    ask(
      'an object that stays for its finalizers',
      converted(),
      post(
        in2,
        foo2('a', { metadata: { name: 'a', finalizers: ['example.com/x'] }, spec: { host: 'a', port: '1' } }),
      ),
      del(`${in2}/a`),
      get(`${foos}/a`),
      merge(`${in2}/a`, { metadata: { finalizers: null } }),
      get(`${in2}/a`),
    ),
    ask(
      'metadata that a webhook may and may not change',
      reads({
        puts: {
          metadata: {
            labels: { l: '1' },
            annotations: { n: '1' },
            finalizers: ['example.com/x'],
            generation: 9,
          },
        },
      }),
      get(`${in2}?labelSelector=l=1`),
      get(`${foos}?labelSelector=l=1`),
    ),
    ask(
      'fields to select by in one version',
      serve(
        two(
          { selectableFields: [{ jsonPath: '.spec.hostPort' }] },
          { selectableFields: [{ jsonPath: '.spec.host' }] },
        ),
        { conversion: by() },
      ),
      first,
      post(foos, foo('b', { spec: { hostPort: 'i:2' } })),
      get(`${in2}?fieldSelector=spec.host=h`),
      get(`${in2}?fieldSelector=spec.host!=h`),
      get(`${in2}?fieldSelector=spec.hostPort=h:1`),
      get(`${foos}?fieldSelector=spec.hostPort=h:1`),
      get(`${foos}?fieldSelector=spec.host=h`),
      get(`${in2}?fieldSelector=spec.host=i&limit=1`),
      watch(`${in2}?watch=1&resourceVersion=0&fieldSelector=spec.host=i`, { events: 1 }),
      watch(`${in2}?watch=1&resourceVersion={first.rv}&fieldSelector=spec.host=i`, {
        events: 4,
        during: [
          merge(`${foos}/a`, { spec: { hostPort: 'i:9' } }),
          merge(`${foos}/a`, { spec: { hostPort: 'i:8' } }),
          merge(`${foos}/a`, { spec: { hostPort: 'k:8' } }),
        ],
      }),
      del(`${in2}?fieldSelector=spec.host=i`),
      get(in2),
    ),
    ...Object.entries<Told>({
      'says that it failed': { response: { result: { status: 'Failure', message: 'not today' } } },
      'fails without a word': { response: { result: { status: 'Failure' } } },
      'does not say whether it failed': { response: { result: null } },
      'answers another question': { response: { uid: 'x' } },
      'answers nothing': { review: { response: null } },
      'answers with a review of another version': { review: { apiVersion: 'apiextensions.k8s.io/v9' } },
      'answers with another kind': { review: { apiVersion: 'v1', kind: 'Pod' } },
      'says not what it answers with': { review: { apiVersion: '', kind: '' } },
      'forgets an object': { count: 0 },
      'answers with too many objects': { count: 2 },
      'keeps the version': { puts: { apiVersion: `${group}/v1` } },
      'converts to another version': { puts: { apiVersion: 'example.com/v7' } },
      'changes the kind': { puts: { kind: 'Bar' } },
      'changes the name': { puts: { metadata: { name: 'x' } } },
      'changes the namespace': { puts: { metadata: { namespace: 'x' } } },
      'changes the uid': { puts: { metadata: { uid: 'x' } } },
      'takes out the uid': { puts: { metadata: { uid: null } } },
      'takes out the metadata': { puts: { metadata: null } },
      'has metadata of another type': { puts: { metadata: 'x' } },
      'has labels of another type': { puts: { metadata: { labels: 'x' } } },
      'makes labels that are none': { puts: { metadata: { labels: { '-': '-' } } } },
      'makes annotations that are none': { puts: { metadata: { annotations: { '-': 'x' } } } },
      'has labels that are numbers': { puts: { metadata: { labels: { a: 1 } } } },
      'has no kind': { puts: { kind: null } },
      'has no version': { puts: { apiVersion: null } },
      'has a spec that is wrong': { puts: { spec: { host: 5, hostPort: 5, unknown: 1 } } },
      'is an error': { code: 500 },
      'is a refusal in words': {
        code: 403,
        text: '{"kind":"Status","apiVersion":"v1","status":"Failure","message":"go away","reason":"Forbidden","code":403}',
      },
      'is no JSON': { text: 'x' },
      'is a list': { text: '[]' },
      'is empty': { text: '' },
    }).map(([name, told]) => ask(`an answer that ${name}`, reads(told))),
    ask('a webhook that breaks off', reads({ does: 'cut', only: 'v2' })),
    ask('a webhook that knows but one way', reads({ code: 500, only: 'v1' })),
    ask(
      'a webhook that is not there',
      reads({}, { clientConfig: { service: { name: 'nobody', namespace: '{ns}', path: '/x' } } }),
    ),
    ask(
      'a webhook whose authority is another',
      reads(
        {},
        {
          clientConfig: { url: `{webhook}${pathFor()}` },
        },
      ),
    ),
    ask(
      'the stored version moves',
      serve(two(), {}),
      first,
      get(`${in2}/a`),
      get(definition, { as: 'crd', pick: ({ status }) => (status as JsonObject).storedVersions as Json }),
      put(
        definition,
        remade('crd', {}, { spec: kind(two({ storage: false }, { storage: true })).spec as JsonObject }),
        { pick: ({ status }) => status as Json },
      ),
      get(`${foos}/a`, { after: 3 }),
      get(`${in2}/a`),
      post(in2, foo2('b', { spec: { host: 'x', port: '2', only2: 'x', hostPort: 'x' } })),
      get(`${foos}/b`),
      merge(`${foos}/a`, {}),
      get(`${foos}/a`),
      get(`${in2}/a`),
      get(foos),
    ),
    ask(
      'the stored version moves, and a webhook converts',
      converted(),
      first,
      get(definition, { as: 'crd', pick: ({ status }) => (status as JsonObject).storedVersions as Json }),
      put(
        definition,
        remade(
          'crd',
          {},
          { spec: kind(two({ storage: false }, { storage: true }), { conversion: by() }).spec as JsonObject },
        ),
        { pick: ({ status }) => status as Json },
      ),
      get(`${foos}/a`, { after: 3 }),
      get(`${in2}/a`),
      post(in2, foo2('b', { spec: { host: 'x', port: '2', only2: 'x' } })),
      get(`${foos}/b`),
      merge(`${foos}/a`, {}),
      get(`${foos}/a`),
      get(`${in2}/a`),
      get(foos),
    ),
  ],
  { hooked: true },
);
