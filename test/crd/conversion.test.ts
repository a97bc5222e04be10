import assert from 'node:assert/strict';
import { test } from 'node:test';
import { certificatePem, malformedCertificates } from '../../src/pki/x509/malformed-certificates.fixture.ts';
import { type Body, type TestResponse, testServer } from '../support/client.ts';
import type { WebhookInstructions } from '../support/webhook.ts';
import { testHooks } from '../support/webhook-client.ts';

const api = testServer();
const hooks = testHooks(api);
const definitions = '/apis/apiextensions.orch.io/v1/customresourcedefinitions';

const text = { type: 'string' };
const schemaOf = (properties: object) => ({
  openAPIV3Schema: {
    type: 'object',
    properties: {
      spec: { type: 'object', properties: { ...properties, size: { type: 'integer' } } },
      status: { type: 'object', 'x-orch-preserve-unknown-fields': true },
    },
  },
});
const scale = { specReplicasPath: '.spec.size', statusReplicasPath: '.status.size' };

/** Two versions with the same host and port, in different fields. */
const versions = (stored: 'v1' | 'v2' = 'v1') => [
  {
    ...{ name: 'v1', served: true, storage: stored === 'v1', schema: schemaOf({ hostPort: text }) },
    subresources: { status: {}, scale },
    selectableFields: [{ jsonPath: '.spec.hostPort' }],
  },
  {
    ...{ name: 'v2', served: true, storage: stored === 'v2', schema: schemaOf({ host: text, port: text }) },
    subresources: { status: {}, scale },
    selectableFields: [{ jsonPath: '.spec.host' }],
    additionalPrinterColumns: [{ name: 'Host', type: 'string', jsonPath: '.spec.host' }],
  },
];

let made = 0;

interface Kind {
  readonly name: string;
  readonly group: string;
  readonly told: WebhookInstructions;
  readonly hook: string;
  readonly v1: string;
  readonly v2: string;
}

async function kindWith(
  told: WebhookInstructions = {},
  reviewVersions = ['v1'],
  caBundle = hooks.webhook.caBundle,
): Promise<Kind> {
  const group = `conversion${++made}.example.com`;
  const name = `things.${group}`;
  const clientConfig = { url: hooks.webhook.url(told, group), caBundle };
  const webhook = { clientConfig, conversionReviewVersions: reviewVersions };
  const { code, text: why } = await api.post(definitions, {
    metadata: { name },
    spec: {
      ...{ group, scope: 'Namespaced', names: { plural: 'things', kind: 'Thing' }, versions: versions() },
      conversion: { strategy: 'Webhook', webhook },
    },
  });
  assert.equal(code, 201, why);
  const at = (version: string) => `/apis/${group}/${version}/namespaces/default/things`;
  while ((await api.get(at('v2'))).code !== 200) await new Promise((resolve) => setImmediate(resolve));
  return { name, group, told, hook: group, v1: at('v1'), v2: at('v2') };
}

const thing = ({ group }: Kind, version: 'v1' | 'v2', name: string, spec: object) => ({
  ...{ apiVersion: `${group}/${version}`, kind: 'Thing', metadata: { name }, spec },
});

async function good(answer: Promise<TestResponse>): Promise<Body> {
  const { code, text: why, body } = await answer;
  assert.ok(code < 300, why);
  return body;
}

const merge = (path: string, body: object) =>
  api.request('PATCH', path, body, { 'content-type': 'application/merge-patch+json' });
const apply = (path: string, manager: string, body: object) =>
  api.request('PATCH', `${path}?fieldManager=${manager}`, body, {
    'content-type': 'application/apply-patch+yaml',
  });

interface Review {
  apiVersion: string;
  request: { desiredAPIVersion: string; objects: { apiVersion: string; metadata: { name: string } }[] };
}

const heard = async ({ told, hook }: Kind) =>
  (await hooks.webhook.received<Review>(told, hook)).map(({ review }) => review);

test('an object is read and written in a version other than the storage version', async () => {
  const kind = await kindWith();
  await good(api.post(kind.v1, thing(kind, 'v1', 'a', { hostPort: 'h:1' })));
  const shown = await good(api.get(`${kind.v2}/a`));
  assert.deepEqual([shown.apiVersion, shown.spec], [`${kind.group}/v2`, { host: 'h', port: '1' }]);
  const created = await good(api.post(kind.v2, thing(kind, 'v2', 'b', { host: 'x', port: '2' })));
  assert.deepEqual(created.spec, { host: 'x', port: '2' });
  assert.deepEqual((await good(api.get(`${kind.v1}/b`))).spec, { hostPort: 'x:2' });
  await good(api.put(`${kind.v2}/b`, { ...created, spec: { host: 'y', port: '2' } }));
  await good(merge(`${kind.v2}/b`, { spec: { port: '3', size: 2 } }));
  await good(merge(`${kind.v2}/b/status`, { status: { size: 4 } }));
  assert.deepEqual((await good(api.get(`${kind.v2}/b/scale`))).status, { replicas: 4 });
  await good(merge(`${kind.v2}/b/scale`, { spec: { replicas: 5 } }));
  assert.deepEqual((await good(api.get(`${kind.v1}/b`))).spec, { hostPort: 'y:3', size: 5 });
  const { rows } = await good(api.get(kind.v2, { accept: 'application/json;as=Table;g=meta.orch.io;v=v1' }));
  assert.deepEqual(
    (rows as { cells: unknown[] }[]).map(({ cells }) => cells),
    [
      ['a', 'h'],
      ['b', 'y'],
    ],
  );
  await good(api.delete(`${kind.v2}/b`));
  const { items } = await good(api.get(kind.v2));
  assert.deepEqual(
    items.map(({ metadata }) => metadata.name),
    ['a'],
  );
});

test('a list is converted in few calls of bounded size', async () => {
  const kind = await kindWith();
  for (let n = 0; n < 120; n++) {
    await good(
      api.post(kind.v1, thing(kind, 'v1', `t-${String(n).padStart(3, '0')}`, { hostPort: `h:${n}` })),
    );
  }
  const { items } = await good(api.get(kind.v2));
  assert.deepEqual(
    items.map(({ spec }) => spec.port),
    Array.from({ length: 120 }, (_, n) => String(n)),
  );
  assert.deepEqual(
    (await heard(kind)).map(({ request }) => request.objects.length),
    [100, 20],
  );
});

test('objects are sent without resourceVersion, in a supported review version', async () => {
  const kind = await kindWith({}, ['v9', 'v1beta1', 'v1']);
  await good(api.post(kind.v1, thing(kind, 'v1', 'a', { hostPort: 'h:1' })));
  await good(api.get(`${kind.v2}/a`));
  const [review] = await heard(kind);
  assert.equal(review?.apiVersion, 'apiextensions.orch.io/v1beta1');
  assert.equal(review?.request.desiredAPIVersion, `${kind.group}/v2`);
  assert.equal(JSON.stringify(review).includes('resourceVersion'), false);
});

test('watch events are converted in order', async () => {
  const kind = await kindWith();
  const { metadata } = await good(api.post(kind.v1, thing(kind, 'v1', 'a', { hostPort: 'h:0' })));
  const watch = await api.watch(`${kind.v2}?watch=1&resourceVersion=${metadata.resourceVersion}`);
  for (let n = 1; n <= 20; n++) await good(merge(`${kind.v1}/a`, { spec: { hostPort: `h:${n}` } }));
  await good(api.delete(`${kind.v1}/a`));
  for (let n = 1; n <= 20; n++) {
    const event = await watch.next();
    assert.deepEqual([event?.type, event?.object.spec.port], ['MODIFIED', String(n)]);
  }
  assert.equal((await watch.next())?.type, 'DELETED');
  watch.close();
});

test('a webhook is trusted by its own certificate in caBundle, without the CA', async () => {
  const kind = await kindWith({}, ['v1'], hooks.webhook.certificate);
  await good(api.post(kind.v1, thing(kind, 'v1', 'a', { hostPort: 'h:1' })));
  assert.deepEqual((await good(api.get(`${kind.v2}/a`))).spec, { host: 'h', port: '1' });
});

test('a state is converted once for many watchers', async () => {
  const kind = await kindWith();
  await good(api.post(kind.v1, thing(kind, 'v1', 'a', { hostPort: 'h:0' })));
  const watches = await Promise.all(Array.from({ length: 20 }, () => api.watch(`${kind.v2}?watch=1`)));
  for (const watch of watches) assert.equal((await watch.next())?.object.spec.port, '0');
  await good(merge(`${kind.v1}/a`, { spec: { hostPort: 'h:1' } }));
  for (const watch of watches) assert.equal((await watch.next())?.object.spec.port, '1');
  assert.equal((await heard(kind)).length, 2);
  for (const watch of watches) watch.close();
});

test('selectors match the converted object', async () => {
  const kind = await kindWith({ puts: { metadata: { labels: { seen: 'yes' } } } });
  const { metadata } = await good(api.post(kind.v1, thing(kind, 'v1', 'a', { hostPort: 'h:1' })));
  await good(api.post(kind.v1, thing(kind, 'v1', 'b', { hostPort: 'i:1' })));
  const names = async (query: string) =>
    (await good(api.get(`${kind.v2}?${query}`))).items.map(({ metadata: { name } }) => name);
  assert.deepEqual(await names('fieldSelector=spec.host=i'), ['b']);
  assert.deepEqual(await names('labelSelector=seen=yes'), ['a', 'b']);
  assert.deepEqual((await good(api.get(`${kind.v1}?labelSelector=seen=yes`))).items, []);
  const first = await good(api.get(`${kind.v2}?labelSelector=seen=yes&limit=1`));
  assert.deepEqual(await names(`labelSelector=seen=yes&limit=1&continue=${first.metadata.continue}`), ['b']);
  const watch = await api.watch(
    `${kind.v2}?watch=1&fieldSelector=spec.host=i&resourceVersion=${metadata.resourceVersion}`,
  );
  for (const hostPort of ['i:2', 'i:3', 'j:3']) await good(merge(`${kind.v1}/a`, { spec: { hostPort } }));
  const events = [await watch.next(), await watch.next(), await watch.next(), await watch.next()];
  assert.deepEqual(
    events.map((event) => [event?.type, event?.object.metadata.name, event?.object.spec.port]),
    [
      ['ADDED', 'b', '1'],
      ['ADDED', 'a', '2'],
      ['MODIFIED', 'a', '3'],
      ['DELETED', 'a', '3'],
    ],
  );
  watch.close();
});

test('a webhook may change only labels and annotations of the metadata', async () => {
  const puts = { metadata: { labels: { a: 'b' }, annotations: { c: 'd' }, finalizers: ['x.example.com/y'] } };
  const kind = await kindWith({ puts });
  const before = await good(api.post(kind.v1, thing(kind, 'v1', 'a', { hostPort: 'h:1' })));
  const { metadata } = await good(api.get(`${kind.v2}/a`));
  assert.deepEqual(metadata, { ...before.metadata, labels: { a: 'b' }, annotations: { c: 'd' } });
});

for (const [what, told, why] of [
  [
    'another name',
    { puts: { metadata: { name: 'x' } } },
    /returned invalid object: must have the same name: a != x$/,
  ],
  ['another uid', { puts: { metadata: { uid: 'x' } } }, /must have the same UID: [-0-9a-f]+ != x$/],
  ['another kind', { puts: { kind: 'X' } }, /at index 0: invalid kind \(expected Thing, received X\)$/],
  [
    'another version',
    { puts: { apiVersion: 'x/v7' } },
    /invalid groupVersion \(expected \S+\/v2, received x\/v7\)$/,
  ],
  ['too few objects', { count: 0 }, /returned 0 objects, expected 1$/],
  [
    'an answer to another question',
    { response: { uid: 'x' } },
    /failed: expected response.uid="[-0-9a-f]+", got "x"$/,
  ],
  ['a failure', { response: { result: { status: 'Failure', message: 'no' } } }, /failed: no$/],
  ['no end', { does: 'flood' }, /the answer is longer than 10485760 bytes$/],
  ['a redirect', { code: 302, headers: { location: 'https://127.0.0.1:1/' } }, /which is not followed$/],
] as const) {
  test(`a webhook response with ${what} fails the conversion`, async () => {
    const kind = await kindWith(told);
    await good(api.post(kind.v1, thing(kind, 'v1', 'a', { hostPort: 'h:1' })));
    for (const path of [`${kind.v2}/a`, kind.v2]) {
      const { code, body } = await api.get(path);
      assert.equal(code, 500);
      assert.match(body.details.causes[0]!.message, why);
    }
    assert.equal((await api.post(kind.v2, thing(kind, 'v2', 'b', { host: 'x' }))).code, 500);
    assert.equal((await api.get(`${kind.v1}/b`)).code, 404);
  });
}

test('an object that cannot be converted is named in the error', async () => {
  const kind = await kindWith({ reversed: true });
  for (const name of ['a', 'b']) await good(api.post(kind.v1, thing(kind, 'v1', name, { hostPort: 'h:1' })));
  // An order needs several objects.
  const { items } = await good(api.get(kind.v2));
  assert.deepEqual(
    items.map(({ metadata }) => metadata.name),
    ['a', 'b'],
  );
  assert.deepEqual(
    (await heard(kind)).map(({ request }) => request.objects.length),
    [2, 1, 1],
  );
});

test('a watch ends with an ERROR event at an object that cannot be converted', async () => {
  const kind = await kindWith({ code: 500 });
  await good(api.post(kind.v1, thing(kind, 'v1', 'a', { hostPort: 'h:1' })));
  const watch = await api.watch(`${kind.v2}?watch=1`);
  const [event, ...more] = await watch.rest();
  assert.deepEqual([event?.type, event?.object.code, more.length], ['ERROR', 500, 0]);
  assert.match(String(event?.object.message), /conversion webhook for \S+\/v1, Kind=Thing failed: an error/);
});

test('a hanging webhook delays no other request', async () => {
  const told = { does: 'wait', only: 'v2' } as const;
  const kind = await kindWith(told);
  const other = await kindWith();
  await good(api.post(kind.v1, thing(kind, 'v1', 'a', { hostPort: 'h:1' })));
  await good(api.post(other.v1, thing(other, 'v1', 'a', { hostPort: 'h:1' })));
  const waiting = [api.get(`${kind.v2}/a`), api.get(kind.v2), merge(`${kind.v2}/a`, { spec: { port: '2' } })];
  const watch = await api.watch(`${kind.v2}?watch=1`);
  assert.equal((await api.get(`${kind.v1}/a`)).code, 200);
  assert.equal((await api.get(kind.v1)).code, 200);
  assert.equal((await api.get(other.v2)).code, 200);
  await hooks.webhook.release(told, kind.hook);
  for (const answer of await Promise.all(waiting)) assert.equal(answer.code, 200, answer.text);
  assert.equal((await watch.next())?.object.metadata.name, 'a');
  watch.close();
});

test('managedFields have the version in which the fields were written', async () => {
  const kind = await kindWith();
  await good(apply(`${kind.v1}/a`, 'one', thing(kind, 'v1', 'a', { hostPort: 'h:1', size: 1 })));
  const { code, body } = await apply(`${kind.v2}/a`, 'two', thing(kind, 'v2', 'a', { host: 'i' }));
  assert.equal(code, 409);
  assert.match(body.message, /conflict with "one": .spec.hostPort$/);
  const shared = await good(apply(`${kind.v2}/a`, 'two', thing(kind, 'v2', 'a', { host: 'h' })));
  const owners = shared.metadata as unknown as { managedFields: { manager: string; apiVersion: string }[] };
  assert.deepEqual(owners.managedFields.map(({ manager, apiVersion }) => [manager, apiVersion]).sort(), [
    ['one', `${kind.group}/v1`],
    ['two', `${kind.group}/v2`],
  ]);
  const left = await good(apply(`${kind.v1}/a`, 'one', thing(kind, 'v1', 'a', { hostPort: 'h:1' })));
  assert.deepEqual(left.spec, { hostPort: 'h:1' });
});

test('after a change of the storage version, objects are rewritten by their next write', async () => {
  const kind = await kindWith();
  await good(api.post(kind.v1, thing(kind, 'v1', 'a', { hostPort: 'h:1' })));
  const definition = await good(api.get(`${definitions}/${kind.name}`));
  const moved = await good(
    api.put(`${definitions}/${kind.name}`, {
      ...definition,
      spec: { ...definition.spec, versions: versions('v2') },
    }),
  );
  assert.deepEqual((moved.status as { storedVersions: string[] }).storedVersions, ['v1', 'v2']);
  const { metadata } = await good(api.get(`${kind.v1}/a`));
  assert.deepEqual(await heard(kind), []);
  assert.deepEqual((await good(api.get(`${kind.v2}/a`))).spec, { host: 'h', port: '1' });
  const rewritten = await good(merge(`${kind.v1}/a`, {}));
  assert.notEqual(rewritten.metadata.resourceVersion, metadata.resourceVersion);
  const callCount = (await heard(kind)).length;
  assert.deepEqual((await good(api.get(`${kind.v2}/a`))).spec, { host: 'h', port: '1' });
  assert.equal((await heard(kind)).length, callCount);
  const same = await good(merge(`${kind.v1}/a`, {}));
  assert.equal(same.metadata.resourceVersion, rewritten.metadata.resourceVersion);
});

test('admission gets the object in the version of its rules', async () => {
  const kind = await kindWith();
  const rules = [
    { apiGroups: [kind.group], apiVersions: ['v1'], resources: ['things'], operations: ['CREATE'] },
  ];
  const patch = [{ op: 'replace', path: '/spec/hostPort', value: 'patched:9' }];
  const matchConditions = [{ name: 'h', expression: "object.spec.hostPort == 'h:1'" }];
  const path = await hooks.configure(
    'mutating',
    hooks.hook('default', { patch }, { rules, matchConditions }),
  );
  const created = await good(api.post(kind.v2, thing(kind, 'v2', 'a', { host: 'h', port: '1' })));
  assert.deepEqual(created.spec, { host: 'patched', port: '9' });
  const other = await good(api.post(kind.v2, thing(kind, 'v2', 'b', { host: 'i', port: '1' })));
  assert.deepEqual(other.spec, { host: 'i', port: '1' });
  await api.delete(path);
});

test('a policy gets objects and parameters in the versions that it names', async () => {
  const kind = await kindWith();
  await good(api.post(kind.v1, thing(kind, 'v1', 'limits', { hostPort: 'forbidden:1' })));
  const policies = '/apis/admissionregistration.orch.io/v1/validatingadmissionpolicies';
  const resourceRules = [
    { apiGroups: [kind.group], apiVersions: ['v1'], resources: ['things'], operations: ['CREATE'] },
  ];
  await good(
    api.post(policies, {
      metadata: { name: kind.group },
      spec: {
        paramKind: { apiVersion: `${kind.group}/v2`, kind: 'Thing' },
        matchConstraints: { resourceRules },
        validations: [{ expression: "object.spec.hostPort != params.spec.host + ':1'" }],
      },
    }),
  );
  await good(
    api.post(`${policies.replace('policies', 'policybindings')}`, {
      metadata: { name: kind.group },
      spec: {
        policyName: kind.group,
        paramRef: { name: 'limits', namespace: 'default', parameterNotFoundAction: 'Deny' },
        validationActions: ['Deny'],
      },
    }),
  );
  await good(api.post(kind.v2, thing(kind, 'v2', 'a', { host: 'h', port: '1' })));
  const { code, text: why } = await api.post(
    kind.v2,
    thing(kind, 'v2', 'b', { host: 'forbidden', port: '1' }),
  );
  assert.equal(code, 422, why);
});

test('a CRD whose objects cannot be converted is deleted once they can be, and blocks no other', async () => {
  const told = { does: 'wait', only: 'v2' } as const;
  const kind = await kindWith(told);
  await good(api.post(kind.v1, thing(kind, 'v1', 'a', { hostPort: 'h:1' })));
  const path = `${definitions}/${kind.name}`;
  const { spec } = await good(api.get(path));
  await good(merge(path, { spec: { ...spec, versions: versions('v2') } }));
  await good(api.delete(path));
  await kindWith();
  assert.equal((await api.get(path)).code, 200);
  await hooks.webhook.release(told, kind.hook);
  while ((await api.get(path)).code !== 404) await new Promise((resolve) => setImmediate(resolve));
});

test('a CRD whose objects cannot be deleted has the condition Terminating with the reason', async () => {
  const kind = await kindWith();
  await good(api.post(kind.v1, thing(kind, 'v1', 'a', { hostPort: 'h:1' })));
  const path = `${definitions}/${kind.name}`;
  const { spec } = await good(api.get(path));
  const webhook = (told: WebhookInstructions) => ({
    clientConfig: { url: hooks.webhook.url(told), caBundle: hooks.webhook.caBundle },
    conversionReviewVersions: ['v1'],
  });
  const conversion = (told: WebhookInstructions) => ({ strategy: 'Webhook', webhook: webhook(told) });
  await good(
    merge(path, { spec: { ...spec, versions: versions('v2'), conversion: conversion({ code: 500 }) } }),
  );
  await good(api.delete(path));
  const terminating = async () => {
    const { body } = await api.get(path);
    const { conditions } = body.status as { conditions: { type: string; reason: string; message: string }[] };
    return conditions.find(({ type }) => type === 'Terminating');
  };
  while ((await terminating())?.reason !== 'InstanceDeletionFailed') {
    await new Promise((resolve) => setImmediate(resolve));
  }
  assert.match(
    (await terminating())?.message ?? '',
    /^could not issue all deletes: .*Kind=Thing failed: an error/,
  );
  await good(merge(path, { spec: { conversion: conversion({}) } }));
  while ((await api.get(path)).code !== 404) await new Promise((resolve) => setImmediate(resolve));
});

test('conversion calls are counted by result', async () => {
  const kind = await kindWith();
  await good(api.post(kind.v1, thing(kind, 'v1', 'a', { hostPort: 'h:1' })));
  await good(api.get(`${kind.v2}/a`));
  const { text: metrics } = await api.get('/metrics');
  const labels = `crd_name="${kind.name}",from_version="v1",succeeded="true",to_version="v2"`;
  assert.ok(metrics.includes(`apiserver_crd_conversion_webhook_duration_seconds_count{${labels}} 1`));
  assert.match(metrics, /apiserver_conversion_webhook_request_total\{failure_type="",result="success"\} \d/);
});

test('a CRD with an invalid caBundle is established once it has a valid one', async () => {
  const group = `conversion${++made}.example.com`;
  const name = `things.${group}`;
  const bundle = (pem: string) => Buffer.from(pem).toString('base64');
  const damaged = bundle(certificatePem(malformedCertificates['a duplicate extension']![0]));
  const webhook = {
    clientConfig: { url: hooks.webhook.url({}, group), caBundle: damaged },
    conversionReviewVersions: ['v1'],
  };
  const definition = {
    metadata: { name },
    spec: {
      ...{ group, scope: 'Namespaced', names: { plural: 'things', kind: 'Thing' }, versions: versions() },
      conversion: { strategy: 'Webhook', webhook },
    },
  };
  await good(api.post(definitions, definition));
  const reason = async () => {
    const { status } = (await api.get(`${definitions}/${name}`)).body as unknown as {
      status: { conditions?: { type: string; reason: string }[] };
    };
    return status.conditions?.find(({ type }) => type === 'Established')?.reason;
  };
  while ((await reason()) === undefined) await new Promise((resolve) => setImmediate(resolve));
  assert.equal(await reason(), 'InvalidCABundle');
  assert.equal((await api.get(`/apis/${group}/v1/things`)).code, 404);
  const change = (caBundle: string) =>
    api.request(
      'PATCH',
      `${definitions}/${name}`,
      { spec: { conversion: { webhook: { clientConfig: { caBundle } } } } },
      { 'content-type': 'application/merge-patch+json' },
    );
  await good(change(hooks.webhook.caBundle));
  while ((await reason()) === 'InvalidCABundle') await new Promise((resolve) => setImmediate(resolve));
  assert.equal(await reason(), 'InitialNamesAccepted');
  assert.equal((await change(damaged)).code, 422);
});
