// Redaction of secrets in logged URLs.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { redactUrl } from './redact-url.ts';

test('only the values of secret parameters are redacted', () => {
  for (const [url, shown] of [
    ['/api', '/api'],
    ['/api?limit=5&continue=abc', '/api?limit=5&continue=abc'],
    ['/api?a=b&token=x', '/api?a=b&token=…'],
    ['/api?access_token=x&limit=5', '/api?access_token=…&limit=5'],
    ['/api?ID_TOKEN=x', '/api?ID_TOKEN=…'],
    ['/api?t%6Fken=x', '/api?t%6Fken=…'],
    ['/token?labelSelector=a%3Db', '/token?labelSelector=a%3Db'],
    ['/api?token', '/api?token'],
    ['/api?', '/api?'],
  ] as const) {
    assert.equal(redactUrl(url), shown);
  }
});
