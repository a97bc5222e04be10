// Tests of FlowSchema matching.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FlowSchemaSpec } from '../apis/flowcontrol/flowschema.ts';
import { matches } from './matching.ts';
import { requestInfo, userNamed } from './priority-level.fixture.ts';

type Rule = NonNullable<FlowSchemaSpec['rules']>[number];

const alice = userNamed('alice', 'dev', 'system:authenticated');
const account = userNamed('system:serviceaccount:team:builder', 'system:serviceaccounts');
const anybody: Rule['subjects'] = [{ kind: 'User', user: { name: '*' } }];
const pods = { verbs: ['get'], apiGroups: [''], resources: ['pods'], namespaces: ['*'] };
const ruled = (rule: Partial<Rule>) => ({ rules: [{ subjects: anybody, ...rule }] });
const onPaths = (nonResourceURLs: string[], verbs = ['*']) =>
  ruled({ nonResourceRules: [{ verbs, nonResourceURLs }] });
const onResources = (change: object) => ruled({ resourceRules: [{ ...pods, ...change }] });
const pod = requestInfo('/api/v1/namespaces/default/pods/a');

test('matches by user, group or service account, and * is all of them', () => {
  const by = (subject: NonNullable<Rule['subjects']>[number], user = alice) =>
    matches(ruled({ subjects: [subject], resourceRules: [pods] }), user, pod);
  assert.ok(by({ kind: 'User', user: { name: 'alice' } }));
  assert.ok(by({ kind: 'User', user: { name: '*' } }));
  assert.ok(!by({ kind: 'User', user: { name: 'bob' } }));
  assert.ok(by({ kind: 'Group', group: { name: 'dev' } }));
  assert.ok(by({ kind: 'Group', group: { name: '*' } }));
  assert.ok(!by({ kind: 'Group', group: { name: 'ops' } }));
  const of = (namespace: string, name: string) =>
    by({ kind: 'ServiceAccount', serviceAccount: { namespace, name } }, account);
  assert.ok(of('team', 'builder'));
  assert.ok(of('team', '*'));
  assert.ok(!of('team', 'build'));
  assert.ok(!of('tea', '*'));
});

test('matches needs a subject and a rule; without rules nothing matches', () => {
  assert.ok(!matches({}, alice, pod));
  assert.ok(!matches({ rules: [] }, alice, pod));
  assert.ok(!matches(ruled({}), alice, pod));
  assert.ok(!matches(ruled({ subjects: [], resourceRules: [pods] }), alice, pod));
});

test('matches resources by verb, group, resource with its subresource, and namespace or none', () => {
  assert.ok(matches(onResources({}), alice, pod));
  assert.ok(matches(onResources({ verbs: ['*'], apiGroups: ['*'], resources: ['*'] }), alice, pod));
  assert.ok(!matches(onResources({ verbs: ['list'] }), alice, pod));
  assert.ok(!matches(onResources({ apiGroups: ['apps'] }), alice, pod));
  assert.ok(!matches(onResources({ resources: ['nodes'] }), alice, pod));
  const status = requestInfo('/api/v1/namespaces/default/pods/a/status');
  assert.ok(!matches(onResources({}), alice, status));
  assert.ok(matches(onResources({ resources: ['pods/status'] }), alice, status));
  assert.ok(matches(onResources({ namespaces: ['default'] }), alice, pod));
  assert.ok(!matches(onResources({ namespaces: ['other'] }), alice, pod));
  const everywhere = requestInfo('/api/v1/pods');
  assert.ok(!matches(onResources({ verbs: ['list'] }), alice, everywhere));
  assert.ok(matches(onResources({ verbs: ['list'], clusterScope: true }), alice, everywhere));
  assert.ok(!matches(onResources({ namespaces: [], clusterScope: true }), alice, pod));
});

test('a path matches itself and its subpaths; a path with /* matches subpaths only', () => {
  const on = (url: string, path: string) => matches(onPaths([url]), alice, requestInfo(path));
  assert.ok(on('/healthz', '/healthz'));
  assert.ok(on('/healthz', '/healthz/etcd'));
  assert.ok(!on('/healthz', '/healthzz'));
  assert.ok(!on('/hea', '/healthz'));
  assert.ok(!on('/hea/*', '/healthz'));
  assert.ok(on('/healthz/*', '/healthz/etcd'));
  assert.ok(!on('/healthz/*', '/healthz'));
  assert.ok(on('*', '/anything'));
  assert.ok(!matches(onPaths(['*'], ['post']), alice, requestInfo('/healthz')));
  assert.ok(!matches(onPaths(['*']), alice, pod));
  assert.ok(!matches(onResources({}), alice, requestInfo('/healthz')));
});
