import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseJson } from '../codec/json/parse.ts';
import { list, mapOf, rawExtension } from './collections.ts';
import { bool, bytes, double, int32, int64, named, openEnum, revision, string, time } from './scalars.ts';
import { field, type Infer, inline, optional, struct } from './struct.ts';

const Part = struct('test/v1.Part', {
  name: field(1, string, { required: true }),
  size: field(2, int32, { default: 7 }),
});
const Source = struct('test/v1.Source', { path: field(1, optional(string)), url: field(2, string) });
const Meta = struct('test/v1.Meta', {
  name: field(1, string),
  resourceVersion: field(2, revision),
  created: field(3, time),
  labels: field(4, mapOf(string)),
});
const Thing = struct('test/v1.Thing', {
  metadata: field(1, Meta),
  mode: field(2, named('test/v1.Mode', openEnum('On', 'Off')), { default: 'On' }),
  paused: field(3, optional(bool), { default: false }),
  count: field(4, optional(int64), { min: 0 }),
  ratio: field(5, double),
  parts: field(6, list(Part, { type: 'map', keys: ['name'] })),
  byName: field(7, mapOf(Part)),
  needed: field(8, list(string, { type: 'set' }), { required: true }),
  blob: field(9, bytes),
  extra: field(10, rawExtension),
  ...inline(11, Source),
});
type Thing = Infer<typeof Thing>;

function read(text: string) {
  const { value, duplicates } = parseJson(text);
  return Thing.decode(value, duplicates);
}
const rewritten = (text: string) => Thing.write(read(text).object);

test('the static type knows which fields are always there', () => {
  const thing: Thing = { metadata: { name: 'x' } };
  const part: Infer<typeof Part> = { name: 'a' };
  // @ts-expect-error: a required name cannot be left out
  const nameless: Infer<typeof Part> = { size: 1 };
  assert.ok(thing && part && nameless);
});

test('fields are written in the order of the schema, whatever order they came in', () => {
  assert.equal(
    rewritten('{"url":"u","ratio":1.5,"mode":"Off","metadata":{"labels":{"b":"2","a":"1"},"name":"n"}}'),
    '{"metadata":{"name":"n","created":null,"labels":{"a":"1","b":"2"}},"mode":"Off","ratio":1.5,"needed":null,"extra":null,"url":"u"}',
  );
});

test('zero values are omitted, unless the field is required or a pointer', () => {
  assert.equal(
    rewritten(
      '{"mode":"","paused":false,"count":0,"ratio":0,"parts":[],"byName":{},"blob":"","path":"","url":""}',
    ),
    '{"metadata":{"created":null},"paused":false,"count":0,"needed":null,"extra":null,"path":""}',
  );
});

test('null equals absent, and in lists and maps the zero value', () => {
  assert.equal(
    rewritten('{"metadata":null,"paused":null,"parts":[null],"byName":{"a":null},"needed":null}'),
    '{"metadata":{"created":null},"parts":[{"name":""}],"byName":{"a":{"name":""}},"needed":null,"extra":null}',
  );
});

test('unknown and duplicate fields are found with their paths, but not inside raw values or unknown fields', () => {
  const { findings } = read(
    '{"parts":[{"name":"a"},{"name":"b","name":"c","odd":1}],"byName":{"x":{"y":1},"x":{}},"metadata":{"labels":{"a.b":"1","a.b":"2"}},"extra":{"q":1,"q":2},"more":{"z":1,"z":2},"more":3,"Mode":"On"}',
  );
  assert.deepEqual(findings, [
    'duplicate field "parts[1].name"',
    'unknown field "parts[1].odd"',
    'unknown field "byName.x.y"',
    'duplicate field "byName.x"',
    'duplicate field "metadata.labels.a.b"',
    'unknown field "more"',
    'unknown field "Mode"',
  ]);
});

test('findings are bounded', () => {
  const text = JSON.stringify(Object.fromEntries(Array.from({ length: 500 }, (_, i) => [`odd${i}`, 1])));
  assert.equal(read(text).findings.length, 100);
});

const mismatches: Record<string, string> = {
  '[]': 'array into Go value of type v1.Thing',
  '{"metadata":[]}': 'array into Go struct field Thing.metadata of type v1.Meta',
  '{"metadata":{"name":1}}': 'number into Go struct field Meta.metadata.name of type string',
  '{"mode":true}': 'bool into Go struct field Thing.mode of type v1.Mode',
  '{"parts":{}}': 'object into Go struct field Thing.parts of type []v1.Part',
  '{"parts":[{"name":{}}]}': 'object into Go struct field Part.parts.name of type string',
  '{"byName":{"x":{"size":1.5}}}': 'number 1.5 into Go struct field Part.byName.size of type int32',
  '{"byName":{"x":1}}': 'number into Go struct field Thing.byName of type v1.Part',
  '{"parts":[{"size":2147483648}]}': 'number 2147483648 into Go struct field Part.parts.size of type int32',
  '{"count":9223372036854775808}':
    'number 9223372036854775808 into Go struct field Thing.count of type int64',
  '{"count":1.0}': 'number 1.0 into Go struct field Thing.count of type int64',
  '{"blob":1}': 'number into Go struct field Thing.blob of type []uint8',
  '{"path":1}': 'number into Go struct field Thing.path of type string',
};

for (const [text, message] of Object.entries(mismatches)) {
  test(`${text} is rejected with the struct, the path and the type`, () => {
    assert.throws(() => read(text), { message: `json: cannot unmarshal ${message}` });
  });
}

test('the first type error is reported, unless a string cannot be parsed', () => {
  assert.throws(() => read('{"mode":1,"paused":"x"}'), /Thing\.mode/);
  assert.throws(() => read('{"mode":1,"metadata":{"created":"x"}}'), /parsing time "x"/);
});

test('64-bit integers are exact', () => {
  assert.match(rewritten('{"count":9223372036854775807}'), /"count":9223372036854775807/);
  assert.match(rewritten('{"count":-9223372036854775808}'), /"count":-9223372036854775808/);
});

test('raw values keep the order and the numbers they came with', () => {
  assert.match(rewritten('{"extra":{"b":1.0,"a":[1e400,null]}}'), /"extra":\{"b":1\.0,"a":\[1e400,null\]\}/);
});

test('keys from clients cannot change a prototype', () => {
  const { object } = read('{"metadata":{"labels":{"__proto__":"x","constructor":"y"}}}');
  assert.deepEqual(Object.keys(object.metadata.labels!), ['__proto__', 'constructor']);
  assert.equal(Thing.write(object).includes('"labels":{"__proto__":"x","constructor":"y"}'), true);
});

test('base64 is normalized', () => {
  assert.match(rewritten('{"blob":"YWJj\\nZA=="}'), /"blob":"YWJjZA=="/);
  assert.match(rewritten('{"blob":"YX=="}'), /"blob":"YQ=="/);
  assert.match(rewritten('{"blob":[97,98]}'), /"blob":"YWI="/);
  assert.throws(() => read('{"blob":"YQ"}'), { message: 'illegal base64 data at input byte 0' });
});

test('defaults apply to absent fields, and to zero values of fields that are not pointers', () => {
  const { object } = read('{"mode":"","parts":[{"name":"a","size":0},{"name":"b","size":3}]}');
  Thing.applyDefaults!(object);
  assert.equal(object.mode, 'On');
  assert.equal(object.paused, false);
  assert.deepEqual(
    object.parts!.map(({ size }) => size),
    [7, 3],
  );
});

test('declared bounds are checked', () => {
  const errors: Parameters<NonNullable<typeof Thing.validate>>[2] = [];
  Thing.validate!(read('{"count":-1}').object, '', errors);
  assert.deepEqual(errors, [
    { type: 'FieldValueInvalid', field: 'count', value: -1, detail: 'must be greater than or equal to 0' },
  ]);
});

test('encode leaves a hole for the revision, also behind names beyond ASCII, and the object as it was', () => {
  const { object } = read('{"metadata":{"name":"é\\"resourceVersion\\":\\"\\"","resourceVersion":"5"}}');
  const { json, revisionOffset } = Thing.encode(object);
  const filled = Buffer.concat([
    json.subarray(0, revisionOffset),
    Buffer.from('42'),
    json.subarray(revisionOffset),
  ]);
  assert.equal(JSON.parse(filled.toString()).metadata.resourceVersion, '42');
  assert.equal(object.metadata.resourceVersion, '5');
});

test('the fingerprint changes with the schema and with nothing else', () => {
  const fields = { a: field(1, string), b: field(2, list(Part)) };
  const same = struct('test/v1.M', fields);
  assert.equal(struct('test/v1.M', { ...fields }).fingerprint, same.fingerprint);
  assert.notEqual(struct('test/v1.M', { ...fields, c: field(3, string) }).fingerprint, same.fingerprint);
  assert.notEqual(
    struct('test/v1.M', { ...fields, a: field(1, string, { default: 'x' }) }).fingerprint,
    same.fingerprint,
  );
  assert.notEqual(
    struct('test/v1.M', { ...fields, a: field(1, optional(string)) }).fingerprint,
    same.fingerprint,
  );
});

test('inlined fields remember the message they have in Protobuf', () => {
  assert.equal(Thing.fields.path.inlined?.number, 11);
  assert.equal(Thing.fields.path.number, 1);
});
