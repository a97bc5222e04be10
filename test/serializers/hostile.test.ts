import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { encodeCbor } from '../../src/codec/cbor/encode.ts';
import type { JsonObject } from '../../src/codec/json/json-value.ts';
import { testServer } from '../support/client.ts';
import { ask, cbor, json, protobuf, toProtobuf, yaml } from '../support/media-types.ts';

const server = testServer({ featureGates: { CBORServingAndStorage: true } });
const configmaps = '/api/v1/namespaces/default/configmaps?fieldValidation=Strict';
const revisions = '/apis/apps/v1/namespaces/default/controllerrevisions?dryRun=All';

afterEach(async () => {
  const { code } = await server.get('/readyz');
  assert.equal(code, 200, 'the server lives on');
  assert.equal(({} as Record<string, unknown>).polluted, undefined);
});

/** Sends a body that must be rejected with a Status that has the reason. */
async function refused(type: string, body: string | Buffer, why: RegExp, code = 400, path = configmaps) {
  const answer = await ask(server, 'POST', path, { 'content-type': type }, body);
  const status = JSON.parse(answer.bytes.toString()) as JsonObject;
  assert.equal(answer.code, code, answer.bytes.toString().slice(0, 300));
  assert.equal(status.kind, 'Status');
  assert.match(status.message as string, why);
}

test('a YAML alias bomb is rejected before it is expanded', async () => {
  const levels = Array.from({ length: 12 }, (_, level) =>
    level === 0
      ? 'a0: &a0 [x,x,x,x,x,x,x,x,x]'
      : `a${level}: &a${level} [${Array(9)
          .fill(`*a${level - 1}`)
          .join(',')}]`,
  );
  await refused(yaml, levels.join('\n'), /document contains excessive aliasing/);
});

test('a YAML anchor that contains itself is rejected', async () => {
  await refused(yaml, 'a: &x [*x]', /anchor 'x' value contains itself/);
});

test('deep nesting is rejected in YAML, in every style', async () => {
  for (const body of [
    '['.repeat(1_000_000),
    '{a: '.repeat(500_000),
    '- '.repeat(500_000),
    '? '.repeat(500_000),
  ]) {
    await refused(yaml, body, /exceeded max depth of 10000/);
  }
});

test('YAML at the nesting limit is parsed, and rejected by the schema', async () => {
  await refused(yaml, '['.repeat(9_999) + ']'.repeat(9_999), /cannot unmarshal array/);
});

test('deep nesting is rejected in JSON', async () => {
  await refused(json, '['.repeat(1_000_000), /exceeded max depth/);
  await refused(json, '{"a":'.repeat(500_000), /exceeded max depth/);
});

test('deep nesting is rejected in CBOR', async () => {
  await refused(cbor, Buffer.alloc(1_000_000, 0x81), /exceeded max nested level 64/);
  await refused(cbor, Buffer.alloc(1_000_000, 0xc6), /exceeded max nested level 64/);
  await refused(cbor, Buffer.alloc(1_000_000, 0x9f), /exceeded max nested level 64/);
});

test('deep nesting is rejected in Protobuf', async () => {
  const within = (key: number[], content: Buffer) =>
    Buffer.concat([Buffer.from(key), varint(content.length), content]);
  // A schema is nested in another as its `not`.
  let schema = Buffer.alloc(0);
  for (let depth = 0; depth < 2_000; depth++) schema = within([0xe2, 0x1], schema);
  const version = within([0x22], within([0xa], schema));
  const spec = within([0x12], within([0x3a], version));
  const body = Buffer.concat([Buffer.from('k8s\0'), within([0x12], spec)]);
  const path = '/apis/apiextensions.orch.io/v1/customresourcedefinitions';
  await refused(protobuf, body, /nested too deeply/, 400, path);
});

function varint(value: number): Buffer {
  const bytes: number[] = [];
  for (let rest = value; ; rest = Math.floor(rest / 128)) {
    if (rest < 128) return Buffer.from([...bytes, rest]);
    bytes.push((rest % 128) | 128);
  }
}

test('deeply nested stored data can be read in every media type, or is an error', async () => {
  const deep = `{"a":${'['.repeat(3_000)}${']'.repeat(3_000)}}`;
  const path = '/apis/apps/v1/namespaces/default/controllerrevisions';
  const body = `{"metadata":{"name":"deep"},"revision":1,"data":${deep}}`;
  assert.equal((await ask(server, 'POST', path, { 'content-type': json }, body)).code, 201);
  for (const type of [json, yaml, protobuf, cbor]) {
    const answer = await ask(server, 'GET', `${path}/deep`, { accept: type });
    assert.ok(answer.code === 200 || answer.code === 500, `${type}: ${answer.code}`);
  }
});

test('duplicate keys are rejected in every format that can have them', async () => {
  await refused(yaml, 'metadata: {name: a, name: b}\n', /line 1: key "name" already set in map/);
  await refused(json, '{"metadata":{"name":"a","name":"b"}}', /duplicate field "metadata.name"/);
  const twice = Buffer.concat([
    Buffer.from([0xa2]),
    ...Array(2)
      .fill([encodeCbor('kind'), encodeCbor('ConfigMap')])
      .flat(),
  ]);
  await refused(cbor, twice, /found duplicate map key "kind"/);
});

test('__proto__ and constructor are ordinary keys', async () => {
  for (const [type, body] of [
    [json, '{"metadata":{"name":"p1"},"data":{"__proto__":"x","constructor":"z"},"binaryData":null}'],
    [yaml, 'metadata: {name: p2}\ndata: {__proto__: x, constructor: z}\n'],
    [cbor, encodeCbor(JSON.parse('{"metadata":{"name":"p3"},"data":{"__proto__":"x","constructor":"z"}}'))],
    [
      protobuf,
      toProtobuf(
        'ConfigMap',
        JSON.parse('{"metadata":{"name":"p4"},"data":{"__proto__":"x","constructor":"z"}}'),
      ),
    ],
  ] as const) {
    const answer = await ask(server, 'POST', configmaps, { 'content-type': type }, body);
    assert.equal(answer.code, 201, answer.bytes.toString());
    const answered = JSON.parse(answer.bytes.toString()) as JsonObject;
    assert.deepEqual(Object.entries(answered.data as JsonObject).sort(), [
      ['__proto__', 'x'],
      ['constructor', 'z'],
    ]);
  }
  await refused(yaml, 'metadata: {name: q}\n__proto__: {polluted: 1}\n', /unknown field "__proto__"/);
  await refused(
    cbor,
    encodeCbor(JSON.parse('{"metadata":{"name":"q"},"__proto__":{"polluted":1}}')),
    /unknown field/,
  );
});

test('invalid UTF-8 is rejected or replaced', async () => {
  const broken = (start: string, end: string) =>
    Buffer.concat([Buffer.from(start), Buffer.from([0xff]), Buffer.from(end)]);
  await refused(yaml, broken('metadata: {name: u}\ndata: {k: "', '"}'), /invalid leading UTF-8 octet/);
  await refused(protobuf, Buffer.from('6b387300120a12080a016b120361ff62', 'hex'), /./);
  const message = Buffer.from([0xa1, 0x64, ...Buffer.from('data'), 0xa1, 0x61, 0x6b, 0x61, 0xff]);
  await refused(cbor, message, /invalid UTF-8 string/);
});

test('numbers beyond int64 are rejected in numeric fields', async () => {
  const large = '9223372036854775808';
  const why = /cannot unmarshal number 9223372036854775808|overflows Go's int64/;
  await refused(json, `{"metadata":{"name":"n"},"revision":${large}}`, why, 400, revisions);
  await refused(yaml, `metadata: {name: large}\nrevision: ${large}\n`, why, 400, revisions);
  const body = Buffer.concat([
    Buffer.from([0xa1]),
    encodeCbor('revision'),
    Buffer.from('1b8000000000000000', 'hex'),
  ]);
  await refused(cbor, body, why, 400, revisions);
});

test('Protobuf with wrong lengths is rejected', async () => {
  for (const hex of ['6b38730012ff01', '6b387300120a0aff7f', '6b38730012040a020a7f', '6b3873000a7f']) {
    await refused(protobuf, Buffer.from(hex, 'hex'), /unexpected EOF/);
  }
  await refused(protobuf, Buffer.from('6b38730012ffffffffffffffffff01', 'hex'), /negative length/);
});

test('CBOR with wrong lengths is rejected before memory is allocated', async () => {
  await refused(cbor, Buffer.from('7b00000000ffffffff61', 'hex'), /unexpected EOF/);
  await refused(cbor, Buffer.from('9b0000000000ffffff', 'hex'), /exceeded max number of elements/);
  await refused(cbor, Buffer.from('bb00000000ffffffff', 'hex'), /exceeded max number of key-value pairs/);
  await refused(cbor, Buffer.from('5bffffffffffffffff', 'hex'), /too large/);
});

test('a body beyond the limit is 413 in every media type', async () => {
  for (const type of [json, yaml, protobuf, cbor]) {
    await refused(type, Buffer.alloc(3 * 1024 * 1024 + 1, 0x20), /limit is 3145728/, 413);
  }
});

test('large adversarial YAML is parsed or rejected in time', async () => {
  for (const body of [
    `{${'a: 1,'.repeat(500_000)}}`,
    '['.repeat(9_990) + 'a,'.repeat(1_000_000),
    `a: &a x\nb: [${'*a,'.repeat(700_000)}]`,
    ':'.repeat(3_000_000),
    `"${' '.repeat(3_000_000)}`,
    `- 0x${'f'.repeat(2_900_000)}`,
  ]) {
    const answer = await ask(server, 'POST', configmaps, { 'content-type': yaml }, body);
    assert.equal(answer.code, 400);
  }
});

test('an Accept header of any length and syntax gets a response', async () => {
  for (const accept of [
    'a/b,'.repeat(5_000),
    ';'.repeat(10_000),
    `${json};q=${'9'.repeat(5_000)}`,
    ',,,;;;===',
  ]) {
    const { code } = await server.get('/api/v1/namespaces/default/configmaps', { accept });
    assert.ok(code === 200 || code === 406, String(code));
  }
});
