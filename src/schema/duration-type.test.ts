// Tests of the schema type metav1.Duration.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decodeMessage } from '../codec/protobuf/decode.ts';
import { encodeMessage } from '../codec/protobuf/encode.ts';
import { duration } from './duration-type.ts';
import { field, struct } from './struct.ts';

const Sample = struct('test/v1.Sample', { window: field(3, duration, { required: true }) });

test('a duration is Go text in JSON, in canonical form', () => {
  const decode = (window: string) => Sample.decode({ window }).object.window;
  assert.equal(decode('90s'), '1m30s');
  assert.equal(decode('1.5s'), '1.5s');
  assert.equal(Sample.write({ window: '10s' }), '{"window":"10s"}');
  assert.throws(() => decode('soon'), /is not a duration/);
});

test('a duration is a message with nanoseconds in Protobuf', () => {
  const bytes = encodeMessage(Sample, { window: '1m30s' });
  // Field 3 is a message whose field 1 is 90,000,000,000.
  assert.equal(bytes.toString('hex'), '1a07088088aca3cf02');
  assert.deepEqual(decodeMessage(Sample, bytes), { window: '1m30s' });
});
