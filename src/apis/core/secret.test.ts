import assert from 'node:assert/strict';
import { test } from 'node:test';
import { orch } from '../../dialect/index.ts';
import { tryCreate, tryUpdate } from '../try-rules.ts';
import { secrets } from './secret.ts';

const definition = secrets(orch);
const create = (json: unknown) => tryCreate(definition, json);

test('stringData goes into data, over what is there, and is gone', () => {
  const { object } = create({ data: { a: 'YQ==', b: 'Yg==' }, stringData: { a: 'over' } });
  assert.equal(object.stringData, undefined);
  assert.deepEqual({ ...object.data }, { a: 'b3Zlcg==', b: 'Yg==' });
});

test('a secret without a type is Opaque, and no type ever changes', () => {
  assert.equal(create({}).object.type, 'Opaque');
  assert.deepEqual(tryUpdate(definition, { type: 'a' }, { type: 'b' }).problems, [
    'type: Invalid value: "b": field is immutable',
  ]);
});

test('the types of the service ask for their keys', () => {
  const missing: Record<string, string[]> = {
    'orch.io/service-account-token': ['metadata.annotations[orch.io/service-account.name]: Required value'],
    'orch.io/dockercfg': ['data[.dockercfg]: Required value'],
    'orch.io/dockerconfigjson': ['data[.dockerconfigjson]: Required value'],
    'orch.io/basic-auth': ['data[username]: Required value', 'data[password]: Required value'],
    'orch.io/ssh-auth': ['data[ssh-privatekey]: Required value'],
    'orch.io/tls': ['data[tls.crt]: Required value', 'data[tls.key]: Required value'],
    'example.com/anything': [],
  };
  for (const [type, problems] of Object.entries(missing))
    assert.deepEqual(create({ type }).problems, problems, type);
});

test('what is wrong with a credentials file is told without showing it', () => {
  const { problems } = create({
    type: 'orch.io/dockercfg',
    stringData: { '.dockercfg': '{"password":hunter2}' },
  });
  assert.deepEqual(problems, [
    'data[.dockercfg]: Invalid value: "<secret contents redacted>": invalid character \'h\' looking for beginning of value',
  ]);
});

test('the data takes 1 MiB at most, counted in bytes, not in base64', () => {
  const ofSize = (bytes: number) => ({ data: { a: Buffer.alloc(bytes).toString('base64') } });
  assert.deepEqual(create(ofSize(1024 * 1024)).problems, []);
  assert.deepEqual(create(ofSize(1024 * 1024 + 1)).problems, [
    'data: Too long: may not be more than 1048576 bytes',
  ]);
});

test('an immutable secret keeps its data', () => {
  const old = { immutable: true, data: { a: 'YQ==' } };
  assert.deepEqual(tryUpdate(definition, old, { immutable: true, stringData: { a: 'b' } }).problems, [
    'data: Forbidden: field is immutable when `immutable` is set',
  ]);
  assert.deepEqual(tryUpdate(definition, old, { immutable: true, stringData: { a: 'a' } }).problems, []);
});

test('a certificate that is none is accepted with a warning', () => {
  const { problems, warnings } = create({
    type: 'orch.io/tls',
    stringData: { 'tls.crt': 'x', 'tls.key': 'y' },
  });
  assert.deepEqual(problems, []);
  assert.deepEqual(warnings, ['tls: failed to find any PEM data in certificate input']);
});
