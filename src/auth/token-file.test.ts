import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type AuthenticationResult, type Identity, InvalidCredentials } from '../request/authenticator.ts';
import { BearerTokenAuthenticator } from './bearer-token-authenticator.ts';
import { TokenFileAuthenticator } from './token-file.ts';

const warnings: string[] = [];
const show = (authorization: string | undefined, token?: string) => ({
  authorization,
  token,
  connection: undefined,
  rawHeaders: [],
});
const ask = (file: TokenFileAuthenticator, authorization: string | undefined) =>
  new BearerTokenAuthenticator(['here'], [file]).authenticate(show(authorization), (text) =>
    warnings.push(text),
  );
const userOf = (verdict: AuthenticationResult | Promise<AuthenticationResult>) => (verdict as Identity).user;

const file = new TokenFileAuthenticator(
  't0ken,bob,u1,"crew, officers"\n\nother , "ann ""a""" ,u2\r\n',
  'f.csv',
);

test('TokenFile knows who a token belongs to', () => {
  assert.deepEqual(userOf(ask(file, 'Bearer t0ken')), {
    name: 'bob',
    uid: 'u1',
    groups: ['crew', 'officers', 'system:authenticated'],
    extra: {},
  });
  assert.deepEqual(userOf(ask(file, 'bearer other more')), {
    name: 'ann "a"',
    uid: 'u2',
    groups: ['system:authenticated'],
    extra: {},
  });
});

test('a token that nobody knows is refused, and other credentials are left to others', () => {
  assert.deepEqual(ask(file, 'Bearer nope'), new InvalidCredentials('invalid bearer token'));
  for (const header of [undefined, '', 'Bearer', 'Bearer ', 'Basic dDBrZW4=', 'Token t0ken']) {
    assert.equal(ask(file, header), undefined);
  }
});

test('a token is ignored behind extra space, and that is said', () => {
  warnings.length = 0;
  assert.equal(ask(file, 'Bearer  t0ken'), undefined);
  assert.equal(warnings.length, 1);
});

test('a token may come as a subprotocol', () => {
  const tokens = new BearerTokenAuthenticator([], [file]);
  assert.equal(userOf(tokens.authenticate(show(undefined, 't0ken'), () => {})).name, 'bob');
});

test('a token that says nothing of it is meant for this server', () => {
  const tokens = new BearerTokenAuthenticator(['here', 'there'], [file]);
  const askFor = (audiences: string[]) =>
    tokens.authenticate({ ...show('Bearer t0ken'), audiences }, () => {}) as Identity;
  assert.deepEqual(askFor(['elsewhere', 'there']).audiences, ['there']);
  assert.deepEqual(askFor(['elsewhere']), new InvalidCredentials('invalid bearer token'));
});

test('TokenFile says what is wrong with its file, by line and without the token', () => {
  assert.throws(() => new TokenFileAuthenticator('a,b,c\nsecret,b', 'f.csv'), {
    message: 'f.csv, line 2: token, user name and uid are required, found 2 columns',
  });
  assert.throws(() => new TokenFileAuthenticator(',b,c', 'f.csv'), {
    message: 'f.csv, line 1: the token is empty',
  });
  assert.throws(() => new TokenFileAuthenticator('s,b,c\ns,d,e', 'f.csv'), {
    message: 'f.csv, line 2: duplicate token',
  });
  assert.throws(() => new TokenFileAuthenticator('s,"b,c', 'f.csv'), {
    message: 'f.csv, line 1: unexpected quote',
  });
});
