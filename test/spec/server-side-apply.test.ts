/** SPEC's rules of server-side apply and field ownership. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { encode } from 'cborg';
import { apply, ownersIn } from '../support/server-side-apply.ts';
import { everythingServed } from './support.ts';

const http = await everythingServed();
const path = (name: string) => `/api/v1/namespaces/default/configmaps/${name}`;
const intent = (name: string, data: object, metadata: object = {}) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, ...metadata },
  data,
});
const managersOf = (answer: Parameters<typeof ownersIn>[0]) =>
  ownersIn(answer).map(({ manager, operation }) => `${manager} ${operation}`);

test('a PATCH of type application/apply-patch+yaml is an apply, of the type +cbor too', async () => {
  const created = await apply(http, path('made'), 'alice', intent('made', { a: '1' }));
  assert.equal(created.code, 201, created.text);
  const body = encode(intent('made', { a: '1', b: '2' }));
  const headers = { 'content-type': 'application/apply-patch+cbor' };
  const answer = await fetch(`${http.server.url}${path('made')}?fieldManager=alice`, {
    method: 'PATCH',
    headers,
    body,
  });
  assert.equal(answer.status, 200);
  assert.deepEqual(((await answer.json()) as { data: object }).data, { a: '1', b: '2' });
});

test('an apply names its fieldManager, and its body has no managedFields', async () => {
  const type = { 'content-type': 'application/apply-patch+yaml' };
  const unnamed = await http.request('PATCH', path('unnamed'), intent('unnamed', {}), type);
  assert.equal(unnamed.code, 422);
  assert.match(unnamed.body.message, /fieldManager: Required value/);
  const owned = await apply(http, path('owned'), 'alice', intent('owned', {}, { managedFields: [] }));
  assert.equal(owned.code, 400);
});

test('an apply that changes a field of another manager is a conflict, unless it is forced', async () => {
  await apply(http, path('contested'), 'alice', intent('contested', { color: 'blue' }));
  const refused = await apply(http, path('contested'), 'bob', intent('contested', { color: 'red' }));
  assert.equal(refused.code, 409);
  assert.equal(refused.body.reason, 'Conflict');
  assert.deepEqual(refused.body.details.causes, [
    { reason: 'FieldManagerConflict', message: 'conflict with "alice"', field: '.data.color' },
  ]);
  const forced = await apply(http, path('contested'), 'bob', intent('contested', { color: 'red' }), {
    force: true,
  });
  assert.equal(forced.code, 200);
  assert.deepEqual(managersOf(forced), ['bob Apply']);
});

test('an update or another patch never conflicts: changed fields get the writer as manager', async () => {
  await apply(http, path('moved'), 'alice', intent('moved', { a: '1', b: '1' }));
  const put = await http.request(
    'PUT',
    `${path('moved')}?fieldManager=carol`,
    intent('moved', { a: '2', b: '1' }),
  );
  assert.equal(put.code, 200);
  assert.deepEqual(managersOf(put), ['alice Apply', 'carol Update']);
  const patched = await http.request(
    'PATCH',
    path('moved'),
    { data: { b: '2' } },
    { 'content-type': 'application/merge-patch+json', 'user-agent': 'dave/1.0 (test)' },
  );
  assert.deepEqual(managersOf(patched), ['carol Update', 'dave Update']);
});

test('managers with equal values share a field; a manager that omits it gives it up, and without managers it is removed', async () => {
  await apply(http, path('shared'), 'alice', intent('shared', { a: '1', b: '1' }));
  const both = await apply(http, path('shared'), 'bob', intent('shared', { a: '1' }));
  assert.deepEqual(managersOf(both).sort(), ['alice Apply', 'bob Apply']);
  const conflict = await apply(http, path('shared'), 'bob', intent('shared', { a: '2' }));
  assert.equal(conflict.code, 409);
  const left = await apply(http, path('shared'), 'alice', intent('shared', {}));
  assert.deepEqual((left.body as unknown as { data: object }).data, { a: '1' });
});

test('a field without managers is reset to its default', async () => {
  const services = '/api/v1/namespaces/default/services/defaulted';
  const service = (spec: object) => ({
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 'defaulted' },
    spec: { ports: [{ port: 80 }], ...spec },
  });
  await apply(http, services, 'alice', service({ sessionAffinity: 'ClientIP' }));
  const reset = await apply(http, services, 'alice', service({}));
  assert.equal((reset.body as unknown as { spec: { sessionAffinity: string } }).spec.sessionAffinity, 'None');
});

test('a conflict is resolved by omitting the field, or by the current value', async () => {
  await apply(http, path('resolved'), 'alice', intent('resolved', { color: 'blue' }));
  assert.equal((await apply(http, path('resolved'), 'bob', intent('resolved', { size: 's' }))).code, 200);
  const same = await apply(http, path('resolved'), 'bob', intent('resolved', { color: 'blue', size: 's' }));
  assert.equal(same.code, 200);
});

test('managedFields record manager, operation, apiVersion, time, fieldsType and fieldsV1', async () => {
  const made = await apply(http, path('recorded'), 'alice', intent('recorded', { a: '1' }));
  const [{ time, ...entry } = { time: '' }] = ownersIn(made);
  assert.match(time ?? '', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
  assert.deepEqual(entry, {
    manager: 'alice',
    operation: 'Apply',
    apiVersion: 'v1',
    fieldsType: 'FieldsV1',
    fieldsV1: { 'f:data': { 'f:a': {} } },
  });
});

test('managedFields can be edited by an update or another patch', async () => {
  await apply(http, path('edited'), 'alice', intent('edited', { a: '1' }));
  const edited = await http.request(
    'PATCH',
    path('edited'),
    [{ op: 'replace', path: '/metadata/managedFields/0/manager', value: 'erin' }],
    { 'content-type': 'application/json-patch+json' },
  );
  assert.deepEqual(managersOf(edited), ['erin Apply']);
});

test('an apply that makes an invalid object fails', async () => {
  const answer = await apply(http, path('invalid'), 'alice', intent('invalid', { 'not a key!': '1' }));
  assert.equal(answer.code, 422, answer.text);
});

test('elements of a map list are merged by key, an atomic list is replaced', async () => {
  const pods = '/api/v1/namespaces/default/podtemplates/merged';
  const template = (containers: object[]) => ({
    apiVersion: 'v1',
    kind: 'PodTemplate',
    metadata: { name: 'merged' },
    template: { spec: { containers } },
  });
  await apply(http, pods, 'alice', template([{ name: 'a', image: 'a:1', args: ['x', 'y'] }]));
  const both = await apply(http, pods, 'bob', template([{ name: 'b', image: 'b:1' }]));
  const again = await apply(http, pods, 'alice', template([{ name: 'a', image: 'a:1', args: ['z'] }]));
  const containersIn = (answer: typeof both) =>
    (answer.body as unknown as { template: { spec: { containers: { name: string; args?: string[] }[] } } })
      .template.spec.containers;
  assert.deepEqual(
    containersIn(both).map(({ name }) => name),
    ['a', 'b'],
  );
  assert.deepEqual(
    containersIn(again).map(({ args }) => args),
    [['z'], undefined],
  );
});
