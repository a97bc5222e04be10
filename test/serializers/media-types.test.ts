import assert from 'node:assert/strict';
import { test } from 'node:test';
import { WebSocket } from 'ws';
import { decodeCbor } from '../../src/codec/cbor/decode.ts';
import { encodeCbor } from '../../src/codec/cbor/encode.ts';
import { endOfItem } from '../../src/codec/cbor/wire.ts';
import type { JsonObject } from '../../src/codec/json/json-value.ts';
import { stringifyJson } from '../../src/codec/json/stringify.ts';
import { decodeYaml } from '../../src/codec/yaml/decode.ts';
import { testServer } from '../support/client.ts';
import {
  asKind,
  ask,
  cbor,
  fromProtobuf,
  itemsOfProtobuf,
  json,
  protobuf,
  read,
  schemaOf,
  toProtobuf,
  yaml,
} from '../support/media-types.ts';

const server = testServer({ featureGates: { CBORServingAndStorage: true } });
const plain = testServer();

const written = {
  metadata: { name: 'a', labels: { app: 'x' } },
  data: { k: 'é\n', empty: '' },
  binaryData: { b: 'AP8=' },
};
const plainly = (value: unknown) => JSON.parse(stringifyJson(value)) as JsonObject;

async function withObject(): Promise<string> {
  const path = await server.namespace();
  await server.post(path, written);
  return path;
}

for (const type of [yaml, protobuf, cbor]) {
  test(`an object read as ${type} equals the object in JSON`, async () => {
    const path = await withObject();
    const expected = (await server.get(`${path}/a`)).body;
    const answer = await ask(server, 'GET', `${path}/a`, { accept: type });
    assert.equal(answer.code, 200);
    assert.equal(answer.type, type);
    const { object } = schemaOf('ConfigMap').decode(read(answer));
    assert.deepEqual(plainly(JSON.parse(schemaOf('ConfigMap').write(object))), expected);
  });

  test(`an object sent as ${type} is created, updated and returned in the same media type`, async () => {
    const path = await server.namespace();
    const encode = (object: JsonObject) =>
      type === protobuf
        ? toProtobuf('ConfigMap', object)
        : type === cbor
          ? encodeCbor(object, schemaOf('ConfigMap'))
          : Buffer.from(JSON.stringify(object));
    const headers = { accept: type, 'content-type': type };
    const created = await ask(server, 'POST', path, headers, encode(written));
    assert.equal(created.code, 201);
    assert.deepEqual(plainly((read(created) as JsonObject).data), written.data);
    const replaced = await ask(server, 'PUT', `${path}/a`, headers, encode({ ...written, data: { k: 'w' } }));
    assert.equal(replaced.code, 200);
    const { data, binaryData } = (await server.get(`${path}/a`)).body;
    assert.deepEqual({ data, binaryData }, { data: { k: 'w' }, binaryData: { b: 'AP8=' } });
  });

  test(`an error is a Status in ${type} if Accept asks for it`, async () => {
    const path = await server.namespace();
    const answer = await ask(server, 'GET', `${path}/nope`, { accept: type });
    assert.equal(answer.code, 404);
    assert.equal(answer.type, type);
    const text = type === protobuf ? answer.bytes.toString() : stringifyJson(read(answer));
    assert.match(text, /configmaps \\?"nope\\?" not found/);
  });
}

test('DeleteOptions are read in every media type', async () => {
  const path = await withObject();
  const dryRun = { dryRun: ['All'] };
  for (const [type, body] of [
    [yaml, Buffer.from('dryRun: [All]\n')],
    [cbor, encodeCbor(dryRun)],
  ] as const) {
    const answer = await ask(server, 'DELETE', `${path}/a`, { 'content-type': type }, body);
    assert.equal(answer.code, 200, answer.bytes.toString());
  }
  assert.equal((await server.get(`${path}/a`)).code, 200);
});

test('a list is the same in every media type, also when it is too long to be buffered', async () => {
  const path = await server.namespace();
  const names = Array.from({ length: 190 }, (_, index) => `large-${String(index).padStart(3, '0')}`);
  const text = 'x'.repeat(100_000);
  for (const name of names) await server.post(path, { metadata: { name }, data: { text } });
  const namesIn = (items: JsonObject[]) => items.map((item) => (item.metadata as JsonObject).name);

  const inProtobuf = await ask(server, 'GET', path, { accept: protobuf });
  assert.equal(inProtobuf.type, protobuf);
  assert.ok(inProtobuf.bytes.length > 16 * 1024 * 1024);
  assert.deepEqual(namesIn(itemsOfProtobuf(inProtobuf.bytes, 'ConfigMap')), names);

  const inCbor = decodeCbor((await ask(server, 'GET', path, { accept: cbor })).bytes) as JsonObject;
  assert.deepEqual(namesIn(inCbor.items as JsonObject[]), names);

  const inYaml = decodeYaml((await ask(server, 'GET', path, { accept: yaml })).bytes).value as JsonObject;
  assert.equal(inYaml.kind, 'ConfigMapList');
  assert.deepEqual(namesIn(inYaml.items as JsonObject[]), names);

  const partial = await ask(server, 'GET', path, {
    accept: `${json};${asKind('PartialObjectMetadataList')}`,
  });
  const metadata = read(partial) as JsonObject;
  assert.deepEqual(namesIn(metadata.items as JsonObject[]), names);
  assert.ok(partial.bytes.length < 100_000);
});

test('pages of a list in Protobuf and Tables have the continue token', async () => {
  const path = await server.namespace();
  for (const name of ['a', 'b']) await server.post(path, { metadata: { name } });
  const table = read(
    await ask(server, 'GET', `${path}?limit=1`, { accept: `${json};${asKind('Table')}` }),
  ) as JsonObject;
  const { continue: token, remainingItemCount } = table.metadata as JsonObject;
  assert.equal(remainingItemCount, 1);
  const rest = await ask(server, 'GET', `${path}?limit=1&continue=${token}`, { accept: protobuf });
  const items = itemsOfProtobuf(rest.bytes, 'ConfigMap');
  assert.deepEqual(
    items.map(({ metadata }) => (metadata as JsonObject).name),
    ['b'],
  );
});

test('a Table has columns, a row for each object, and the object by includeObject', async () => {
  const path = await withObject();
  const tableOf = async (query: string, version = 'v1') =>
    read(await ask(server, 'GET', path + query, { accept: `${json};${asKind('Table', version)}` })) as {
      kind: string;
      apiVersion: string;
      columnDefinitions: { name: string }[];
      rows: { cells: unknown[]; object: { kind: string; data?: unknown } | null }[];
    };
  const table = await tableOf('');
  assert.equal(table.kind, 'Table');
  assert.equal(table.columnDefinitions[0]?.name, 'Name');
  assert.equal(table.rows.length, 1);
  assert.equal(table.rows[0]?.cells[0], 'a');
  assert.equal(table.rows[0]?.cells.length, table.columnDefinitions.length);
  assert.equal(table.rows[0]?.object?.kind, 'PartialObjectMetadata');
  assert.equal((await tableOf('?includeObject=None')).rows[0]?.object, null);
  assert.ok((await tableOf('?includeObject=Object')).rows[0]?.object?.data);
  assert.match((await tableOf('', 'v1beta1')).apiVersion, /\/v1beta1$/);
  const refused = await server.get(`${path}?includeObject=Nope`, { accept: `${json};${asKind('Table')}` });
  assert.equal(refused.code, 400);
});

test('a repeated Table has current ages and changes', async () => {
  const path = await server.namespace();
  for (const name of ['a', 'b', 'c']) await server.post(path, { metadata: { name } });
  const rowsOf = async (query = '') => {
    const answer = await ask(server, 'GET', path + query, { accept: `${json};${asKind('Table')}` });
    return (read(answer) as { rows: { cells: unknown[] }[] }).rows.map(({ cells }) => cells);
  };
  const ages = async (query = '') => (await rowsOf(query)).map(([name, , age]) => `${name} ${age}`);
  const day = 24 * 60 * 60 * 1000;
  server.server.clock.advance(9 * day);
  assert.deepEqual(await ages(), ['a 9d', 'b 9d', 'c 9d']);
  server.server.clock.advance(day);
  assert.deepEqual(await ages(), ['a 10d', 'b 10d', 'c 10d']);
  assert.deepEqual(await ages('?limit=2'), ['a 10d', 'b 10d']);
  assert.deepEqual(await ages('?fieldSelector=metadata.name%3Db'), ['b 10d']);
  assert.deepEqual(await ages('?fieldSelector=metadata.name%3Dnone'), []);
  await server.put(`${path}/b`, { metadata: { name: 'b' }, data: { one: '1', two: '2' } });
  await server.delete(`${path}/c`);
  assert.deepEqual(
    (await rowsOf()).map(([name, data, age]) => `${name} ${data} ${age}`),
    ['a 0 10d', 'b 2 10d'],
  );
});

test('a kind without Protobuf is encoded by the next media type in Accept, or is 406', async () => {
  const path = await withObject();
  const table = `${protobuf};${asKind('Table')}`;
  assert.equal((await ask(server, 'GET', path, { accept: table })).code, 406);
  const next = await ask(server, 'GET', path, { accept: `${table},${json};${asKind('Table')}` });
  assert.equal((read(next) as JsonObject).kind, 'Table');
  const metadata = await ask(server, 'GET', `${path}/a`, {
    accept: `${protobuf};${asKind('PartialObjectMetadata')}`,
  });
  assert.equal(metadata.type, protobuf);
  assert.match(metadata.bytes.toString(), /PartialObjectMetadata/);
});

test('PartialObjectMetadata is sent for one object, and is 406 for a list', async () => {
  const path = await withObject();
  const partial = { accept: `${json};${asKind('PartialObjectMetadata')}` };
  const { body } = await server.get(`${path}/a`, partial);
  assert.deepEqual(Object.keys(body), ['kind', 'apiVersion', 'metadata']);
  const refused = await server.get(path, partial);
  assert.equal(refused.code, 406);
  assert.match(
    refused.body.message,
    /^you requested PartialObjectMetadata, but the requested object is a list/,
  );
});

/** Reads a watch until this many events have arrived. */
async function watched(
  path: string,
  accept: string,
  enough: (bytes: Buffer) => boolean,
): Promise<[string, Buffer]> {
  const abort = new AbortController();
  const response = await fetch(server.url + path, { headers: { accept }, signal: abort.signal });
  assert.equal(response.status, 200);
  let bytes = Buffer.alloc(0);
  for await (const chunk of response.body!) {
    bytes = Buffer.concat([bytes, chunk]);
    if (enough(bytes)) break;
  }
  abort.abort();
  return [response.headers.get('content-type') ?? '', bytes];
}

test('a watch in Protobuf sends length-delimited frames', async () => {
  const path = await withObject();
  const [type, bytes] = await watched(`${path}?watch=true`, protobuf, (seen) => seen.length > 4);
  assert.equal(type, `${protobuf};stream=watch`);
  assert.equal(bytes.readUInt32BE(0), bytes.length - 4);
  const start = bytes.indexOf('k8s\0');
  assert.equal(bytes.toString('latin1', 4, 11), '\n\u0005ADDED');
  assert.equal((fromProtobuf(bytes.subarray(start)).metadata as JsonObject).name, 'a');
});

test('a watch in CBOR is a CBOR sequence of events', async () => {
  const path = await withObject();
  await server.post(path, { metadata: { name: 'b' } });
  const [type, bytes] = await watched(`${path}?watch=true`, cbor, (seen) => seen.includes('Ab'));
  assert.equal(type, 'application/cbor-seq');
  const end = endOfItem(bytes, 0);
  const events = [bytes.subarray(0, end), bytes.subarray(end)].map((part) => decodeCbor(part) as JsonObject);
  assert.deepEqual(
    events.map(({ type: what, object }) => [what, ((object as JsonObject).metadata as JsonObject).name]),
    [
      ['ADDED', 'a'],
      ['ADDED', 'b'],
    ],
  );
});

test('a watch as Table sends the columns once to every watcher', async () => {
  const path = await withObject();
  await server.post(path, { metadata: { name: 'b' } });
  const lines = (bytes: Buffer) => bytes.toString().split('\n').slice(0, -1);
  for (let watcher = 0; watcher < 2; watcher++) {
    const [, bytes] = await watched(
      `${path}?watch=true`,
      `${json};${asKind('Table')}`,
      (seen) => lines(seen).length === 2,
    );
    const columns = lines(bytes).map((line) => JSON.parse(line).object.columnDefinitions);
    assert.ok(columns[0].length > 0);
    assert.equal(columns[1], null);
  }
});

test('over a WebSocket every event is one message, binary unless it is JSON', async () => {
  const path = await withObject();
  await server.post(path, { metadata: { name: 'b' } });
  for (const [accept, start] of [
    [json, '{"type":"ADDED"'],
    [protobuf, '\n\u0005ADDED'],
    [cbor, '\u00d9\u00d9\u00f7\u00a2'],
  ] as const) {
    const { url } = server;
    const socket = new WebSocket(`${url.replace('http', 'ws')}${path}?watch=true`, {
      headers: { accept, origin: url },
    });
    const messages: [boolean, Buffer][] = [];
    await new Promise<void>((resolve, reject) => {
      socket.on('error', reject);
      socket.on('message', (data: Buffer, isBinary) => {
        if (messages.push([isBinary, data]) === 2) resolve();
      });
    });
    socket.terminate();
    for (const [isBinary, data] of messages) {
      assert.equal(isBinary, accept !== json);
      assert.ok(data.toString('latin1').startsWith(start), data.toString('latin1'));
    }
  }
});

test('there are no watches in YAML', async () => {
  const path = await server.namespace();
  const answer = await ask(server, 'GET', `${path}?watch=true`, { accept: yaml });
  assert.equal(answer.code, 406);
  assert.match(answer.bytes.toString(), /application\/cbor-seq/);
});

test('without the feature gate CBOR is neither read, written nor listed', async () => {
  const path = await plain.namespace();
  const read406 = await plain.get(path, { accept: cbor });
  assert.equal(read406.code, 406);
  assert.doesNotMatch(read406.body.message, /cbor/);
  const sent = await ask(plain, 'POST', path, { 'content-type': cbor }, encodeCbor(written));
  assert.equal(sent.code, 415);
  assert.match(
    sent.bytes.toString(),
    /application\/json, application\/yaml, application\/vnd\.orch\.protobuf"/,
  );
});

test('discovery is served in YAML and Protobuf too', async () => {
  const inYaml = read(await ask(server, 'GET', '/apis/apps', { accept: yaml })) as JsonObject;
  assert.equal(inYaml.kind, 'APIGroup');
  const inProtobuf = await ask(server, 'GET', '/api/v1', { accept: protobuf });
  assert.equal(inProtobuf.type, protobuf);
  assert.match(inProtobuf.bytes.toString('latin1'), /^k8s\0.*APIResourceList/s);
});

test('duplicate keys in YAML are reported with their lines: as warnings, or as an error', async () => {
  const path = await server.namespace();
  const body = 'metadata: {name: a}\ndata: {k: v, k: w}\nfoo: 1\n';
  const headers = { 'content-type': yaml };
  const strict = await ask(server, 'POST', `${path}?fieldValidation=Strict`, headers, body);
  assert.equal(strict.code, 400);
  assert.match(
    (read(strict) as JsonObject).message as string,
    /strict decoding error: yaml: unmarshal errors:\n {2}line 2: key "k" already set in map, unknown field "foo"$/,
  );
  const response = await fetch(server.url + path, { method: 'POST', headers, body });
  assert.equal(response.status, 201);
  assert.match(response.headers.get('warning') ?? '', /line 2: key .*, 299 - "unknown field/);
});
