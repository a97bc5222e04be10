import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testServer } from '../../support/client.ts';
import type { WebhookInstructions } from '../../support/webhook.ts';
import { namespaceIn, testHooks } from '../../support/webhook-client.ts';

const api = testServer();
const hooks = testHooks(api);

const configMap = (name = 'a') => ({ metadata: { name }, data: { k: 'v' } });

/** Stores a webhook for a new namespace and creates an object there. */
async function ask(told: WebhookInstructions, more: Record<string, unknown> = {}, query = '') {
  const path = await api.namespace();
  await hooks.configure('validating', hooks.hook(namespaceIn(path), told, more));
  return { path, answer: await api.post(path + query, configMap()) };
}

interface Review {
  readonly apiVersion: string;
  readonly kind: string;
  readonly request: Record<string, unknown>;
}

for (const version of ['v1', 'v1beta1']) {
  test(`a webhook is sent a ${version} AdmissionReview of the write`, async () => {
    const path = await api.namespace();
    const namespace = namespaceIn(path);
    const url = hooks.webhook.url({}, version);
    const clientConfig = { url, caBundle: hooks.webhook.caBundle };
    const more = { clientConfig, admissionReviewVersions: ['v2', version] };
    await hooks.configure('validating', hooks.hook(namespace, {}, more));
    const { code, body } = await api.post(`${path}?fieldManager=me`, configMap());
    assert.equal(code, 201);
    const [heard, ...rest] = await hooks.webhook.received<Review>({}, version);
    assert.equal(rest.length, 0);
    assert.equal(heard!.query, 'timeout=10s');
    assert.equal(heard!.headers['user-agent'], 'orch-apiserver-admission');
    const { apiVersion, kind, request } = heard!.review;
    assert.deepEqual([apiVersion, kind], [`admission.orch.io/${version}`, 'AdmissionReview']);
    const { uid, object, userInfo, ...about } = request;
    assert.match(String(uid), /^[0-9a-f-]{36}$/);
    assert.equal((object as typeof body).metadata.uid, body.metadata.uid);
    assert.ok(userInfo);
    assert.deepEqual(about, {
      kind: { group: '', version: 'v1', kind: 'ConfigMap' },
      resource: { group: '', version: 'v1', resource: 'configmaps' },
      requestKind: { group: '', version: 'v1', kind: 'ConfigMap' },
      requestResource: { group: '', version: 'v1', resource: 'configmaps' },
      name: 'a',
      namespace,
      operation: 'CREATE',
      oldObject: null,
      dryRun: false,
      options: { kind: 'CreateOptions', apiVersion: 'meta.orch.io/v1', fieldManager: 'me' },
    });
  });
}

test('a denial has the code, reason, message and details of the webhook', async () => {
  const details = { name: 'x', causes: [{ field: 'data', message: 'too much', reason: 'Large' }] };
  const status = { code: 418, reason: 'Teapot', message: 'no coffee', details };
  const { answer } = await ask({ response: { allowed: false, status } });
  assert.equal(answer.code, 418);
  assert.equal(answer.body.reason, 'Teapot');
  assert.equal(answer.body.message, 'admission webhook "hook.example.com" denied the request: no coffee');
  assert.deepEqual(answer.body.details, details);
  const { answer: bare } = await ask({ response: { allowed: false } });
  assert.equal(bare.code, 400);
  assert.match(bare.body.message, /denied the request without explanation$/);
});

test('an invalid status code of a webhook is ignored', async () => {
  for (const code of [-1, 200, 99_999]) {
    const { answer } = await ask({ response: { allowed: false, status: { message: 'm', code } } });
    assert.equal(answer.code, 400);
  }
});

const lies: Readonly<Record<string, [WebhookInstructions, RegExp]>> = {
  'answers another question': [
    { response: { uid: 'x' } },
    /invalid webhook response: expected response.uid=/,
  ],
  'answers with another kind': [{ review: { kind: 'Foo' } }, /no kind "Foo" is registered/],
  'answers with another version': [
    { review: { apiVersion: 'admission.orch.io/v1beta1' } },
    /converting \(v1beta1.AdmissionReview\) to \(v1.AdmissionReview\): unknown conversion/,
  ],
  'says nothing of its kind': [{ review: { kind: '', apiVersion: '' } }, /got \/, Kind=/],
  'gives no response': [{ review: { response: null } }, /webhook response was absent/],
  'sends no JSON': [{ text: '<html>' }, /cannot unmarshal string/],
  'sends half an answer': [{ text: '{"kind":' }, /unexpected end of JSON input/],
  'sends nothing': [{ text: '' }, /0-length response with status code: 200/],
  'sends a wrong type': [
    { response: { allowed: 'yes' } },
    /cannot unmarshal string into .*allowed of type bool/,
  ],
  'sends a patch': [{ patch: [] }, /validating webhook may not return response.patch/],
  'never stops talking': [{ does: 'flood' }, /the answer is longer than 10485760 bytes/],
  'hangs up': [{ does: 'cut' }, /: EOF$/],
  'leads elsewhere': [{ code: 307, headers: { location: '/' } }, /a redirect \(307\), which is not followed/],
  'fails itself': [{ code: 500, text: 'oh' }, /an error on the server \("unknown"\)/],
};

for (const [what, [told, expected]] of Object.entries(lies)) {
  test(`a webhook that ${what} fails the write, unless failurePolicy is Ignore`, async () => {
    const { answer } = await ask(told);
    assert.equal(answer.code, 500);
    assert.equal(answer.body.reason, 'InternalError');
    assert.match(
      answer.body.message,
      /^Internal error occurred: failed calling webhook "hook.example.com": /,
    );
    assert.match(answer.body.message, expected);
    const { answer: open } = await ask(told, { failurePolicy: 'Ignore' });
    assert.equal(open.code, 201);
  });
}

test('the certificate must be valid for the host and signed by caBundle', async () => {
  const { caBundle, misnamedPort, port } = hooks.webhook;
  const other = { url: `https://127.0.0.1:${misnamedPort}/`, caBundle };
  const { answer } = await ask({}, { clientConfig: other });
  assert.match(answer.body.message, /x509: cannot validate certificate for 127.0.0.1/);
  const { answer: unsigned } = await ask({}, { clientConfig: { url: `https://localhost:${port}/` } });
  assert.match(unsigned.body.message, /x509: certificate signed by unknown authority/);
  const bundle = Buffer.from('no certificate').toString('base64');
  const { answer: broken } = await ask({}, { clientConfig: { url: hooks.webhook.url(), caBundle: bundle } });
  assert.match(broken.body.message, /could not get REST client: unable to load root certificates/);
});

test('a slow webhook delays only the requests that it matches', async () => {
  const path = await api.namespace();
  const name = namespaceIn(path);
  const wait: WebhookInstructions = { does: 'wait' };
  const clientConfig = { url: hooks.webhook.url(wait, name), caBundle: hooks.webhook.caBundle };
  await hooks.configure('validating', hooks.hook(name, wait, { clientConfig, timeoutSeconds: 30 }));
  let answered = 0;
  // More than the limit of concurrent calls to one webhook.
  const held = Array.from({ length: 80 }, async (_, i) => {
    const { code } = await api.post(path, configMap(`held-${i}`));
    answered++;
    return code;
  });
  const elsewhere = await api.namespace();
  await hooks.configure('validating', hooks.hook(namespaceIn(elsewhere), {}));
  for (let i = 0; i < 20; i++) assert.equal((await api.post(elsewhere, configMap(`free-${i}`))).code, 201);
  assert.equal((await api.get(path)).body.items.length, 0);
  assert.equal(answered, 0);
  await hooks.webhook.release(wait, name);
  for (const code of await Promise.all(held)) assert.equal(code, 201);
});

test('a webhook timeout fails the write', async () => {
  const { answer } = await ask({ does: 'hang' }, { timeoutSeconds: 1 });
  assert.equal(answer.code, 500);
  assert.match(answer.body.message, /\?timeout=1s": context deadline exceeded$/);
});

test('connections are kept alive', async () => {
  const path = await api.namespace();
  const name = namespaceIn(path);
  const clientConfig = { url: hooks.webhook.url({}, name), caBundle: hooks.webhook.caBundle };
  await hooks.configure('validating', hooks.hook(name, {}, { clientConfig }));
  for (let i = 0; i < 5; i++) await api.post(path, configMap(`a${i}`));
  const heard = await hooks.webhook.received({}, name);
  assert.equal(heard.length, 5);
  assert.equal(new Set(heard.map(({ port }) => port)).size, 1);
});

test('a webhook call never outlasts the request timeout', async () => {
  const path = await api.namespace();
  await hooks.configure(
    'validating',
    hooks.hook(namespaceIn(path), { does: 'hang' }, { timeoutSeconds: 30 }),
  );
  const { code, body } = await api.post(`${path}?timeout=1s`, configMap());
  assert.equal(code, 504);
  assert.match(body.message, /did not complete within the allotted timeout/);
});

test('the remaining timeout is sent as the query parameter timeout', async () => {
  const path = await api.namespace();
  const name = namespaceIn(path);
  const clientConfig = { url: hooks.webhook.url({}, name), caBundle: hooks.webhook.caBundle };
  await hooks.configure('validating', hooks.hook(name, {}, { clientConfig, timeoutSeconds: 30 }));
  assert.equal((await api.post(`${path}?timeout=9s`, configMap())).code, 201);
  const [heard] = await hooks.webhook.received<Review>({}, name);
  assert.match(heard!.query, /^timeout=[1-9]s$/);
});

test('a configuration applies from its creation to its deletion', async () => {
  const path = await api.namespace();
  const configuration = await hooks.configure(
    'validating',
    hooks.hook(namespaceIn(path), { response: { allowed: false } }),
  );
  assert.equal((await api.post(path, configMap())).code, 400);
  await api.delete(configuration);
  assert.equal((await api.post(path, configMap())).code, 201);
});

test('of several denials the first in order is the response', async () => {
  const path = await api.namespace();
  const refuse = (name: string) =>
    hooks.hook(namespaceIn(path), { response: { allowed: false } }, { name: `${name}.example.com` });
  await hooks.configure('validating', refuse('b'), refuse('a'));
  assert.match((await api.post(path, configMap())).body.message, /"b.example.com" denied/);
});

test('warnings reach the client, except those that are invalid in a header', async () => {
  const { answer } = await ask({ response: { warnings: ['look out', '', 'two\nlines'] } });
  assert.equal(answer.headers.get('warning'), '299 - "look out"');
});

test('DELETE has the deleted object as oldObject', async () => {
  const path = await api.namespace();
  await api.post(path, configMap());
  const rules = [{ apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'], operations: ['DELETE'] }];
  await hooks.configure('validating', hooks.hook(namespaceIn(path), { tells: 'review' }, { rules }));
  const { code, body } = await api.delete(`${path}/a`, { gracePeriodSeconds: 3 });
  assert.equal(code, 400);
  const { request } = JSON.parse(body.message.slice(body.message.indexOf('{'))) as Review;
  assert.equal(request.operation, 'DELETE');
  assert.equal(request.object, null);
  assert.equal((request.oldObject as typeof body).data.k, 'v');
  assert.deepEqual(request.options, {
    kind: 'DeleteOptions',
    apiVersion: 'meta.orch.io/v1',
    gracePeriodSeconds: 3,
  });
});

test('webhooks are not called for webhook configurations and policies', async () => {
  const rules = [
    { apiGroups: ['*'], apiVersions: ['*'], resources: ['*'], operations: ['*'], scope: 'Cluster' },
  ];
  const hook = hooks.hook('', { response: { allowed: false } }, { rules, namespaceSelector: {} });
  const configuration = await hooks.configure('validating', hook);
  assert.equal((await api.post('/api/v1/namespaces', { metadata: { generateName: 'x-' } })).code, 400);
  assert.equal((await api.delete(configuration)).code, 200);
});

test('webhook calls are in the metrics with duration and result', async () => {
  const name = 'counted.example.com';
  await ask({}, { name });
  await ask({ response: { allowed: false } }, { name });
  await ask({ code: 500 }, { name, failurePolicy: 'Ignore' });
  const { text } = await api.get('/metrics');
  const lines = text.split('\n').filter((line) => line.includes(name) && !line.includes('_bucket'));
  const counts = lines
    .filter((line) => !line.includes('_sum'))
    .map((line) => line.replaceAll(/name="[^"]*",/g, ''));
  assert.deepEqual(counts, [
    'apiserver_admission_webhook_admission_duration_seconds_count{operation="CREATE",rejected="false",type="validating"} 2',
    'apiserver_admission_webhook_admission_duration_seconds_count{operation="CREATE",rejected="true",type="validating"} 1',
    'apiserver_admission_webhook_fail_open_count{type="validating"} 1',
    'apiserver_admission_webhook_rejection_count{error_type="no_error",operation="CREATE",rejection_code="400",type="validating"} 1',
    'apiserver_admission_webhook_request_total{code="200",operation="CREATE",rejected="false",type="validating"} 1',
    'apiserver_admission_webhook_request_total{code="400",operation="CREATE",rejected="true",type="validating"} 1',
    'apiserver_admission_webhook_request_total{code="500",operation="CREATE",rejected="false",type="validating"} 1',
  ]);
});

test('matchConditions decide whether a webhook is called', async () => {
  const refuse = { response: { allowed: false } };
  const conditions = (...expressions: string[]) => ({
    matchConditions: expressions.map((expression, i) => ({ name: `c${i}`, expression })),
  });
  const condition = 'request.operation == "CREATE" && object.data.k == "v"';
  assert.equal((await ask(refuse, conditions(condition))).answer.code, 400);
  assert.equal((await ask(refuse, conditions(condition, 'request.name != "a"'))).answer.code, 201);
  const { answer } = await ask(refuse, conditions('object.nosuch == 1'));
  assert.equal(answer.code, 403);
  assert.match(
    answer.body.message,
    /expression 'object.nosuch == 1' resulted in error: no such key: nosuch$/,
  );
  const open = { ...conditions('object.nosuch == 1'), failurePolicy: 'Ignore' };
  assert.equal((await ask(refuse, open)).answer.code, 201);
  await assert.rejects(ask(refuse, conditions('object.')), /matchConditions\[0\].expression: Invalid value/);
});
