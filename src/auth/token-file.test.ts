import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TokenFile } from './token-file.ts';

const warnings: string[] = [];
const ask = (file: TokenFile, authorization: string | undefined) =>
  file.authenticate({ authorization, token: undefined, connection: undefined }, (text) =>
    warnings.push(text),
  );

const file = new TokenFile('t0ken,bob,u1,"crew, officers"\n\nother , "ann ""a""" ,u2\r\n', 'f.csv');

test('TokenFile knows who a token belongs to', () => {
  assert.deepEqual(ask(file, 'Bearer t0ken'), {
    name: 'bob',
    uid: 'u1',
    groups: ['crew', 'officers', 'system:authenticated'],
    extra: {},
  });
  assert.deepEqual(ask(file, 'bearer other more'), {
    name: 'ann "a"',
    uid: 'u2',
    groups: ['system:authenticated'],
    extra: {},
  });
});

test('TokenFile refuses a token that is not its own, and leaves other credentials to others', () => {
  assert.equal(ask(file, 'Bearer nope'), 'refused');
  for (const header of [undefined, '', 'Bearer', 'Bearer ', 'Basic dDBrZW4=', 'Token t0ken']) {
    assert.equal(ask(file, header), undefined);
  }
});

test('TokenFile ignores a token behind extra space and says so', () => {
  warnings.length = 0;
  assert.equal(ask(file, 'Bearer  t0ken'), undefined);
  assert.equal(warnings.length, 1);
});

test('TokenFile takes a token that came as a subprotocol', () => {
  const verdict = file.authenticate(
    { authorization: undefined, token: 't0ken', connection: undefined },
    () => {},
  );
  assert.equal(typeof verdict === 'object' && verdict.name, 'bob');
});

test('TokenFile says what is wrong with its file, by line and without the token', () => {
  assert.throws(() => new TokenFile('a,b,c\nsecret,b', 'f.csv'), {
    message: 'f.csv, line 2: token, user name and uid are needed, found 2 columns',
  });
  assert.throws(() => new TokenFile(',b,c', 'f.csv'), { message: 'f.csv, line 1: the token is empty' });
  assert.throws(() => new TokenFile('s,b,c\ns,d,e', 'f.csv'), {
    message: 'f.csv, line 2: this token is given twice',
  });
  assert.throws(() => new TokenFile('s,"b,c', 'f.csv'), {
    message: 'f.csv, line 1: a quote is out of place',
  });
});
