// Server-side apply: managedFields of custom resources that name a version which their CRD no longer has.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Body, testServer } from '../support/client.ts';
import { until } from '../support/controllers.ts';

const api = testServer();
const group = 'shop.example.com';
const definitions = '/apis/apiextensions.orch.io/v1/customresourcedefinitions';
const objects = (version: string) => `/apis/${group}/${version}/namespaces/default/carts`;
const text = { type: 'string' };
const schema = {
  openAPIV3Schema: {
    type: 'object',
    properties: { spec: { type: 'object', properties: { a: text, b: text } } },
  },
};
const version = (name: string, served = true) => ({ name, served, storage: name === 'v1', schema });

const send = (type: string, path: string, body: object) =>
  api.request('PATCH', path, body, { 'content-type': `application/${type}` });
const apply = (name: string, by: string, spec: object, at = 'v1') =>
  send('apply-patch+yaml', `${objects(at)}/${name}?fieldManager=${by}`, {
    apiVersion: `${group}/${at}`,
    kind: 'Cart',
    metadata: { name },
    spec,
  });
const merge = (name: string, spec: object) =>
  send('merge-patch+json', `${objects('v1')}/${name}?fieldManager=patcher`, { spec });
const managersOf = ({ metadata }: Body) =>
  (metadata as { managedFields?: { manager: string }[] }).managedFields?.map(({ manager }) => manager);

async function setVersions(versions: object[]): Promise<void> {
  await send('merge-patch+json', `${definitions}/carts.${group}`, { spec: { versions } });
  await until(
    () => api.get(objects('v2')),
    ({ code }) => code === 404,
  );
}

test('a version that the CRD no longer has fails an apply, and an update drops managedFields', async () => {
  const names = { plural: 'carts', kind: 'Cart' };
  await api.post(definitions, {
    metadata: { name: `carts.${group}` },
    spec: { group, scope: 'Namespaced', names, versions: [version('v1'), version('v2')] },
  });
  await until(
    () => api.get(objects('v2')),
    ({ code }) => code === 200,
  );
  for (const name of ['updated', 'patched', 'same'])
    assert.equal((await apply(name, 'former', { a: 'x' }, 'v2')).code, 201);

  await setVersions([version('v1'), version('v2', false)]);
  const conflict = await apply('updated', 'other', { a: 'y' });
  assert.equal(conflict.body.message, 'Apply failed with 1 conflict: conflict with "former": .spec.a');

  await setVersions([version('v1')]);
  for (const by of ['former', 'other']) {
    const { code, body } = await apply('updated', by, { a: 'x' });
    assert.equal(code, 500);
    assert.equal(body.message, `request to convert CR to an invalid group/version: ${group}/v2`);
  }
  const { body } = await api.get(`${objects('v1')}/same`);
  assert.deepEqual(managersOf(body), ['former']);
  const same = await api.put(`${objects('v1')}/same`, body);
  assert.notEqual(same.body.metadata.resourceVersion, body.metadata.resourceVersion);
  const updated = await api.put(`${objects('v1')}/updated`, {
    ...(await api.get(`${objects('v1')}/updated`)).body,
    spec: { a: 'z' },
  });
  const patched = await merge('patched', { b: 'z' });
  assert.deepEqual(
    [same, updated, patched].map((answer) => managersOf(answer.body)),
    [undefined, undefined, undefined],
  );
  assert.deepEqual(managersOf((await apply('patched', 'other', { b: 'z' })).body), [
    'other',
    'before-first-apply',
  ]);
});
