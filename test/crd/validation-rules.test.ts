import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testServer } from '../support/client.ts';

const api = testServer();
const definitions = '/apis/apiextensions.orch.io/v1/customresourcedefinitions';
const path = '/apis/rules.example.com/v1/namespaces/default/things';
const name = 'things.rules.example.com';

const schema = (spec: object, more: object = {}) => ({
  type: 'object',
  properties: {
    spec: { type: 'object', ...spec },
    status: { type: 'object', properties: { n: { type: 'integer' } } },
  },
  ...more,
});

/** Sets the schema of the CRD. */
async function describe(openAPIV3Schema: object): Promise<void> {
  const versions = [
    { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema }, subresources: { status: {} } },
  ];
  const { code, body } = await api.get(`${definitions}/${name}`);
  const names = { plural: 'things', kind: 'Thing' };
  const spec = { group: 'rules.example.com', scope: 'Namespaced', names, versions };
  const { code: done, text } =
    code === 404
      ? await api.post(definitions, { metadata: { name }, spec })
      : await api.put(`${definitions}/${name}`, { ...body, spec: { ...body.spec, versions } });
  assert.ok(done < 300, text);
  while ((await api.get(path)).code !== 200) await new Promise((resolve) => setImmediate(resolve));
}

const thing = (named: string, spec: object) => ({
  apiVersion: 'rules.example.com/v1',
  kind: 'Thing',
  metadata: { name: named },
  spec,
});
const merge = (at: string, body: object) =>
  api.request('PATCH', `${path}/${at}`, body, { 'content-type': 'application/merge-patch+json' });

const between = {
  properties: {
    min: { type: 'integer' },
    max: { type: 'integer' },
    fixed: {
      type: 'string',
      maxLength: 9,
      'x-orch-validations': [{ rule: 'self == oldSelf', message: 'is fixed' }],
    },
  },
  'x-orch-validations': [{ rule: 'self.min <= self.max', message: 'min over max', fieldPath: '.min' }],
};

test('CEL rules are enforced, including transition rules with oldSelf', async () => {
  await describe(schema(between));
  const refused = await api.post(path, thing('a', { min: 2, max: 1 }));
  assert.equal(refused.code, 422);
  assert.equal(
    refused.body.message,
    'Thing.rules.example.com "a" is invalid: spec.min: Invalid value: "object": min over max',
  );
  assert.equal((await api.post(path, thing('a', { min: 1, max: 2, fixed: 'x' }))).code, 201);
  const changed = await merge('a', { spec: { fixed: 'y' } });
  assert.match(changed.body.message, /spec.fixed: Invalid value: "string": is fixed/);
  assert.equal((await merge('a', { spec: { max: 5 } })).code, 200);
});

test('rules are not evaluated on values that violate the schema', async () => {
  await describe(schema(between));
  const { body } = await api.post(path, thing('b', { min: 'x' }));
  assert.deepEqual(
    body.details.causes.map(({ field }) => field),
    ['spec.min', '<nil>'],
  );
  assert.match(body.message, /some validation rules were not checked because the object was invalid/);
});

test('validation ratcheting: unchanged invalid values are accepted', async () => {
  await describe(schema({ properties: { a: { type: 'string' }, b: { type: 'string' } } }));
  assert.equal((await api.post(path, thing('old', { a: 'long', b: 'x' }))).code, 201);
  await describe(
    schema({
      properties: {
        a: { type: 'string', maxLength: 2 },
        b: { type: 'string', maxLength: 9, 'x-orch-validations': [{ rule: "self != 'x'", message: 'no x' }] },
      },
    }),
  );
  const kept = await merge('old', { metadata: { labels: { l: 'm' } } });
  assert.equal(kept.code, 200, kept.text);
  assert.match(kept.headers.get('warning') ?? '', /spec.b: Invalid value: \\"string\\": no x/);
  assert.equal((await merge('old', { spec: { a: 'longer' } })).code, 422);
  assert.equal((await api.post(path, thing('new', { a: 'ab', b: 'x' }))).code, 422);
});

test('rules apply to the status subresource too', async () => {
  const n = { type: 'integer', 'x-orch-validations': [{ rule: 'self < 10' }] };
  await describe({
    type: 'object',
    properties: { spec: { type: 'object' }, status: { type: 'object', properties: { n } } },
  });
  await api.post(path, thing('s', {}));
  assert.equal((await merge('s/status', { status: { n: 3 } })).code, 200);
  const { body } = await merge('s/status', { status: { n: 11 } });
  assert.match(body.message, /status.n: Invalid value: "integer": failed rule: self < 10/);
});
