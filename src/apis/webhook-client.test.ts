import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fieldErrorBody } from '../errors/field-error.ts';
import { validateReviewVersions, validateWebhookClient } from './webhook-client.ts';

const problems = (client: Parameters<typeof validateWebhookClient>[0]) =>
  validateWebhookClient(client, 'c').map((error) => `${error.field}: ${fieldErrorBody(error)}`);
const url = (text: string) => problems({ url: text })[0] ?? '';

test('a webhook is reached by https only, without user, fragment or query', () => {
  for (const good of ['https://a', 'https://a:8443/b/c', 'HTTPS://a', 'https://a?', 'https://[::1]:443/']) {
    assert.equal(url(good), '', good);
  }
  assert.match(url('http://a'), /'https' is the only allowed URL scheme/);
  assert.match(url('https://'), /host must be specified/);
  assert.match(url('https://u:p@a'), /Invalid value: "u:p": user information is not permitted/);
  assert.match(url('https://a#f'), /Invalid value: "f": fragments are not permitted/);
  assert.match(url('https://a?x'), /Invalid value: "x": query parameters are not permitted/);
});

test('what is no URL is rejected with the reason', () => {
  const reasons = {
    '://x': 'missing protocol scheme',
    '1:2': 'first path segment in URL cannot contain colon',
    'https://a/%zz': 'invalid URL escape "%zz"',
    'https://a b/': 'invalid character " " in host name',
    'https://a:x/': 'invalid port ":x" after host',
    'https://a\n': 'net/url: invalid control character in URL',
  };
  for (const [text, reason] of Object.entries(reasons)) assert.ok(url(text).includes(reason), text);
});

test('service: name and namespace are required, the port is 1 to 65535', () => {
  assert.deepEqual(problems({ service: { name: '', namespace: '' } }), [
    'c.service.name: Required value: service name is required',
    'c.service.namespace: Required value: service namespace is required',
  ]);
  const port = (given: number) => problems({ service: { name: 'a', namespace: 'b', port: given } });
  assert.deepEqual([...port(1), ...port(65535)], []);
  for (const errors of [0, -1, 65536]) assert.match(port(errors)[0]!, /must be between 1 and 65535/);
});

test('the path of a service is made of DNS subdomains', () => {
  const path = (given: string) => problems({ service: { name: 'a', namespace: 'b', path: given } });
  for (const good of ['', '/', '/a', '/a.b/c-d/']) assert.deepEqual(path(good), [], good);
  assert.match(path('a')[0]!, /must start with a '\/'/);
  assert.match(path('//')[0]!, /segment\[0\] may not be empty/);
  assert.match(path('/a//b')[0]!, /segment\[1\] may not be empty/);
  assert.match(path('/A_b')[0]!, /segment\[0\]: a lowercase RFC 1123 subdomain/);
});

test('versions of reviews are labels, there once, and one is known', () => {
  const found = (...versions: string[]) => validateReviewVersions(versions, 'v').length;
  assert.equal(found('v1beta1', 'v7'), 0);
  assert.equal(found('v1', 'v1'), 1);
  assert.equal(found('v7'), 1);
  assert.equal(found('V_1', 'v1'), 1);
});
