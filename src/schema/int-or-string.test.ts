import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RawNumber } from '../codec/json/json-value.ts';
import { intOrString } from './int-or-string.ts';
import { field, struct } from './struct.ts';

const Port = struct('core/v1.ServicePort', { targetPort: field(4, intOrString) });

test('IntOrString keeps a number or a string', () => {
  assert.equal(Port.write(Port.decode({ targetPort: 80 }).object), '{"targetPort":80}');
  assert.equal(Port.write(Port.decode({ targetPort: 'http' }).object), '{"targetPort":"http"}');
  assert.equal(Port.write(Port.decode({}).object), '{"targetPort":0}');
});

test('other types, and numbers beyond 32 bits, are rejected', () => {
  const where = 'into Go struct field ServicePort.targetPort of type int32';
  assert.throws(() => Port.decode({ targetPort: true }), { message: `json: cannot unmarshal bool ${where}` });
  assert.throws(() => Port.decode({ targetPort: 3e9 }), {
    message: `json: cannot unmarshal number 3000000000 ${where}`,
  });
  assert.throws(() => Port.decode({ targetPort: new RawNumber('1.0') }), {
    message: `json: cannot unmarshal number 1.0 ${where}`,
  });
});
