import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RawNumber } from '../codec/json/json-value.ts';
import { intOrString } from './int-or-string.ts';
import { field, struct } from './struct.ts';

const Port = struct('core/v1.ServicePort', { targetPort: field(4, intOrString) });

test('a number or a text is taken, and written back as such', () => {
  assert.equal(Port.write(Port.decode({ targetPort: 80 }).object), '{"targetPort":80}');
  assert.equal(Port.write(Port.decode({ targetPort: 'http' }).object), '{"targetPort":"http"}');
  assert.equal(Port.write(Port.decode({}).object), '{"targetPort":0}');
});

test('anything else, and numbers beyond 32 bits, are refused', () => {
  const where = 'into Go struct field ServicePort.targetPort of type int32';
  assert.throws(() => Port.decode({ targetPort: true }), { message: `json: cannot unmarshal bool ${where}` });
  assert.throws(() => Port.decode({ targetPort: 3e9 }), {
    message: `json: cannot unmarshal number 3000000000 ${where}`,
  });
  assert.throws(() => Port.decode({ targetPort: new RawNumber('1.0') }), {
    message: `json: cannot unmarshal number 1.0 ${where}`,
  });
});
