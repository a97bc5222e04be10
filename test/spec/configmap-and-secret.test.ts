import assert from 'node:assert/strict';
import { test } from 'node:test';
import { everythingServed, kind } from './support.ts';

const http = await everythingServed();
const maps = kind(http, '/api/v1/namespaces/default/configmaps');
const secrets = kind(http, '/api/v1/namespaces/default/secrets');
const base64 = (text: string) => Buffer.from(text, 'latin1').toString('base64');

test('ConfigMap: keys consist of letters, digits, -, _ and .', async () => {
  await maps.valid({ data: { 'a-B_c.9': 'x' }, binaryData: { 'd-E_f.8': base64('x') } });
  await maps.invalid({ data: { 'a b': 'x' } }, 'data[a b]');
  await maps.invalid({ binaryData: { 'a/b': base64('x') } }, 'binaryData[a/b]');
});

test('ConfigMap: bytes that are not UTF-8 belong in binaryData', async () => {
  const bytes = base64('\xff\xfe');
  assert.deepEqual((await maps.valid({ binaryData: { a: bytes } })).binaryData, { a: bytes });
  // A string cannot hold them: invalid bytes in one are replaced.
  const body = Buffer.from('{"metadata":{"name":"a"},"data":{"a":"\xff\xfe"}}', 'latin1');
  const response = await fetch(`${http.url}${maps.collection}?dryRun=All`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
  });
  assert.deepEqual(((await response.json()) as { data: object }).data, { a: '\ufffd\ufffd' });
  await maps.unreadable({ binaryData: { a: 'no base64!' } }, /illegal base64/);
});

test('ConfigMap: keys of binaryData do not overlap with those of data', async () => {
  await maps.valid({ data: { a: 'x' }, binaryData: { b: base64('x') } });
  await maps.invalid({ data: { a: 'x' }, binaryData: { a: base64('x') } }, 'data[a]');
});

test('ConfigMap: an immutable one keeps its data, only its metadata changes; by default it is not immutable', async () => {
  assert.equal((await maps.valid({ data: { a: 'x' } })).immutable, undefined);
  const map = await maps.create({ metadata: { name: 'fixed' }, immutable: true, data: { a: 'x' } });
  await maps.invalidUpdate(map, { data: { a: 'y' } }, 'data', /immutable/);
  await maps.invalidUpdate(map, { immutable: null }, 'immutable');
  await maps.update(map, { metadata: { labels: { l: 'v' } } });
});

test('Secret: the values of data together take 1 MiB at most', async () => {
  await secrets.valid({ data: { a: base64('x'.repeat(1024 * 1024)) } });
  await secrets.invalid({ data: { a: base64('x'.repeat(1024 * 1024)), b: base64('y') } }, 'data');
});

test('Secret: stringData is merged into data, overrides it and is never returned', async () => {
  const secret = await secrets.create({
    metadata: { name: 'written' },
    data: { a: base64('old'), b: base64('kept') },
    stringData: { a: 'new' },
  });
  const read = (await http.get(`${secrets.collection}/written`)).body;
  for (const response of [secret, read]) {
    assert.deepEqual(response.data, { a: base64('new'), b: base64('kept') });
    assert.equal(response.stringData, undefined);
  }
});

test('Secret: an immutable one keeps its data, only its metadata changes', async () => {
  const secret = await secrets.create({
    metadata: { name: 'fixed' },
    immutable: true,
    data: { a: base64('x') },
  });
  await secrets.invalidUpdate(secret, { data: { a: base64('y') } }, 'data', /immutable/);
  await secrets.invalidUpdate(secret, { stringData: { a: 'y' } }, 'data', /immutable/);
  await secrets.update(secret, { metadata: { labels: { l: 'v' } } });
});

test('Secret: type describes the data, Opaque by default', async () => {
  assert.equal((await secrets.valid()).type, 'Opaque');
  assert.equal((await secrets.valid({ type: 'example.com/own' })).type, 'example.com/own');
  const tls = { type: 'orch.io/tls', data: { 'tls.crt': base64('c') } };
  await secrets.invalid(tls, 'data[tls.key]');
});
