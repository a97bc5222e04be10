import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ApiError } from '../errors/status.ts';
import { matchesLabels, parseLabelSelector } from './label-selector.ts';

const labels = new Map([
  ['app', 'web'],
  ['tier', 'front'],
  ['size', '7'],
  ['in', 'in'],
]);

for (const [selector, expected] of [
  ['', true],
  ['app=web', true],
  ['app==web,tier=front', true],
  ['app=db', false],
  ['app!=db', true],
  ['none!=x', true],
  ['app in (db, web)', true],
  ['app notin (db,web)', false],
  ['none notin (a)', true],
  ['app', true],
  ['!app', false],
  ['!none', true],
  ['size>6', true],
  ['size<7', false],
  ['app>1', false],
  ['in in (in)', true],
  ['none=', false],
  ['app in (,web)', true],
] as const) {
  test(`label selector ${JSON.stringify(selector)} ${expected ? 'matches' : 'does not match'}`, () => {
    assert.equal(matchesLabels(parseLabelSelector(selector), labels), expected);
  });
}

for (const [selector, message] of [
  ['a=b,', "found '', expected: identifier after ','"],
  ['a in (b', "unable to parse requirement: found '', expected: ',' or ')'"],
  ['a in b', "unable to parse requirement: found 'b' expected: '('"],
  ['a in (', "unable to parse requirement: found '', expected: ',', ')' or identifier"],
  ['a in (b,', "unable to parse requirement: found '', expected: ',', or identifier"],
  ['a in (b c)', "unable to parse requirement: found 'c', expected: ',' or ')'"],
  ['a=b=c', "found '=', expected: ',' or 'end of string'"],
  ['=x', "found '=', expected: !, identifier, or 'end of string'"],
  ['A B', "unable to parse requirement: found 'B', expected: in, notin, =, ==, !=, gt, lt"],
  ['!', "unable to parse requirement: found '', expected: identifier"],
  ['a=(', "unable to parse requirement: found '(', expected: identifier"],
  [
    'a>x',
    "unable to parse requirement: values[0]: Invalid value: \"x\": for 'Gt', 'Lt' operators, the value must be an integer",
  ],
] as const) {
  test(`label selector ${JSON.stringify(selector)} is rejected with the reason`, () => {
    assert.throws(
      () => parseLabelSelector(selector),
      (error: unknown) => error instanceof ApiError && error.code === 400 && error.message === message,
    );
  });
}
