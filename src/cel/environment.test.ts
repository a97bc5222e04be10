import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Issues } from './environment.ts';
import {
  type AuthorizationQuery,
  authorizerType,
  authorizerValue,
  requestResourceValue,
  resourceCheckType,
} from './library/authorizer.ts';
import { ProgramCache } from './program-cache.ts';
import { dyn } from './types.ts';
import { compatibleMinor, createEnvironment } from './versions.ts';

const at = (minor: number) => createEnvironment({ serviceName: 'orch', minor }).extend({ x: { type: dyn } });

test('a function is available from its Kubernetes version on', () => {
  const since: readonly (readonly [expression: string, minor: number])[] = [
    ["url('https://a').getHost() == 'a'", 25],
    ['x.?a.hasValue()', 28],
    ["quantity('1').isInteger()", 28],
    ['1 < 1.5', 28],
    ['sets.contains([1], [1])', 29],
    ["'%d'.format([1]) == '1'", 29],
    ["isIP('1.2.3.4') && isCIDR('10.0.0.0/8')", 30],
    ["!format.dns1123Label().validate('a').hasValue()", 31],
    ['[1].all(i, v, v > i)', 32],
    ["semver('1.2.3').major() == 1", 33],
  ];
  for (const [expression, minor] of since) {
    const works = (version: number) => !(at(version).compile(expression) instanceof Issues);
    assert.ok(works(minor), expression);
    if (minor > 25) assert.ok(!works(minor - 1), expression);
  }
  assert.ok(at(compatibleMinor).compile("semver('1.2.3').major() == 1") instanceof Issues);
});

test('messages contain type names with the name of the service', () => {
  const issues = at(33).compile("quantity('1') + 1");
  assert.ok(issues instanceof Issues);
  assert.match(issues.text, /applied to '\(orch\.Quantity, int\)'/);
});

test('authorizer functions call the authorizer of the host', () => {
  const asked: AuthorizationQuery[] = [];
  const host = {
    authorize(query: AuthorizationQuery) {
      asked.push(query);
      return query.verb === 'get'
        ? { allowed: true, reason: 'by a role' }
        : { allowed: false, reason: '', error: 'no answer' };
    },
  };
  const environment = at(33).extend({
    authorizer: { type: authorizerType },
    'authorizer.requestResource': { type: resourceCheckType },
  });
  const variables = {
    authorizer: authorizerValue(host),
    'authorizer.requestResource': requestResourceValue(host, { group: '', resource: 'pods', namespace: 'a' }),
  };
  const evaluate = (expression: string) => {
    const program = environment.compile(expression);
    assert.ok(!(program instanceof Issues), expression);
    return program.evaluate(variables);
  };
  const resource =
    "authorizer.group('apps').resource('deployments').subresource('scale').namespace('n').name('d')";
  assert.deepEqual(evaluate(`${resource}.check('get').allowed()`), { value: true, cost: 350_007 });
  assert.deepEqual(asked.pop(), {
    group: 'apps',
    resource: 'deployments',
    subresource: 'scale',
    namespace: 'n',
    name: 'd',
    verb: 'get',
  });
  const reason = evaluate("authorizer.serviceAccount('n', 'sa').path('/healthz').check('get').reason()");
  assert.equal('value' in reason && reason.value, 'by a role');
  assert.deepEqual(asked.pop(), {
    serviceAccount: { namespace: 'n', name: 'sa' },
    path: '/healthz',
    verb: 'get',
  });
  const error = evaluate("authorizer.requestResource.check('delete').error()");
  assert.equal('value' in error && error.value, 'no answer');
  assert.deepEqual(asked.pop(), { group: '', resource: 'pods', namespace: 'a', verb: 'delete' });
  const refused = evaluate("authorizer.path('').check('get').allowed()");
  assert.equal('problem' in refused && refused.problem, 'path must not be empty');
});

test('ProgramCache caches programs by environment and source, up to its capacity', () => {
  const cache = new ProgramCache(3);
  const one = at(33);
  const other = at(32);
  const first = cache.compile(one, '1 + 1');
  assert.equal(cache.compile(one, '1 + 1'), first);
  assert.notEqual(cache.compile(other, '1 + 1'), first);
  for (let i = 0; i < 10; i++) cache.compile(one, `x == ${i}`);
  assert.equal(cache.size, 3);
  assert.notEqual(cache.compile(one, '1 + 1'), first);
});

test('properties of Object.prototype are not fields', () => {
  for (const name of ['constructor', 'toString', '__proto__', 'hasOwnProperty']) {
    const program = at(33).compile(`x.${name}`);
    assert.ok(!(program instanceof Issues));
    assert.deepEqual(program.evaluate({ x: {} }), { problem: `no such key: ${name}`, cost: 2 });
    const present = at(33).compile(`has(x.${name}) || '${name}' in x || x.?${name}.hasValue()`);
    assert.ok(!(present instanceof Issues));
    const result = present.evaluate({ x: {} });
    assert.equal('value' in result && result.value, false);
  }
});

test('the number of reported issues is limited', () => {
  const { text } = createEnvironment({ serviceName: 'orch' }).compile(
    Array.from({ length: 10_000 }, () => 'a').join('||'),
  ) as Issues;
  assert.ok(text.length < 300_000, String(text.length));
  assert.match(text, /\n\d+ more errors were truncated$/);
});
