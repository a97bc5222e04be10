import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { layouts, parseTime } from './time-text.ts';

const seconds = (text: string) => parseTime(text, layouts.seconds);
const micro = (text: string) => parseTime(text, layouts.microseconds);

test('times are formatted in UTC and truncated to the precision', () => {
  assert.deepEqual(seconds('2020-01-01T00:00:00+01:00'), { text: '2019-12-31T23:00:00Z' });
  assert.deepEqual(seconds('2020-02-29T12:00:00.987654321Z'), { text: '2020-02-29T12:00:00Z' });
  assert.deepEqual(micro('2020-01-01T00:00:00.123456-05:30'), { text: '2020-01-01T05:30:00.123456Z' });
});

test('the zero time is decoded as no time', () => {
  assert.deepEqual(seconds('0001-01-01T00:00:00Z'), { text: '' });
  assert.deepEqual(micro('0001-01-01T00:00:00.000000Z'), { text: '' });
});

test('every second that JavaScript formats is parsed back', () => {
  fc.assert(
    fc.property(
      fc.date({ min: new Date('0002-01-01'), max: new Date('9999-12-31'), noInvalidDate: true }),
      (date) => {
        const text = `${date.toISOString().slice(0, 19)}Z`;
        assert.deepEqual(seconds(text), { text });
      },
    ),
  );
});

const problems: Record<string, string> = {
  x: 'parsing time "x" as "2006-01-02T15:04:05Z07:00": cannot parse "x" as "2006"',
  '2020': 'parsing time "2020" as "2006-01-02T15:04:05Z07:00": cannot parse "" as "-"',
  '2020-13-01T00:00:00Z': 'parsing time "2020-13-01T00:00:00Z": month out of range',
  '2021-02-29T00:00:00Z': 'parsing time "2021-02-29T00:00:00Z": day out of range',
  '2020-01-01T24:00:00Z': 'parsing time "2020-01-01T24:00:00Z": hour out of range',
  '2020-01-01T00:00:00Zx': 'parsing time "2020-01-01T00:00:00Zx": extra text: "x"',
  '2020-01-01T00:00:00é':
    'parsing time "2020-01-01T00:00:00\\xc3\\xa9" as "2006-01-02T15:04:05Z07:00": cannot parse "\\xc3\\xa9" as "Z07:00"',
};

for (const [text, problem] of Object.entries(problems)) {
  test(`${JSON.stringify(text)} is rejected with the reference's message`, () => {
    assert.deepEqual(seconds(text), { problem });
  });
}

test('MicroTime requires six decimals', () => {
  assert.deepEqual(micro('2020-01-01T00:00:00Z'), {
    problem:
      'parsing time "2020-01-01T00:00:00Z" as "2006-01-02T15:04:05.000000Z07:00": cannot parse "Z" as ".000000"',
  });
});
