import assert from 'node:assert/strict';
import { test } from 'node:test';
import { orch } from '../../dialect/index.ts';
import { everyFeature } from '../../kind/features/everything.fixture.ts';
import { tryCreate, tryUpdate } from '../try-rules.ts';
import { flowschemas } from './flowschema-definition.ts';
import { prioritylevelconfigurations } from './prioritylevelconfiguration-definition.ts';

const context = { dialect: orch, features: everyFeature };
const schemas = flowschemas(context);
const levels = prioritylevelconfigurations(context);
const priorityLevelConfiguration = { name: 'p' };
const user = { kind: 'User', user: { name: 'u' } };

const schema = (spec: object) => tryCreate(schemas, { spec: { priorityLevelConfiguration, ...spec } });
const path = (...nonResourceURLs: string[]) =>
  schema({ rules: [{ subjects: [user], nonResourceRules: [{ verbs: ['get'], nonResourceURLs }] }] }).problems;
const forResources = (rule: object) =>
  schema({
    rules: [
      {
        subjects: [user],
        resourceRules: [{ verbs: ['get'], apiGroups: [''], resources: ['pods'], namespaces: ['*'], ...rule }],
      },
    ],
  }).problems;
const from = (subject: object) =>
  schema({
    rules: [{ subjects: [subject], nonResourceRules: [{ verbs: ['*'], nonResourceURLs: ['*'] }] }],
  }).problems;

test('FlowSchema: matchingPrecedence is from 1 to 10000, and 1000 by default', () => {
  assert.equal(schema({}).object.spec.matchingPrecedence, 1000);
  assert.deepEqual(schema({ matchingPrecedence: 10_000 }).problems, []);
  assert.deepEqual(schema({ matchingPrecedence: 10_001 }).problems, [
    'spec.matchingPrecedence: Invalid value: 10001: must not be greater than 10000',
  ]);
  assert.deepEqual(schema({ matchingPrecedence: -1 }).problems, [
    'spec.matchingPrecedence: Invalid value: -1: must be a positive value',
  ]);
});

test('FlowSchema: priorityLevelConfiguration is required', () => {
  assert.deepEqual(tryCreate(schemas, {}).problems, [
    'spec.priorityLevelConfiguration.name: Required value: must reference a priority level',
  ]);
});

test('FlowSchema: distinguisherMethod is ByUser, ByNamespace or absent', () => {
  assert.deepEqual(schema({ distinguisherMethod: { type: 'ByNamespace' } }).problems, []);
  assert.match(schema({ distinguisherMethod: { type: 'X' } }).problems[0]!, /Unsupported value/);
});

test('FlowSchema: a rule has at least one subject, and a rule for resources or for paths', () => {
  assert.deepEqual(schema({ rules: [{}] }).problems, [
    'spec.rules[0].subjects: Required value: subjects must contain at least one value',
    'spec.rules[0]: Required value: at least one of resourceRules and nonResourceRules has to be non-empty',
  ]);
  assert.deepEqual(schema({ rules: [] }).problems, []);
});

test('FlowSchema: /hea* is invalid; /healthz, /hea, /hea/* and /healthz/* are valid', () => {
  assert.match(path('/hea*')[0]!, /wildcard can only do suffix matching/);
  for (const url of ['/healthz', '/hea', '/hea/*', '/healthz/*']) assert.deepEqual(path(url), [], url);
});

test('FlowSchema: * must be the only path, verb, group, resource and namespace', () => {
  assert.deepEqual(path('*'), []);
  assert.match(path('*', '/x')[0]!, /if '\*' is present, must not specify other non-resource URLs/);
  for (const list of ['verbs', 'apiGroups', 'resources', 'namespaces']) {
    assert.deepEqual(forResources({ [list]: ['*'] }), [], list);
    assert.match(forResources({ [list]: ['*', 'get'] })[0]!, /if '\*' is present/, list);
  }
});

test('FlowSchema: verbs, groups, resources and paths must not be empty', () => {
  assert.match(path()[0]!, /Required value/);
  for (const list of ['verbs', 'apiGroups', 'resources']) {
    assert.match(forResources({ [list]: [] })[0]!, /Required value/, list);
  }
});

test('FlowSchema: namespaces may be empty only where clusterScope is true', () => {
  assert.match(forResources({ namespaces: [] })[0]!, /must supply at least one namespace/);
  assert.deepEqual(forResources({ namespaces: [], clusterScope: true }), []);
});

test('FlowSchema: a subject has the field that its kind names, and no other', () => {
  assert.deepEqual(from({ kind: 'Group', group: { name: '*' } }), []);
  assert.deepEqual(from({ kind: 'ServiceAccount', serviceAccount: { name: '*', namespace: 'n' } }), []);
  assert.match(from({ kind: 'Group' })[0]!, /group is required when subject kind is 'Group'/);
  assert.match(from({ ...user, group: { name: 'g' } })[0]!, /group is forbidden/);
  assert.match(from({ kind: 'Robot' })[0]!, /Unsupported value/);
});

test('FlowSchema: a condition has a type', () => {
  const old = { spec: { priorityLevelConfiguration } };
  const { problems } = tryUpdate(schemas, old, { ...old, status: { conditions: [{}] } }, 'status');
  assert.deepEqual(problems, ['status.conditions[0].type: Required value: must not be empty']);
});

test('PriorityLevelConfiguration: nominalConcurrencyShares is 30 when unspecified, and an explicit 0 stays 0', () => {
  const shares = (limited: object) =>
    tryCreate(levels, {
      spec: { type: 'Limited', limited: { limitResponse: { type: 'Reject' }, ...limited } },
    }).object.spec.limited?.nominalConcurrencyShares;
  assert.equal(shares({}), 30);
  assert.equal(shares({ nominalConcurrencyShares: 0 }), 0);
});

test('PriorityLevelConfiguration: only the one named exempt is exempt', () => {
  assert.match(tryCreate(levels, { spec: { type: 'Exempt' } }).problems[0]!, /if and only if/);
  const exempt = { metadata: { name: 'exempt' }, spec: { type: 'Exempt' } };
  assert.deepEqual(tryCreate(levels, exempt).problems, []);
});
