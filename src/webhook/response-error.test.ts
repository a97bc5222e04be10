import assert from 'node:assert/strict';
import { test } from 'node:test';
import { responseErrorMessage } from './response-error.ts';

const json = 'application/json';

test('a 2xx status with a body is a response', () => {
  assert.equal(responseErrorMessage(200, json, Buffer.from('{}')), undefined);
  assert.match(responseErrorMessage(200, json, Buffer.alloc(0))!, /^0-length response with status code: 200/);
});

test('the error of other statuses has their reason, or the message of the Status in the body', () => {
  assert.match(responseErrorMessage(404, json, Buffer.from('x'))!, /could not find/);
  assert.match(responseErrorMessage(599, json, Buffer.from('x'))!, /an error on the server/);
  assert.match(responseErrorMessage(302, json, Buffer.from('x'))!, /status code 302/);
  const status = '{"kind":"Status","apiVersion":"v1","status":"Failure","message":"boo"}';
  assert.equal(responseErrorMessage(503, json, Buffer.from(status)), 'boo');
});
