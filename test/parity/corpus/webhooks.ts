import { pathFor, type WebhookInstructions } from '../../support/webhook.ts';
import { ask, type Case, del, type JsonObject, post, put, type Step, send, subject } from '../case.ts';
import {
  configMap,
  configmaps,
  coreEvent,
  coreEvents,
  namespaces,
  object,
  paths,
  secrets,
  services,
} from './objects.ts';
import { pod, pods, withAccount } from './pod-spec-cases.ts';

const configurations = {
  mutating: paths('/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations'),
  validating: paths('/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations'),
};
type Kind = keyof typeof configurations;

const rule = (resource: string, ...operations: string[]): JsonObject => ({
  apiGroups: ['*'],
  apiVersions: ['*'],
  resources: [resource],
  operations: operations.length > 0 ? operations : ['*'],
});

const here = { matchLabels: { 'kubernetes.io/metadata.name': '{ns}' } };

function hook(told: WebhookInstructions, fields: JsonObject = {}): JsonObject {
  return {
    name: 'hook.example.com',
    clientConfig: { url: `{webhook}${pathFor(told)}`, caBundle: '{authority}' },
    sideEffects: 'None',
    admissionReviewVersions: ['v1'],
    rules: [rule('configmaps')],
    namespaceSelector: here,
    ...fields,
  };
}

const inForce = 'the configuration is in force';
/** Refuses Leases, so that a case can tell when its configuration counts. */
const probe = hook(
  { response: { allowed: false, status: { message: inForce } } },
  { name: 'probe.example.com', rules: [rule('leases')] },
);
const leases = paths('/apis/coordination.k8s.io/v1/namespaces/{ns}/leases');

/** Stores a configuration and waits until it counts. */
function configure(kind: Kind, hooks: JsonObject[], name = '{name}'): Step[] {
  return [
    post(configurations[kind](), object(name, { webhooks: [...hooks, probe] }), { pick: () => null }),
    post(leases('?dryRun=All'), object('a'), {
      until: ({ message }) => typeof message === 'string' && message.endsWith(inForce),
    }),
  ];
}

/** What becomes of a ConfigMap if a webhook does as it is told. */
const told = (kind: Kind, name: string, what: WebhookInstructions, fields: JsonObject = {}): Case =>
  ask(name, configure(kind, [hook(what, fields)]), post(configmaps(), configMap('a')));

const base64 = (text: string) => Buffer.from(text).toString('base64');
const merge = { headers: { 'content-type': 'application/merge-patch+json' } };
const strategic = { headers: { 'content-type': 'application/strategic-merge-patch+json' } };
const apply = { headers: { 'content-type': 'application/apply-patch+yaml' } };
const tells: WebhookInstructions = { tells: 'review' };

const verdicts: Case[] = (
  [
    ['allows', {}],
    ['allows with a Status', { response: { status: { message: 'hm', code: 500 } } }],
    ['refuses without a word', { response: { allowed: false } }],
    ['says nothing of allowed', { response: { allowed: null } }],
    ['refuses with a reason alone', { response: { allowed: false, status: { reason: 'Because' } } }],
    [
      'refuses with all there is',
      {
        response: {
          allowed: false,
          status: {
            message: 'no',
            reason: 'Teapot',
            code: 418,
            details: { name: 'x', retryAfterSeconds: 3, causes: [{ field: 'a', message: 'm', reason: 'r' }] },
          },
        },
      },
    ],
    ...[0, 200, 399, 409, 500].map((code): [string, WebhookInstructions] => [
      `refuses with code ${code}`,
      { response: { allowed: false, status: { message: 'm', code } } },
    ]),
    ['warns', { response: { warnings: ['look "out"', '', 'a\u0001b', 'look "out"', 'é'] } }],
    ['warns and refuses', { response: { allowed: false, warnings: ['look out'] } }],
    [
      'warns at length',
      { response: { warnings: Array.from({ length: 20 }, (_, i) => `${i} ${'x'.repeat(300)}`) } },
    ],
    ['has audit annotations', { response: { auditAnnotations: { a: 'b', 'no key!': 'c' } } }],
    ['answers with 201', { code: 201 }],
    [
      'answers in YAML',
      { text: 'apiVersion: admission.k8s.io/v1\nkind: AdmissionReview\nresponse: {allowed: true}\n' },
    ],
    ['is of no kind', { review: { kind: '' } }],
    ['is of no version', { review: { apiVersion: '' } }],
    ['is of another kind', { review: { kind: 'Foo' } }],
    ['is of a kind that others have', { review: { kind: 'Status', apiVersion: 'v1' } }],
    ['is of another version', { review: { apiVersion: 'admission.k8s.io/v1beta1' } }],
    ['is of a version nobody knows', { review: { apiVersion: 'admission.k8s.io/v2' } }],
    ['has no response', { review: { response: null } }],
    ['is null', { text: 'null' }],
    ['is empty', { text: '' }],
    ['is a word', { text: 'hello' }],
    ['is a list', { text: '[]' }],
    ['is a number', { text: '5' }],
    ['is cut short', { text: '{"a":' }],
    ['goes on after its end', { text: '{} x' }],
    ['has text for a boolean', { response: { allowed: 'yes' } }],
    ['has text for a list', { response: { warnings: 'x' } }],
    ['has text for an object', { response: { status: 'x' } }],
    ['has text for a number', { response: { status: { code: 'x' } } }],
    ['has a number for text', { response: { auditAnnotations: { a: 1 } } }],
    ['has a field that there is not', { response: { foo: 'x' } }],
    ['has a patch', { patch: [] }],
    ['has the type of a patch', { response: { patchType: 'JSONPatch' } }],
    ['breaks off', { does: 'cut' }],
    ['redirects', { code: 307, headers: { location: '/' }, text: '' }],
  ] as [string, WebhookInstructions][]
).map(([name, what]) => told('validating', `an answer that ${name}`, what));

const codes = [300, 400, 401, 403, 404, 405, 406, 409, 410, 415, 422, 429, 500, 502, 503, 504];

const unanswered: Case[] = [
  ...codes.map((code) => told('validating', `code ${code}`, { code, text: '{"a":1}' })),
  told('validating', 'code 503 with a Status', {
    code: 503,
    text: '{"kind":"Status","apiVersion":"v1","status":"Failure","message":"boo"}',
  }),
  told('validating', 'no answer in time', { does: 'hang' }, { timeoutSeconds: 1 }),
  told(
    'mutating',
    'no answer in time from one that may be left out',
    { does: 'hang' },
    { timeoutSeconds: 1, failurePolicy: 'Ignore' },
  ),
  told(
    'validating',
    'another answer from one that may be left out',
    { text: '' },
    { failurePolicy: 'Ignore' },
  ),
  told('validating', 'nobody there', {}, { clientConfig: { url: 'https://127.0.0.1:9/x' } }),
  told('validating', 'nobody there, without a path', {}, { clientConfig: { url: 'https://127.0.0.1:9' } }),
  told(
    'validating',
    'nobody there, at an odd path',
    {},
    { clientConfig: { url: 'https://127.0.0.1:9/a%20b//c/' } },
  ),
  told('validating', 'signed by nobody', {}, { clientConfig: { url: '{webhook}/' } }),
  told(
    'validating',
    'an authority that is none',
    {},
    { clientConfig: { url: '{webhook}/', caBundle: base64('x') } },
  ),
  told(
    'validating',
    'its own certificate',
    {},
    { clientConfig: { url: '{webhook}/', caBundle: '{webhookCertificate}' } },
  ),
  told(
    'validating',
    'a certificate that has signed itself',
    {},
    { clientConfig: { url: '{selfSigned}/', caBundle: '{selfSignedCertificate}' } },
  ),
  told(
    'validating',
    'a certificate with a common name alone',
    {},
    { clientConfig: { url: '{nameless}/', caBundle: '{authority}' } },
  ),
  told(
    'validating',
    'a certificate for another name',
    {},
    { clientConfig: { url: '{misnamed}/', caBundle: '{authority}' } },
  ),
  told(
    'validating',
    'a service that is not there',
    {},
    { clientConfig: { service: { namespace: '{ns}', name: 'x', path: '/a/b' } } },
  ),
  ask(
    'a service that is elsewhere',
    post(
      services(),
      object('x', { spec: { type: 'ExternalName', externalName: 'example.com', ports: [{ port: 443 }] } }),
      { pick: () => null },
    ),
    configure('validating', [hook({}, { clientConfig: { service: { namespace: '{ns}', name: 'x' } } })]),
    post(configmaps(), configMap('a'), {
      until: ({ message }) => typeof message === 'string' && !message.includes('not found'),
    }),
  ),
  ask(
    'no longer than the request',
    configure('validating', [hook({ does: 'hang' })]),
    post(configmaps('?timeout=1s'), configMap('a')),
  ),
];

const patches: Case[] = (
  [
    ['nothing', []],
    ['adds', [{ op: 'add', path: '/data/n', value: '1' }]],
    ['adds what there is not', [{ op: 'add', path: '/foo', value: '1' }]],
    ['adds a null', [{ op: 'add', path: '/data/n', value: null }]],
    ['adds a number', [{ op: 'add', path: '/data/n', value: 5 }]],
    ['adds what is not allowed', [{ op: 'add', path: '/data/no key!', value: '5' }]],
    ['adds below nothing', [{ op: 'add', path: '/nosuch/a', value: '5' }]],
    ['adds without a value', [{ op: 'add', path: '/data/k' }]],
    ['adds beyond a list', [{ op: 'add', path: '/metadata/managedFields/7', value: {} }]],
    ['adds at no place', [{ op: 'add', path: '/metadata/managedFields/x', value: {} }]],
    ['removes what is not there', [{ op: 'remove', path: '/data/nosuch' }]],
    ['removes below nothing', [{ op: 'remove', path: '/nosuch/a' }]],
    ['removes all', [{ op: 'remove', path: '' }]],
    ['removes beyond a list', [{ op: 'remove', path: '/metadata/managedFields/7' }]],
    ['removes nowhere', [{ op: 'remove' }]],
    ['replaces below nothing', [{ op: 'replace', path: '/nosuch/a', value: 1 }]],
    ['replaces beyond a list', [{ op: 'replace', path: '/metadata/managedFields/7', value: {} }]],
    ['replaces all', [{ op: 'replace', path: '', value: { a: 1 } }]],
    ['replaces all by a list', [{ op: 'replace', path: '', value: [] }]],
    ['replaces all by null', [{ op: 'replace', path: '', value: null }]],
    ['tests and fails', [{ op: 'test', path: '/data/k', value: 'x' }]],
    ['tests below nothing', [{ op: 'test', path: '/nosuch/k', value: 'x' }]],
    ['moves', [{ op: 'move', from: '/data/k', path: '/data/n' }]],
    ['moves from nowhere', [{ op: 'move', path: '/data/n' }]],
    ['moves what is not there', [{ op: 'move', from: '/data/nosuch', path: '/data/n' }]],
    ['copies', [{ op: 'copy', from: '/data/k', path: '/data/n' }]],
    ['copies to below nothing', [{ op: 'copy', from: '/data/k', path: '/nosuch/n' }]],
    ['does what nobody does', [{ op: 'foo', path: '/data/k' }]],
    ['makes a map text', [{ op: 'add', path: '/data', value: 'x' }]],
    ['makes it another kind', [{ op: 'replace', path: '/kind', value: 'Secret' }]],
    ['makes it another version', [{ op: 'replace', path: '/apiVersion', value: 'v2' }]],
    ['gives another name', [{ op: 'replace', path: '/metadata/name', value: 'b' }]],
    ['gives another namespace', [{ op: 'replace', path: '/metadata/namespace', value: 'default' }]],
    ['gives a uid', [{ op: 'add', path: '/metadata/uid', value: 'x' }]],
    ['gives a resourceVersion', [{ op: 'add', path: '/metadata/resourceVersion', value: '5' }]],
    [
      'says when it was made',
      [{ op: 'add', path: '/metadata/creationTimestamp', value: '2001-01-01T00:00:00Z' }],
    ],
    ['removes the owners', [{ op: 'remove', path: '/metadata/managedFields' }]],
    ['breaks the owners', [{ op: 'replace', path: '/metadata/managedFields/0/operation', value: 'x' }]],
    ['makes nobody an owner', [{ op: 'replace', path: '/metadata/managedFields', value: [{}] }]],
    ['makes others owners', [{ op: 'replace', path: '/metadata/managedFields/0/manager', value: 'x' }]],
    ['adds labels that are none', [{ op: 'add', path: '/metadata/labels', value: { 'a b': '1' } }]],
  ] as [string, JsonObject[]][]
).map(([name, patch]) => told('mutating', `a patch that ${name}`, { patch }));

const badPatches: Case[] = (
  [
    ['no type', { patch: base64('[]') }],
    [
      'another type and steps',
      { patchType: 'Foo', patch: base64('[{"op":"add","path":"/data/n","value":"1"}]') },
    ],
    ['another type and no steps', { patchType: 'Foo', patch: base64('[]') }],
    ['a type of no letters', { patchType: '', patch: base64('[]') }],
    ['a type alone', { patchType: 'JSONPatch' }],
    ['a word for steps', { patchType: 'JSONPatch', patch: base64('hello') }],
    ['an object for steps', { patchType: 'JSONPatch', patch: base64('{}') }],
    ['a number for a step', { patchType: 'JSONPatch', patch: base64('[5]') }],
    ['null for a step', { patchType: 'JSONPatch', patch: base64('[null]') }],
    ['null for steps', { patchType: 'JSONPatch', patch: base64('null') }],
    [
      'a key twice',
      { patchType: 'JSONPatch', patch: base64('[{"op":"add","path":"/data/n","value":"1","value":"2"}]') },
    ],
    ['no base64', { patchType: 'JSONPatch', patch: '***' }],
    ['a refusal', { allowed: false, patchType: 'JSONPatch', patch: base64('[]') }],
  ] as [string, object][]
).map(([name, response]) => told('mutating', `a patch with ${name}`, { response }));

const older: Case[] = (
  [
    ['is told', { tells: 'all' }],
    ['answers in its own version', {}],
    ['answers in the newer version', { review: { apiVersion: 'admission.k8s.io/v1' } }],
    ['is of no kind', { review: { kind: '', apiVersion: '' } }],
    ['answers another question', { response: { uid: 'x' } }],
    [
      'patches without a type',
      { response: { patch: base64('[{"op":"add","path":"/data/n","value":"1"}]') } },
    ],
    ['has no response', { review: { response: null } }],
    ['has a wrong type', { response: { patchType: 5 } }],
  ] as [string, WebhookInstructions][]
).map(([name, what]) =>
  told('mutating', `v1beta1: one that ${name}`, what, { admissionReviewVersions: ['v3', 'v1beta1', 'v1'] }),
);

const scalers = (version: string) =>
  paths(`/apis/autoscaling/${version}/namespaces/{ns}/horizontalpodautoscalers`);
const scaler = object('a', {
  spec: {
    maxReplicas: 3,
    targetCPUUtilizationPercentage: 70,
    scaleTargetRef: { kind: 'Deployment', name: 'd' },
  },
});
const deployments = paths('/apis/apps/v1/namespaces/{ns}/deployments');
const deployment = object('a', {
  spec: {
    selector: { matchLabels: { a: 'b' } },
    template: { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } },
  },
});

/** What webhooks are told of requests. */
const heard: Case[] = [
  ask(
    'headers and query',
    configure('validating', [hook({ tells: 'all' }, { timeoutSeconds: 7 })]),
    post(configmaps('?fieldManager=me&fieldValidation=Strict&dryRun=All&pretty=true'), configMap('a')),
    post(configmaps('?timeout=5s'), configMap('a')),
    post(configmaps(), configMap('a'), {
      headers: {
        'impersonate-user': 'bob',
        'impersonate-group': 'g',
        'impersonate-uid': 'u',
        'impersonate-extra-a': 'b',
      },
    }),
  ),
  ask(
    'creations',
    configure('mutating', [hook({ notes: 'seen' })]),
    post(configmaps(), configMap('a')),
    post(configmaps('?dryRun=All'), configMap('b', {}, { annotations: { a: 'b' } })),
    send(
      'PATCH',
      configmaps('c?fieldManager=me'),
      { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'c' }, data: { k: 'v' } },
      apply,
    ),
    post(configmaps(), configMap('a')),
  ),
  ask(
    'changes',
    post(configmaps(), configMap('a'), { as: 'a' }),
    configure('validating', [hook(tells)]),
    put(configmaps('a?fieldManager=me'), configMap('a', { n: '1' })),
    put(configmaps('a'), (kept) => kept.a!),
    put(configmaps('nosuch'), configMap('nosuch')),
    send('PATCH', configmaps('a'), { data: { n: '1' } }, merge),
    send('PATCH', configmaps('a?dryRun=All'), {}, merge),
    send(
      'PATCH',
      configmaps('a?fieldManager=me&force=true'),
      { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' }, data: { k: '2' } },
      apply,
    ),
  ),
  ask(
    'deletions',
    post(configmaps(), configMap('a'), { as: 'a' }),
    configure('validating', [hook(tells)]),
    del(configmaps('a')),
    del(configmaps('a'), {
      gracePeriodSeconds: 5,
      propagationPolicy: 'Background',
      preconditions: { uid: '{a.uid}' },
    }),
    del(configmaps('a?gracePeriodSeconds=0&dryRun=All&orphanDependents=true')),
    del(configmaps()),
    del(configmaps('?labelSelector=a%3Db'), undefined, { pick: ({ items }) => items ?? null }),
    del(configmaps('nosuch')),
  ),
  ask(
    'parts of pods',
    withAccount,
    post(pods(), pod('a', { automountServiceAccountToken: false })),
    configure('validating', [hook(tells, { rules: [rule('pods/*')] })]),
    post(pods(), pod('b', { automountServiceAccountToken: false })),
    send('PATCH', pods('a/status'), { status: { phase: 'Running' } }, merge),
    send(
      'PATCH',
      pods('a/ephemeralcontainers'),
      { spec: { ephemeralContainers: [{ name: 'e', image: 'i' }] } },
      strategic,
    ),
    post(pods('a/binding?fieldManager=me'), { metadata: { name: 'a' }, target: { name: 'n' } }),
    post(pods('a/eviction'), { metadata: { name: 'a' }, deleteOptions: { gracePeriodSeconds: 3 } }),
  ),
  ask(
    'connections',
    configure('validating', [hook(tells, { rules: [rule('*/*', 'CONNECT')] })]),
    send('POST', pods('a/exec?command=ls&command=-l&stdout=true')),
    send('GET', pods('a/exec?command=ls&container=c&tty=1')),
    send('GET', pods('a/attach?stdin=true&stderr=false')),
    send('GET', pods('a/portforward?ports=80&ports=81')),
    send('GET', pods('a:80/proxy/a/b?x=y')),
    send('GET', pods('a/proxy')),
    send('PUT', services('a/proxy/a')),
    send('GET', pods('a/log')),
  ),
  ask(
    'what a webhook makes of a connection',
    configure('mutating', [
      hook(
        { patch: [{ op: 'replace', path: '/command/0', value: 'pwd' }] },
        { rules: [rule('pods/exec', 'CONNECT')] },
      ),
    ]),
    send('POST', pods('nosuch/exec?command=ls')),
    send('POST', pods('nosuch/exec')),
  ),
  ask(
    'tokens of accounts',
    withAccount,
    configure('validating', [hook(tells, { rules: [rule('serviceaccounts/token')] })]),
    post('/api/v1/namespaces/{ns}/serviceaccounts/default/token', { spec: { audiences: ['a'] } }),
  ),
  ask(
    'scales',
    post(deployments(), deployment),
    configure('validating', [hook(tells, { rules: [rule('deployments/scale')] })]),
    put(deployments('a/scale'), { metadata: { name: 'a' }, spec: { replicas: 3 } }),
    send('PATCH', deployments('a/scale'), { spec: { replicas: 3 } }, merge),
  ),
  ask(
    'what a webhook makes of a scale',
    post(deployments(), deployment, { pick: () => null }),
    configure('mutating', [
      hook(
        { patch: [{ op: 'replace', path: '/spec/replicas', value: 7 }] },
        { rules: [rule('deployments/scale')] },
      ),
    ]),
    put(deployments('a/scale'), { metadata: { name: 'a' }, spec: { replicas: 3 } }),
    send('GET', deployments('a'), undefined, { pick: ({ spec }) => (spec as JsonObject).replicas ?? null }),
  ),
  ask(
    'namespaces',
    configure('validating', [hook(tells, { rules: [rule('namespaces/*')] })]),
    send('PATCH', namespaces('{ns}'), { metadata: { labels: { a: 'b' } } }, merge),
    put(namespaces('{ns}/finalize'), { metadata: { name: '{ns}' }, spec: {} }),
    put(namespaces('{ns}/status'), { metadata: { name: '{ns}' } }),
    del(namespaces('{ns}')),
    post(namespaces(), object('{other}')),
  ),
  ask(
    'namespaces that are made',
    configure('mutating', [
      hook(
        { notes: 'seen' },
        { rules: [rule('namespaces')], namespaceSelector: { matchLabels: { who: '{ns}' } } },
      ),
    ]),
    post(namespaces(), object('{other}', {}, { labels: { who: '{ns}' } })),
    send('PATCH', namespaces('{other}'), { metadata: { labels: { who: null } } }, merge),
  ),
  ask(
    'reviews of access',
    configure('validating', [
      hook(tells, { rules: ['localsubjectaccessreviews', 'secrets', 'events'].map((each) => rule(each)) }),
    ]),
    post('/apis/authorization.k8s.io/v1/namespaces/{ns}/localsubjectaccessreviews', {
      metadata: { namespace: '{ns}' },
      spec: { user: 'a', resourceAttributes: { namespace: '{ns}', verb: 'get', resource: 'pods' } },
    }),
    post(secrets(), object('a', { stringData: { a: 'b' } })),
    post(coreEvents(), coreEvent('a')),
  ),
];

/** Whom rules, selectors and policies mean. */
const meant: Case[] = [
  ask(
    'another version',
    configure('mutating', [
      hook({ notes: 'seen' }, { rules: [{ ...rule('horizontalpodautoscalers'), apiVersions: ['v2'] }] }),
    ]),
    post(scalers('v1')(), scaler),
    send('PATCH', scalers('v1')('a'), { spec: { maxReplicas: 4 } }, merge),
    send('PATCH', scalers('v1')('a/status'), { status: { currentReplicas: 1 } }, merge),
    send('PATCH', scalers('v2')('a'), { metadata: { annotations: { seen: null } } }, merge),
    del(scalers('v1')('a')),
  ),
  ask(
    'another version, changed in its own terms',
    configure('mutating', [
      hook(
        { patch: [{ op: 'replace', path: '/spec/metrics/0/resource/target/averageUtilization', value: 33 }] },
        { rules: [{ ...rule('horizontalpodautoscalers'), apiVersions: ['v2'] }] },
      ),
    ]),
    post(scalers('v1')(), scaler),
  ),
  ask(
    'another version is not meant',
    configure('validating', [
      hook(tells, {
        matchPolicy: 'Exact',
        rules: [{ ...rule('horizontalpodautoscalers'), apiVersions: ['v2'] }],
      }),
    ]),
    post(scalers('v1')(), scaler),
  ),
  ask(
    'another group',
    configure('mutating', [
      hook({ notes: 'seen' }, { rules: [{ ...rule('events'), apiGroups: ['events.k8s.io'] }] }),
    ]),
    post(coreEvents(), coreEvent('a', { count: 3, message: 'hi' })),
  ),
  ask(
    'objects by their labels',
    post(configmaps(), configMap('b', {}, { labels: { a: 'x' } })),
    configure('validating', [hook(tells, { objectSelector: { matchLabels: { a: 'b' } } })]),
    post(configmaps(), configMap('a')),
    post(configmaps(), configMap('c', {}, { labels: { a: 'b' } })),
    send('PATCH', configmaps('b'), { metadata: { labels: { a: 'b' } } }, merge),
    send('PATCH', configmaps('b'), { metadata: { labels: { c: 'd' } } }, merge),
  ),
  ask(
    'operations and scopes',
    configure('validating', [
      hook(tells, {
        rules: [rule('configmaps', 'UPDATE', 'DELETE'), { ...rule('secrets'), scope: 'Cluster' }],
      }),
    ]),
    post(configmaps(), configMap('a')),
    del(configmaps('a')),
    post(secrets(), object('a')),
  ),
  ask(
    'never configurations and policies',
    configure('validating', [
      hook(
        { response: { allowed: false } },
        { rules: [rule('*')], namespaceSelector: {}, objectSelector: { matchLabels: { who: '{ns}' } } },
      ),
    ]),
    post(configurations.validating(), object('{other}', {}, { labels: { who: '{ns}' } })),
    post(configurations.mutating(), object('{other}', {}, { labels: { who: '{ns}' } })),
    post(
      '/apis/rbac.authorization.k8s.io/v1/clusterroles',
      object('{other}', {}, { labels: { who: '{ns}' } }),
    ),
  ),
  ask(
    'one after the other, and again',
    configure('mutating', [
      hook({ notes: 'first' }, { name: 'd.example.com', reinvocationPolicy: 'IfNeeded' }),
      hook({ patch: [{ op: 'add', path: '/data/second', value: '1' }] }, { name: 'c.example.com' }),
      hook({ notes: 'third' }, { name: 'b.example.com' }),
      hook({ notes: 'fourth' }, { name: 'a.example.com', reinvocationPolicy: 'IfNeeded' }),
    ]),
    post(configmaps(), configMap('a')),
  ),
  ask(
    'several configurations',
    configure('mutating', [hook({ patch: [{ op: 'add', path: '/data/order', value: 'name' }] })], '{name}'),
    configure('mutating', [hook({ patch: [{ op: 'add', path: '/data/order', value: 'other' }] })], '{other}'),
    configure('validating', [hook(tells)]),
    post(configmaps(), configMap('a')),
  ),
  ask(
    'changes of what says which object it is',
    post(configmaps(), configMap('a')),
    ...(
      [
        { op: 'replace', path: '/metadata/name', value: 'b' },
        { op: 'replace', path: '/metadata/namespace', value: 'b' },
        { op: 'replace', path: '/metadata/uid', value: 'b' },
        { op: 'replace', path: '/metadata/resourceVersion', value: '1' },
        { op: 'replace', path: '/metadata/resourceVersion', value: 'x' },
        { op: 'add', path: '/metadata/deletionTimestamp', value: '2020-01-01T00:00:00Z' },
        { op: 'remove', path: '/metadata/resourceVersion' },
        { op: 'remove', path: '/metadata/creationTimestamp' },
        { op: 'remove', path: '/metadata/managedFields' },
      ] as JsonObject[]
    ).flatMap((step, i): Step[] => [
      ...configure(
        'mutating',
        [hook({ patch: [step] }, { rules: [rule('configmaps', 'UPDATE')] })],
        '{name}',
      ),
      send('PATCH', configmaps('a'), { data: { n: String(i) } }, merge),
      del(configurations.mutating('{name}'), undefined, { pick: () => null }),
      // Until then the next one might be asked beside this one.
      post(leases('?dryRun=All'), object('a'), { until: ({ kind }) => kind === 'Lease' }),
    ]),
  ),
  ask(
    'what is deleted cannot be changed',
    post(configmaps(), configMap('a')),
    configure('mutating', [hook({ patch: [{ op: 'add', path: '/data/n', value: '1' }] })]),
    del(configmaps('a')),
  ),
];

const conditions = (...expressions: string[]): JsonObject => ({
  matchConditions: expressions.map((expression, i) => ({ name: `n${i}`, expression })),
});
const refuses: WebhookInstructions = { response: { allowed: false } };

/** What conditions say of a request. */
const conditional: Case[] = (
  [
    ['that holds', ['true']],
    ['that does not hold', ['false']],
    ['one of which does not hold', ['true', 'false']],
    ['that fails', ['object.nosuch == 1']],
    ['on a namespaceObject, which is null', ['namespaceObject == null']],
    ['on the metadata of namespaceObject', ["namespaceObject.metadata.name == 'default'"]],
    ['that fails beside one that does not hold', ['object.nosuch == 1', 'false']],
    ['two of which fail', ['object.nosuch == 1', 'object.nope.x == 2']],
    [
      'about the request',
      ['request.operation == "CREATE" && request.userInfo.username == "admin" && request.name == "a"'],
    ],
    [
      'about the options',
      ['request.options.kind == "CreateOptions" && !request.dryRun && request.kind.kind == "ConfigMap"'],
    ],
    ['about rights', ['authorizer.group("").resource("pods").namespace("x").check("get").allowed()']],
    ['about the object before', ['oldObject == null && object.data.k == "v"']],
    ['about the namespace', ['namespaceObject.metadata.name == "x"']],
    [
      'that costs too much',
      [
        '[1,2,3,4,5,6,7,8,9,0].all(a, [1,2,3,4,5,6,7,8,9,0].all(b, [1,2,3,4,5,6,7,8,9,0].all(c, [1,2,3,4,5,6,7,8,9,0].all(d, [1,2,3,4,5,6,7,8,9,0].all(e, [1,2,3,4,5,6,7,8,9,0].all(f, a + b + c + d + e + f >= 0))))))',
      ],
    ],
  ] as [string, string[]][]
).map(([name, expressions]) =>
  told('validating', `conditions, ${name}`, refuses, conditions(...expressions)),
);

const conditionsAtWork: Case[] = [
  ...conditional,
  told('mutating', 'a condition that fails before a change', refuses, conditions('object.nosuch == 1')),
  told('validating', 'a condition that fails where that does not matter', refuses, {
    ...conditions('object.nosuch == 1'),
    failurePolicy: 'Ignore',
  }),
  ask(
    'conditions that are wrong',
    ['request.name', 'request.', 'variables.x', 'params == null', 'foo == 1', '', 'object.all(x, '].map(
      (expression) =>
        post(
          configurations.mutating('?dryRun=All'),
          object('{name}', { webhooks: [hook({}, conditions('true', expression))] }),
        ),
    ),
  ),
];

/** Webhooks that are really called, in another process. What they were sent comes back in answers. */
export const webhooks = subject(
  'webhooks',
  [...verdicts, ...unanswered, ...patches, ...badPatches, ...older, ...heard, ...meant, ...conditionsAtWork],
  { hooked: true },
);
