import assert from 'node:assert/strict';
import { test } from 'node:test';
import { everythingServed, kind } from './support.ts';

const http = await everythingServed();
const quotas = kind(http, '/api/v1/namespaces/default/resourcequotas');
const selected = (requirement: object) => ({ spec: { scopeSelector: { matchExpressions: [requirement] } } });
const scopeName = 'PriorityClass';
const at = 'spec.scopeSelector.matchExpressions';

test('ResourceQuota: hard is a limit for each resource', async () => {
  const hard = { pods: '5', 'requests.cpu': '1' };
  assert.deepEqual((await quotas.valid({ spec: { hard } })).spec.hard, hard);
  await quotas.invalid({ spec: { hard: { pods: '-1' } } }, 'spec.hard[pods]');
});

/** A namespace whose quota of one pod is used up, and the response to a further pod. */
async function onePod(spec: object) {
  const pods = await http.namespace('pods');
  const quota = kind(http, pods.replace(/pods$/, 'resourcequotas'));
  await quota.create({ spec: { hard: { pods: '1' }, ...spec } });
  return async (podSpec: object = {}, resources: object = {}) => {
    const container = { name: 'c', image: 'i', resources };
    const metadata = { generateName: 'p-' };
    return (await http.post(pods, { metadata, spec: { containers: [container], ...podSpec } })).code;
  };
}

const requesting = { requests: { cpu: '1' } };
const ending = { activeDeadlineSeconds: 60 };

test('ResourceQuota: scopes filter, and without scopes all objects match', async () => {
  const all = await onePod({});
  assert.deepEqual([await all(), await all({}, requesting)], [201, 403]);
  const bestEffort = await onePod({ scopes: ['BestEffort'] });
  assert.deepEqual([await bestEffort({}, requesting), await bestEffort({}, requesting)], [201, 201]);
  assert.deepEqual([await bestEffort(), await bestEffort()], [201, 403]);
  await quotas.invalid({ spec: { scopes: ['Unheard'] } }, 'spec.scopes');
});

test('ResourceQuota: an object counts if it matches all scopes and the scopeSelector', async () => {
  const matchExpressions = [{ scopeName: 'Terminating', operator: 'Exists' }];
  const both = await onePod({ scopes: ['BestEffort'], scopeSelector: { matchExpressions } });
  for (const _ of [1, 2]) assert.equal(await both(), 201);
  for (const _ of [1, 2]) assert.equal(await both(ending, requesting), 201);
  assert.deepEqual([await both(ending), await both(ending)], [201, 403]);
  const scopes = await onePod({ scopes: ['BestEffort', 'Terminating'] });
  for (const _ of [1, 2]) assert.equal(await scopes(), 201);
  assert.deepEqual([await scopes(ending), await scopes(ending)], [201, 403]);
});

test('ResourceQuota: operators select by the values of a scope', async () => {
  await kind(http, '/apis/scheduling.orch.io/v1/priorityclasses').create({ metadata: { name: 'high' } });
  const high = { priorityClassName: 'high' };
  const selecting = (operator: string, values?: string[]) =>
    onePod({ scopeSelector: { matchExpressions: [{ scopeName, operator, values }] } });
  for (const [operator, values, ofHigh, ofNone] of [
    ['In', ['high'], 403, 201],
    ['NotIn', ['high'], 201, 403],
    ['Exists', undefined, 403, 201],
    ['DoesNotExist', undefined, 201, 403],
  ] as const) {
    const code = await selecting(operator, values && [...values]);
    assert.deepEqual([await code(high), await code(high)], [201, ofHigh], `${operator} of high`);
    assert.deepEqual([await code(), await code()], [201, ofNone], `${operator} of none`);
  }
});

test('ResourceQuota: operators are In, NotIn, Exists and DoesNotExist, on a scope that is named', async () => {
  await quotas.valid(selected({ scopeName, operator: 'In', values: ['a'] }));
  await quotas.invalid(selected({ scopeName, operator: 'Near', values: ['a'] }), `${at}.operator`);
  await quotas.invalid(selected({ operator: 'Exists' }), `${at}.scopeName`);
});

test('ResourceQuota: In and NotIn need values, Exists and DoesNotExist must have none', async () => {
  for (const operator of ['In', 'NotIn']) {
    await quotas.valid(selected({ scopeName, operator, values: ['a'] }));
    await quotas.invalid(selected({ scopeName, operator }), `${at}.values`);
  }
  for (const operator of ['Exists', 'DoesNotExist']) {
    await quotas.valid(selected({ scopeName, operator }));
    await quotas.invalid(selected({ scopeName, operator, values: ['a'] }), `${at}.values`);
  }
});

test('ResourceQuota: status has the hard limits and the observed usage', async () => {
  const quota = await quotas.create({ metadata: { name: 'used' }, spec: { hard: { pods: '5' } } });
  assert.deepEqual(quota.status, { hard: { pods: '5' }, used: { pods: '0' } });
  const status = { hard: { pods: '5' }, used: { pods: '2' } };
  const written = await quotas.update(quota, { status, spec: { hard: { pods: '9' } } }, 'status');
  assert.deepEqual(written.status, status);
  assert.deepEqual(written.spec.hard, { pods: '5' });
});
