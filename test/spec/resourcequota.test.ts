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

test('ResourceQuota: scopes filter, and unspecified match all', async () => {
  await quotas.valid({ spec: { scopes: ['BestEffort'], hard: { pods: '1' } } });
  await quotas.valid({ spec: { hard: { pods: '1' } } });
  await quotas.invalid({ spec: { scopes: ['Unheard'] } }, 'spec.scopes');
});

test('ResourceQuota: operators are In, NotIn, Exists and DoesNotExist, on a scope that is named', async () => {
  await quotas.valid(selected({ scopeName, operator: 'In', values: ['a'] }));
  await quotas.invalid(selected({ scopeName, operator: 'Near', values: ['a'] }), `${at}.operator`);
  await quotas.invalid(selected({ operator: 'Exists' }), `${at}.scopeName`);
});

test('ResourceQuota: values are there for In and NotIn, and not for Exists and DoesNotExist', async () => {
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
