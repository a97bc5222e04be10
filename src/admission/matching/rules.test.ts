import assert from 'node:assert/strict';
import { test } from 'node:test';
import { builtinKinds } from '../../apis/index.ts';
import { orch } from '../../dialect/index.ts';
import { FeatureGates } from '../../kind/features/gates.ts';
import { Registry } from '../../kind/registry.ts';
import type { AdmissionOperation } from '../../registry/write/admission-control.ts';
import { type MatchRule, matchByName, matchRules } from './rules.ts';

const features = new FeatureGates({ AllAlpha: true, AllBeta: true });
const registry = new Registry(builtinKinds({ dialect: orch, features, allowPrivileged: false }), orch);

const rule = (fields: MatchRule): MatchRule => ({
  operations: ['*'],
  apiGroups: [''],
  apiVersions: ['v1'],
  resources: ['pods'],
  ...fields,
});

const sort = (path: string, operation: AdmissionOperation = 'CREATE') => {
  const [group, version, plural, subresource = ''] = path.split('/');
  return { resource: registry.kind(group!, version!, plural!), subresource, operation };
};

const isMeant = (one: MatchRule, path: string, operation?: AdmissionOperation) =>
  matchRules([one], 'Exact', registry, sort(path, operation)).length > 0;

test('a rule matches operations, groups, versions and scopes', () => {
  assert.ok(isMeant(rule({}), '/v1/pods'));
  assert.ok(!isMeant(rule({ operations: ['UPDATE', 'DELETE'] }), '/v1/pods'));
  assert.ok(isMeant(rule({ operations: ['UPDATE', 'DELETE'] }), '/v1/pods', 'DELETE'));
  assert.ok(!isMeant(rule({ apiGroups: ['apps'] }), '/v1/pods'));
  assert.ok(!isMeant(rule({ apiVersions: ['v2'] }), '/v1/pods'));
  assert.ok(isMeant(rule({ apiGroups: ['*'], apiVersions: ['*'] }), '/v1/pods'));
  assert.ok(isMeant(rule({ scope: 'Namespaced' }), '/v1/pods'));
  assert.ok(!isMeant(rule({ scope: 'Cluster' }), '/v1/pods'));
  assert.ok(isMeant(rule({ scope: 'Cluster', resources: ['namespaces'] }), '/v1/namespaces'));
  for (const scope of ['*', '']) {
    assert.ok(isMeant(rule({ scope }), '/v1/pods'));
    assert.ok(isMeant(rule({ scope, resources: ['namespaces'] }), '/v1/namespaces'));
  }
});

test('a pattern with a slash matches subresources', () => {
  const meant = (pattern: string) =>
    ['/v1/pods', '/v1/pods/status', '/v1/nodes/status', '/v1/nodes'].filter((path) =>
      isMeant(rule({ resources: [pattern] }), path),
    );
  assert.deepEqual(meant('pods'), ['/v1/pods']);
  assert.deepEqual(meant('pods/status'), ['/v1/pods/status']);
  assert.deepEqual(meant('pods/*'), ['/v1/pods', '/v1/pods/status']);
  assert.deepEqual(meant('*/status'), ['/v1/pods/status', '/v1/nodes/status']);
  assert.deepEqual(meant('*'), ['/v1/pods', '/v1/nodes']);
  assert.equal(meant('*/*').length, 4);
});

test('resourceNames restrict a rule to these objects', () => {
  const ways = matchRules([rule({ resourceNames: ['a', 'b'] })], 'Exact', registry, sort('/v1/pods'));
  assert.ok(matchByName(ways, 'b'));
  assert.equal(matchByName(ways, 'c'), undefined);
  assert.equal(matchByName(ways, ''), undefined);
});

test('matchPolicy Equivalent matches a rule for another version', () => {
  const scalers = 'horizontalpodautoscalers';
  const inV1 = rule({ apiGroups: ['autoscaling'], resources: [scalers] });
  const inBoth = { ...inV1, apiVersions: ['v1', 'v2'] };
  const asked = sort(`autoscaling/v2/${scalers}`);
  const version = (one: MatchRule, policy: 'Exact' | 'Equivalent') =>
    matchByName(matchRules([one], policy, registry, asked), 'a')?.resource.apiVersion;
  assert.equal(version(inV1, 'Exact'), undefined);
  assert.equal(version(inV1, 'Equivalent'), 'autoscaling/v1');
  assert.equal(version(inBoth, 'Equivalent'), 'autoscaling/v2');
});

test('of several equivalent versions the storage version is preferred', () => {
  const claims = rule({
    apiGroups: [orch.groupName('resource')],
    apiVersions: ['v1beta2', 'v1beta1'],
    resources: ['resourceclaims'],
  });
  const asked = sort(`${orch.groupName('resource')}/v1alpha3/resourceclaims`);
  assert.equal(
    matchByName(matchRules([claims], 'Equivalent', registry, asked), 'a')?.resource.version,
    'v1beta1',
  );
});
