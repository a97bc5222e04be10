import assert from 'node:assert/strict';
import { test } from 'node:test';
import { encodeCbor } from '../../src/codec/cbor/encode.ts';
import { TestServer } from '../support/client.ts';
import { ask, toProtobuf } from '../support/media-types.ts';
import { startServer } from '../support/servers.ts';
import { everythingServed } from './support.ts';

const http = await everythingServed();
const json = 'application/json';
const yaml = 'application/yaml';
const protobuf = 'application/vnd.orch.protobuf';
const cbor = 'application/cbor';
const map = { kind: 'ConfigMap', apiVersion: 'v1', metadata: { name: 'a' }, data: { k: 'v' } };

async function made(): Promise<string> {
  const maps = await http.namespace();
  await http.post(maps, map);
  return maps;
}

test('JSON is the default of responses', async () => {
  const maps = await made();
  for (const accept of ['*/*', 'application/*', json]) {
    assert.equal((await http.get(maps, { accept })).headers.get('content-type'), json);
  }
});

test('YAML works for requests and responses', async () => {
  const maps = await http.namespace();
  const headers = { accept: yaml, 'content-type': yaml };
  const answer = await ask(http, 'POST', maps, headers, 'metadata:\n  name: a\ndata:\n  k: v\n');
  assert.equal(answer.code, 201);
  assert.equal(answer.type, yaml);
  assert.match(answer.bytes.toString(), /^apiVersion: v1\ndata:\n {2}k: v\nkind: ConfigMap\n/);
});

test('Accept selects the media type of the response, Content-Type that of the body, and they may differ', async () => {
  const maps = await http.namespace();
  const headers = { accept: yaml, 'content-type': protobuf };
  const answer = await ask(http, 'POST', maps, headers, toProtobuf('ConfigMap', map));
  assert.equal(answer.code, 201);
  assert.equal(answer.type, yaml);
  const put = await ask(
    http,
    'PUT',
    `${maps}/a`,
    { accept: protobuf, 'content-type': yaml },
    'metadata: {name: a}\ndata: {k: w}\n',
  );
  assert.equal(put.type, protobuf);
  const patched = await ask(
    http,
    'PATCH',
    `${maps}/a`,
    { accept: yaml, 'content-type': 'application/merge-patch+json' },
    '{"data":{"k":"x"}}',
  );
  assert.equal(patched.type, yaml);
  assert.match(patched.bytes.toString(), /k: x/);
});

test('an unsupported Accept is 406, an unsupported Content-Type 415', async () => {
  const maps = await made();
  assert.equal((await http.get(maps, { accept: 'text/html, image/*' })).code, 406);
  assert.equal((await http.request('POST', maps, '<a/>', { 'content-type': 'text/xml' })).code, 415);
});

test('Protobuf first, then JSON: a client gets Protobuf where it is supported', async () => {
  const maps = await made();
  assert.equal((await ask(http, 'GET', maps, { accept: `${protobuf}, ${json}` })).type, protobuf);
  assert.equal((await ask(http, 'GET', maps, { accept: `application/other, ${json}` })).type, json);
});

test('the Protobuf envelope is k8s and a zero, then typeMeta, raw, contentEncoding and contentType', async () => {
  const maps = await made();
  const { bytes } = await ask(http, 'GET', `${maps}/a`, { accept: protobuf });
  assert.equal(bytes.toString('hex', 0, 4), '6b387300');
  const fields = fieldsOf(bytes.subarray(4));
  const typeMeta = fieldsOf(fields.get(1)!);
  assert.equal(typeMeta.get(1)!.toString(), 'v1');
  assert.equal(typeMeta.get(2)!.toString(), 'ConfigMap');
  assert.ok(fields.get(2)!.length > 0);
  for (const unset of [3, 4]) assert.equal(fields.get(unset)?.toString() ?? '', '');
});

test('a Protobuf body without the prefix is rejected', async () => {
  const maps = await http.namespace();
  const body = toProtobuf('ConfigMap', map).subarray(4);
  const { code } = await ask(http, 'POST', maps, { 'content-type': protobuf }, body);
  assert.equal(code, 400);
});

test('CBOR works for requests and responses, with the feature gate', async () => {
  const maps = await http.namespace();
  const headers = { accept: cbor, 'content-type': cbor };
  const { code, type } = await ask(http, 'POST', maps, headers, encodeCbor(map));
  assert.equal(code, 201);
  assert.equal(type, cbor);
});

test('there is no CBOR equivalent of the JSON patches', async () => {
  const maps = await made();
  for (const patch of ['json-patch', 'merge-patch', 'strategic-merge-patch']) {
    const type = { 'content-type': `application/${patch}+cbor` };
    assert.equal((await ask(http, 'PATCH', `${maps}/a`, type, encodeCbor({}))).code, 415);
  }
});

test('APIResponseCompression: get and list are compressed if the client accepts gzip, unless it is off', async () => {
  const data = { k: 'x'.repeat(200_000) };
  const encodingsOf = async (server: TestServer) => {
    const maps = await server.namespace();
    await server.post(maps, { metadata: { name: 'large' }, data });
    const answers = await Promise.all(
      [maps, `${maps}/large`].map((path) => server.get(path, { 'accept-encoding': 'gzip' })),
    );
    return answers.map(({ headers }) => headers.get('content-encoding'));
  };
  assert.deepEqual(await encodingsOf(http), ['gzip', 'gzip']);
  const off = new TestServer();
  off.server = await startServer({ featureGates: { APIResponseCompression: false } });
  try {
    assert.deepEqual(await encodingsOf(off), [null, null]);
  } finally {
    await off.server.stop();
  }
});

/** The length-delimited fields of a message, by number. */
function fieldsOf(bytes: Buffer): Map<number, Buffer> {
  const fields = new Map<number, Buffer>();
  for (let at = 0; at < bytes.length; ) {
    const tag = bytes[at++]!;
    assert.equal(tag & 7, 2);
    let length = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = bytes[at++]!;
      length += (byte & 127) * 2 ** shift;
      if (byte < 128) break;
    }
    fields.set(tag >> 3, bytes.subarray(at, at + length));
    at += length;
  }
  return fields;
}
