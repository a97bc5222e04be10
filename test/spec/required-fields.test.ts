import assert from 'node:assert/strict';
import { test } from 'node:test';
import { encodeCbor } from '../../src/codec/cbor/encode.ts';
import { encodeMessage } from '../../src/codec/protobuf/encode.ts';
import { writeEnvelope } from '../../src/codec/protobuf/envelope.ts';
import { orch } from '../../src/dialect/index.ts';
import type { Body } from '../support/client.ts';
import { ask, cbor, json, protobuf, read, schemaOf, yaml } from '../support/media-types.ts';
import { assertInvalid, everythingServed, kind } from './support.ts';

const http = await everythingServed();
const classes = kind(http, '/apis/scheduling.orch.io/v1/priorityclasses');
const ranges = kind(http, '/api/v1/namespaces/default/limitranges');
const apiVersion = 'scheduling.orch.io/v1';
const bare = (name: string) => ({ apiVersion, kind: 'PriorityClass', metadata: { name } });

test('a required field is missing where it is absent or null, in JSON, YAML and CBOR', async () => {
  for (const absence of [{}, { value: null }]) {
    const object = { ...bare('absent'), ...absence };
    const bodies = {
      [json]: JSON.stringify(object),
      [yaml]: JSON.stringify(object),
      [cbor]: encodeCbor(object),
    };
    for (const [type, body] of Object.entries(bodies)) {
      const response = await ask(
        http,
        'POST',
        classes.collection,
        { 'content-type': type, accept: json },
        body,
      );
      assert.equal(response.code, 422, type);
      const { details } = read(response) as unknown as Body;
      assert.deepEqual(details.causes, [
        { reason: 'FieldValueRequired', message: 'Required value', field: 'value' },
      ]);
    }
  }
});

test('Protobuf cannot tell 0 from absence, so that no field is missing in it', async () => {
  // The metadata field of a ConfigMap has the number that it has in every kind, and an empty one encodes nothing else.
  const message = encodeMessage(schemaOf('ConfigMap'), { metadata: { name: 'in-protobuf' } });
  const body = writeEnvelope({ apiVersion, kind: 'PriorityClass', message }, orch.protobufMagic);
  const headers = { 'content-type': protobuf, accept: json };
  const response = await ask(http, 'POST', classes.collection, headers, body);
  assert.equal(response.code, 201, response.bytes.toString());
  assert.equal((read(response) as { value?: number }).value, 0);
});

test('an object whose required list is empty, and so encoded as null, can be updated', async () => {
  const message = encodeMessage(schemaOf('LimitRange'), { metadata: { name: 'none' } });
  const body = writeEnvelope({ apiVersion: 'v1', kind: 'LimitRange', message }, orch.protobufMagic);
  const response = await ask(
    http,
    'POST',
    ranges.collection,
    { 'content-type': protobuf, accept: json },
    body,
  );
  assert.equal(response.code, 201, response.bytes.toString());
  const range = await ranges.update(read(response) as unknown as Body, { metadata: { labels: { l: 'v' } } });
  const limited = await ranges.update(range, { spec: { limits: [{ type: 'Pod' }] } });
  await ranges.invalidUpdate(limited, { spec: { limits: null } }, 'spec.limits', /Required value/);
});

test('an update or patch that omits a required field is rejected', async () => {
  const object = await classes.create({ metadata: { name: 'patched' }, value: 0 });
  await classes.invalidUpdate(object, { value: null }, 'value', /Required value/);
  const patches = {
    'application/merge-patch+json': { value: null },
    'application/strategic-merge-patch+json': { value: null },
    'application/json-patch+json': [{ op: 'remove', path: '/value' }],
  };
  for (const [type, patch] of Object.entries(patches)) {
    const path = `${classes.collection}/patched`;
    assertInvalid(await http.request('PATCH', path, patch, { 'content-type': type }), 'value');
    const label = type.includes('json-patch')
      ? [{ op: 'add', path: '/metadata/labels', value: { type: 'j' } }]
      : { metadata: { labels: { type: type.slice(12, 13) } } };
    assert.equal((await http.request('PATCH', path, label, { 'content-type': type })).code, 200);
  }
});

test('an apply that omits a required field is rejected, unless another manager owns it', async () => {
  const path = (manager: string) => `${classes.collection}/applied?fieldManager=${manager}`;
  const apply = (manager: string, change: object) =>
    http.request(
      'PATCH',
      path(manager),
      { ...bare('applied'), ...change },
      {
        'content-type': 'application/apply-patch+yaml',
      },
    );
  assertInvalid(await apply('one', { description: 'd' }), 'value');
  assert.equal((await apply('one', { value: 0 })).code, 201);
  assert.equal((await apply('two', { description: 'd' })).code, 200);
  assertInvalid(await apply('one', {}), 'value');
});

test('OpenAPI lists the required fields of bodies', async () => {
  const required = {
    'api/v1': {
      'core.v1.LimitRangeSpec': ['limits'],
      'core.v1.ISCSIVolumeSource': ['iqn', 'lun', 'targetPortal'],
    },
    'apis/apps/v1': { 'apps.v1.ControllerRevision': ['revision'] },
    'apis/resource.orch.io/v1beta1': { 'resource.v1beta1.DeviceClass': ['spec'] },
    'apis/scheduling.orch.io/v1': { 'scheduling.v1.PriorityClass': ['value'] },
    'apis/storage.orch.io/v1': {
      'storage.v1.TokenRequest': ['audience'],
      'storage.v1.CSINode': ['spec'],
      'storage.v1.CSINodeSpec': ['drivers'],
    },
    'apis/storagemigration.orch.io/v1alpha1': {
      'storagemigration.v1alpha1.MigrationCondition': ['status', 'type'],
    },
  };
  for (const [path, types] of Object.entries(required)) {
    const { body } = await http.get(`/openapi/v3/${path}`);
    const { schemas } = (
      body as unknown as { components: { schemas: Record<string, { required?: string[] }> } }
    ).components;
    for (const [type, fields] of Object.entries(types)) {
      const found = Object.entries(schemas).find(([name]) => name.endsWith(`.${type}`));
      assert.deepEqual([...(found?.[1].required ?? [])].sort(), fields, type);
    }
  }
});
