// Tests of the static token file.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type AuthenticationResult, type Identity, InvalidCredentials } from '../request/authenticator.ts';
import { BearerTokenAuthenticator } from './bearer-token-authenticator.ts';
import { TokenFileAuthenticator } from './token-file.ts';

const warnings: string[] = [];
const credentials = (authorization: string | undefined, token?: string) => ({
  authorization,
  token,
  connection: undefined,
  rawHeaders: [],
});
const authenticate = (file: TokenFileAuthenticator, authorization: string | undefined) =>
  new BearerTokenAuthenticator(['here'], [file]).authenticate(credentials(authorization), (text) =>
    warnings.push(text),
  );
const userOf = (result: AuthenticationResult | Promise<AuthenticationResult>) => (result as Identity).user;

const file = new TokenFileAuthenticator(
  't0ken,bob,u1,"crew, officers"\n\nother , "ann ""a""" ,u2\r\n',
  'f.csv',
);

test('a token of the file authenticates its user', () => {
  assert.deepEqual(userOf(authenticate(file, 'Bearer t0ken')), {
    name: 'bob',
    uid: 'u1',
    groups: ['crew', 'officers', 'system:authenticated'],
    extra: {},
  });
  assert.deepEqual(userOf(authenticate(file, 'bearer other more')), {
    name: 'ann "a"',
    uid: 'u2',
    groups: ['system:authenticated'],
    extra: {},
  });
});

test('an unknown token is invalid, and other credentials are not handled', () => {
  assert.deepEqual(authenticate(file, 'Bearer nope'), new InvalidCredentials('invalid bearer token'));
  for (const header of [undefined, '', 'Bearer', 'Bearer ', 'Basic dDBrZW4=', 'Token t0ken']) {
    assert.equal(authenticate(file, header), undefined);
  }
});

test('a token after extra space is ignored with a warning', () => {
  warnings.length = 0;
  assert.equal(authenticate(file, 'Bearer  t0ken'), undefined);
  assert.equal(warnings.length, 1);
});

test('a token may be sent as a WebSocket subprotocol', () => {
  const tokens = new BearerTokenAuthenticator([], [file]);
  assert.equal(userOf(tokens.authenticate(credentials(undefined, 't0ken'), () => {})).name, 'bob');
});

test('a token without audiences is valid for those of the API server', () => {
  const tokens = new BearerTokenAuthenticator(['here', 'there'], [file]);
  const forAudiences = (audiences: string[]) =>
    tokens.authenticate({ ...credentials('Bearer t0ken'), audiences }, () => {}) as Identity;
  assert.deepEqual(forAudiences(['elsewhere', 'there']).audiences, ['there']);
  assert.deepEqual(forAudiences(['elsewhere']), new InvalidCredentials('invalid bearer token'));
});

test('errors of the token file name the line, but not the token', () => {
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
