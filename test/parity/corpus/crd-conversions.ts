import { pathFor, type WebhookInstructions } from '../../support/webhook.ts';
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
  send,
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

const by = (told?: WebhookInstructions, changes: JsonObject = {}): JsonObject => ({
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

const converted = (told?: WebhookInstructions, changes?: JsonObject) =>
  serve(two(), { conversion: by(told, changes) });
const foo2 = (name: string, parts: JsonObject = {}) => foo(name, parts, 'v2');
const first = post(foos, foo('a', { spec: { hostPort: 'h:1' } }), { as: 'first' });

/** The blueprint of the list has the case's own names in it. */
function withoutNames({ type, object }: JsonObject): Json {
  const { annotations, ...metadata } = (object as JsonObject).metadata as JsonObject;
  const names = Object.keys((annotations as JsonObject | undefined) ?? {}).sort();
  return { type: type ?? null, object: { ...(object as JsonObject), metadata }, names };
}

/** What is read of an object that only a webhook knows in the other version. */
const reads = (told: WebhookInstructions, changes?: JsonObject): Step[] => [
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
        { events: 3 },
        { pick: withoutNames },
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
    ...Object.entries<WebhookInstructions>({
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
    ...Object.entries<WebhookInstructions>({
      'answers another question': { response: { uid: 'x' } },
      'says not what it answers with': { review: { apiVersion: '', kind: '' } },
      'answers with the newer review': { review: { apiVersion: 'apiextensions.k8s.io/v1' } },
      'answers nothing': { review: { response: null } },
      'says that it failed': { response: { result: { status: 'Failure', message: 'not today' } } },
      'changes the name': { puts: { metadata: { name: 'x' } } },
    }).map(([name, told]) =>
      ask(
        `an answer to an older review that ${name}`,
        reads(told, { conversionReviewVersions: ['v1beta1'] }),
      ),
    ),
    ask(
      'writes of what cannot be converted',
      converted({ code: 500, only: 'v2' }),
      first,
      merge(`${in2}/a`, { spec: { port: '2' } }),
      put(`${in2}/a`, foo2('a', { spec: { host: 'x' } })),
      put(`${in2}/a`, foo2('a', { metadata: { name: 'a', resourceVersion: '1' }, spec: { host: 'x' } })),
      apply(`${in2}/a`, 'two', foo2('a', { spec: { host: 'i' } })),
      get(`${in2}/a/scale`),
      merge(`${in2}/a/scale`, { spec: { replicas: 7 } }),
      merge(`${in2}/a/status`, { status: { size: 3 } }),
      get(`${in2}/a`, { headers: table }),
      get(`${in2}/a`, { headers: partial }),
      get(in2, { headers: table }),
      del(`${in2}/a`),
      del(in2),
      get(`${foos}/a`),
      del(`${foos}/a`),
      get(in2),
    ),
    ask(
      'watches of what cannot be converted',
      converted({ code: 500, only: 'v2' }),
      first,
      watch(`${in2}?watch=1&resourceVersion={first.rv}&timeoutSeconds=3`, {
        during: [merge(`${foos}/a`, { spec: { hostPort: 'h:2' } })],
      }),
      watch(`${in2}?watch=1&resourceVersion=0&timeoutSeconds=3`),
      watch(`${in2}?watch=1&timeoutSeconds=3`),
    ),
    ask(
      'the end of a kind whose objects cannot be converted',
      converted(),
      first,
      get(definition, { as: 'crd', pick: ({ status }) => (status as JsonObject).storedVersions as Json }),
      put(
        definition,
        remade(
          'crd',
          {},
          {
            spec: kind(two({ storage: false }, { storage: true }), { conversion: by({ code: 500 }) })
              .spec as JsonObject,
          },
        ),
        { pick: ({ status }) => status as Json },
      ),
      get(`${in2}/a`, { until: ({ code }) => code === 500 }),
      del(definition, undefined, { pick: ({ status }) => status ?? null }),
      get(definition, {
        until: ({ status }) => JSON.stringify(status).includes('InstanceDeletionFailed'),
        pick: () => 'failed',
      }),
      get(`${foos}/a`, { pick: ({ spec }) => spec ?? null }),
      send(
        'PATCH',
        definition,
        { spec: { conversion: by() } },
        {
          headers: { 'content-type': 'application/merge-patch+json' },
          pick: () => 'mended',
        },
      ),
      get(definition, { until: ({ code }) => code === 404, pick: () => 'gone' }),
    ),
    ask(
      'fields to select by that came later',
      serve(two(), {}),
      first,
      post(foos, foo('b', { spec: { hostPort: 'i:2' } })),
      get(definition, { as: 'crd', pick: () => 'here' }),
      put(
        definition,
        remade(
          'crd',
          {},
          { spec: kind(two({ selectableFields: [{ jsonPath: '.spec.hostPort' }] })).spec as JsonObject },
        ),
        { pick: () => 'changed' },
      ),
      get(`${foos}?fieldSelector=spec.hostPort=h:1`, { until: ({ items }) => Array.isArray(items) }),
      get(`${foos}?fieldSelector=spec.hostPort!=h:1`),
      watch(`${foos}?watch=1&resourceVersion=0&fieldSelector=spec.hostPort=h:1`, { events: 1 }),
      merge(`${foos}/a`, { metadata: { labels: { a: 'b' } } }),
      get(`${foos}?fieldSelector=spec.hostPort=h:1`),
    ),
    ask(
      'objects of which one cannot be converted',
      converted({ puts: { metadata: { name: 'a' } }, only: 'v2' }),
      first,
      post(foos, foo('b', { spec: { hostPort: 'h:1' } })),
      get(`${in2}/a`),
      get(`${in2}/b`),
      get(in2),
      get(`${in2}?fieldSelector=metadata.name=a`),
    ),
    ask(
      'two owners that update, each in its version',
      converted(),
      first,
      merge(`${in2}/a?fieldManager=two`, { spec: { host: 'x' } }),
      merge(`${foos}/a?fieldManager=three`, { spec: { hostPort: 'y:7' } }),
      merge(`${in2}/a?fieldManager=two`, { metadata: { labels: { l: '1' } } }),
      get(`${foos}/a`),
      put(`${foos}/a`, remade('first', {}, { spec: { hostPort: 'h:1' } })),
      get(`${in2}/a`, { as: 'second' }),
      put(`${in2}/a?fieldManager=four`, remade('second', {}, { spec: { host: 'z', only2: 'q' } })),
      patch(`${in2}/a`, '[{"op":"test","path":"/spec/host","value":"q"}]', 'json-patch+json'),
    ),
    ask(
      'a webhook that hangs',
      converted({ does: 'hang', only: 'v2' }),
      first,
      get(`${in2}/a?timeout=2s`),
      get(`${foos}/a`),
      get(`${in2}/a`),
    ),
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
