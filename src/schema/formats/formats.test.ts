import assert from 'node:assert/strict';
import { test } from 'node:test';
import { accepted, texts } from './formats.fixture.ts';
import { checkedFormats, hasFormat } from './formats.ts';

const examples: Record<string, { good: string[]; bad: string[] }> = {
  bsonobjectid: { good: ['507f1f77bcf86cd799439011'], bad: ['507f1f77bcf86cd79943901', 'x'] },
  uri: { good: ['https://a/b?c#d', '/path', 'urn:a'], bad: ['x', 'a b', 'https://a/%zz'] },
  email: { good: ['a@b.example'], bad: ['a', 'a@', '@b', 'a b@c'] },
  hostname: { good: ['a.example.com', 'a'], bad: ['-', '-a', 'a..b', 'a_b', 'a.b'] },
  ipv4: { good: ['1.2.3.4'], bad: ['1.2.3', '256.1.1.1', '::1'] },
  ipv6: { good: ['::1', '2001:db8::1'], bad: ['1.2.3.4', ':::'] },
  cidr: { good: ['10.0.0.0/8', '2001:db8::/32'], bad: ['10.0.0.0', '10.0.0.0/33', '10.0.0.0/8/8'] },
  mac: {
    good: ['01:23:45:67:89:ab', '01-23-45-67-89-ab', '0123.4567.89ab'],
    bad: ['01:23', '01:23-45:67:89:ab'],
  },
  uuid: {
    good: ['a8098c1a-f86e-11da-bd1a-00112444be1e'],
    bad: ['a8098c1a', 'g8098c1a-f86e-11da-bd1a-00112444be1e'],
  },
  uuid3: { good: ['bcd02e22-68f0-3046-a512-327cca9def8f'], bad: ['bcd02e22-68f0-4046-a512-327cca9def8f'] },
  uuid4: { good: ['025b0d74-00a2-4048-bf57-227c5111bb34'], bad: ['025b0d74-00a2-3048-bf57-227c5111bb34'] },
  uuid5: { good: ['886313e1-3b8a-5372-9b90-0c9aee199e5d'], bad: ['886313e1-3b8a-4372-9b90-0c9aee199e5d'] },
  isbn: { good: ['0-306-40615-2', '978-0-306-40615-7'], bad: ['0-306-40615-3'] },
  isbn10: { good: ['0306406152', '080442957X'], bad: ['978-0-306-40615-7'] },
  isbn13: { good: ['9780306406157'], bad: ['9780306406158'] },
  creditcard: { good: ['4111 1111 1111 1111'], bad: ['4111 1111 1111 1112', 'x'] },
  ssn: { good: ['123-45-6789'], bad: ['123-45-678'] },
  hexcolor: { good: ['#fff', 'A0B1C2'], bad: ['#ffff', 'x'] },
  rgbcolor: { good: ['rgb(1,2,3)', 'rgb( 255 , 0, 0 )'], bad: ['rgb(256,0,0)', 'rgb(1,2)'] },
  byte: { good: ['YQ=='], bad: ['***', 'YQ', ''] },
  password: { good: ['anything at all'], bad: [] },
  date: { good: ['2024-02-29'], bad: ['2023-02-29', '24-1-1'] },
  duration: { good: ['1h30m', '-1.5s', '3 days', '0'], bad: ['x', '1', '1 fortnight'] },
  datetime: { good: ['2024-01-02T03:04:05Z', '2024-01-02T03:04:05.678+01:00'], bad: ['2024-01-02', 'x'] },
};

test('every format of the specification is checked', () => {
  assert.deepEqual(Object.keys(examples).sort(), [...checkedFormats].sort());
});

for (const [format, { good, bad }] of Object.entries(examples)) {
  test(`format ${format}`, () => {
    for (const text of good) assert.ok(hasFormat(text, format), text);
    for (const text of bad) assert.ok(!hasFormat(text, format), text);
  });
}

test('formats accept the texts that the release accepts, and no others', () => {
  for (const format of checkedFormats) {
    const found = [...new Set(texts)].filter((text) => hasFormat(text, format));
    assert.deepEqual(found, format === 'password' ? [...new Set(texts)] : accepted[format], format);
  }
});

test('dashes in the name of a format are ignored', () => {
  for (const format of ['date-time', 'u-u-i-d', 'credit-card']) assert.ok(!hasFormat('x', format), format);
});

test('unknown formats are ignored', () => {
  assert.ok(hasFormat('anything', 'nobody-knows'));
  assert.ok(hasFormat('anything', '__proto__'));
});
