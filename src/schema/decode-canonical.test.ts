import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseJson } from '../codec/json/parse.ts';
import { fieldsV1, list, mapOf, rawExtension } from './collections.ts';
import { decodeCanonical } from './decode-canonical.ts';
import { int64, string, time } from './scalars.ts';
import { field, optional, struct } from './struct.ts';

const Entry = struct('test/v1.Entry', { manager: field(1, string), fieldsV1: field(2, optional(fieldsV1)) });
const Meta = struct('test/v1.Meta', {
  created: field(1, time),
  labels: field(2, mapOf(string)),
  managedFields: field(3, list(Entry)),
});
const Template = struct('test/v1.Template', { metadata: field(1, Meta) });
const Thing = struct('test/v1.Thing', {
  metadata: field(1, Meta),
  count: field(2, optional(int64)),
  moments: field(3, list(time)),
  template: field(4, optional(Template)),
  parts: field(5, mapOf(Template)),
});

const read = (text: string) => Thing.decode(parseJson(text, { unparsedKey: 'fieldsV1' }).value).object;

test('decodeCanonical returns the same value as decoding', () => {
  for (const text of [
    '{"metadata":{"created":null}}',
    '{"metadata":{"created":"2026-01-31T12:00:00Z","labels":{"constructor":"a","1":"b"}},"count":7}',
    '{"metadata":{"created":null,"managedFields":[{"manager":"a","fieldsV1":{"f:a\\"}":{}}},{"manager":"b"}]}}',
    '{"metadata":{"created":null},"moments":[null,"2026-01-31T12:00:00Z"],"template":{"metadata":{"created":null}}}',
  ]) {
    assert.deepEqual(decodeCanonical(Thing, text), read(text), text);
  }
});

test('decodeCanonical returns undefined for values that only decoding reads exactly', () => {
  assert.equal(decodeCanonical(Thing, '{"metadata":{"created":null},"count":9007199254740993}'), undefined);
  assert.equal(decodeCanonical(Thing, '{"metadata":{"created":null,"labels":{"__proto__":"a"}}}'), undefined);
  const inTemplate = '{"metadata":{"created":null,"managedFields":[{"manager":"a","fieldsV1":{}}]}}';
  assert.equal(decodeCanonical(Thing, `{"metadata":{"created":null},"template":${inTemplate}}`), undefined);
  const asKey = '"parts":{"fieldsV1":{"metadata":{"created":null}}}';
  assert.equal(decodeCanonical(Thing, `{"metadata":{"created":null},${asKey}}`), undefined);
  const owned = '"managedFields":[{"manager":"a","fieldsV1":{}}]';
  assert.equal(decodeCanonical(Thing, `{"metadata":{"created":null,${owned}},${asKey}}`), undefined);
  assert.equal(decodeCanonical(Thing, '{"metadata":{'), undefined);
  const Free = struct('test/v1.Free', { any: field(1, rawExtension) });
  assert.equal(decodeCanonical(Free, '{"any":{"a":1.0}}'), undefined);
});
