// Tests of affinity and anti-affinity between pods.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TestCluster } from '../cluster.fixture.ts';
import { interPodAffinity, scoreInterPodAffinity } from './inter-pod-affinity.ts';

const zones = {
  a: { labels: { zone: '1' } },
  b: { labels: { zone: '1' } },
  c: { labels: { zone: '2' } },
  d: {},
};
const term = (app: string, more: object = {}) => ({
  topologyKey: 'zone',
  labelSelector: { matchLabels: { app } },
  ...more,
});
const required = (kind: 'podAffinity' | 'podAntiAffinity', ...terms: object[]) => ({
  spec: { affinity: { [kind]: { requiredDuringSchedulingIgnoredDuringExecution: terms } } },
});
const preferred = (kind: 'podAffinity' | 'podAntiAffinity', weight: number, podAffinityTerm: object) => ({
  spec: {
    affinity: { [kind]: { preferredDuringSchedulingIgnoredDuringExecution: [{ weight, podAffinityTerm }] } },
  },
});
const web = { labels: { app: 'web' } };
const noAffinity = "node(s) didn't match pod affinity rules";
const noAntiAffinity = "node(s) didn't match pod anti-affinity rules";
const existing = "node(s) didn't satisfy existing pods anti-affinity rules";

const checkAll = (cluster: TestCluster, pod: object) =>
  ['a', 'b', 'c', 'd'].map((node) => cluster.check(interPodAffinity, pod, node));

test('affinity needs a matching pod in the same topology domain', () => {
  const cluster = new TestCluster(zones).run('web', 'a', web);
  assert.deepEqual(checkAll(cluster, required('podAffinity', term('web'))), [
    'feasible',
    'feasible',
    noAffinity,
    noAffinity,
  ]);
});

test('all affinity terms must select the same pods', () => {
  const cluster = new TestCluster(zones).run('web', 'a', web).run('db', 'a', { labels: { app: 'db' } });
  assert.equal(
    cluster.check(interPodAffinity, required('podAffinity', term('web'), term('db')), 'a'),
    noAffinity,
  );
});

test('the first pod with affinity to itself may be placed anywhere with the topology label', () => {
  const cluster = new TestCluster(zones);
  const pod = { ...required('podAffinity', term('web')), ...web };
  assert.deepEqual(checkAll(cluster, pod), ['feasible', 'feasible', 'feasible', noAffinity]);
  assert.equal(cluster.check(interPodAffinity, required('podAffinity', term('web')), 'a'), noAffinity);
});

test('anti-affinity rejects domains with a matching pod, and works in both directions', () => {
  const cluster = new TestCluster(zones).run('web', 'a', web);
  assert.deepEqual(checkAll(cluster, required('podAntiAffinity', term('web'))), [
    noAntiAffinity,
    noAntiAffinity,
    'feasible',
    'feasible',
  ]);
  const other = new TestCluster(zones).run('x', 'a', required('podAntiAffinity', term('web')));
  assert.deepEqual(checkAll(other, web), [existing, existing, 'feasible', 'feasible']);
  assert.deepEqual(checkAll(other, {}), ['feasible', 'feasible', 'feasible', 'feasible']);
});

test('terms apply to their namespaces, listed or selected by label', () => {
  const cluster = new TestCluster(zones).run('web', 'a', { ...web, namespace: 'other' });
  const check = (more: object) =>
    cluster.check(interPodAffinity, required('podAntiAffinity', term('web', more)), 'a');
  assert.equal(check({}), 'feasible');
  assert.equal(check({ namespaces: ['other'] }), noAntiAffinity);
  const namespaceSelector = { matchLabels: { team: 'x' } };
  assert.equal(check({ namespaceSelector }), 'feasible');
  cluster.cluster.setNamespace('other', new Map([['team', 'x']]));
  assert.equal(check({ namespaceSelector }), noAntiAffinity);
  assert.equal(check({ namespaceSelector: {} }), noAntiAffinity);
});

test('counts follow pods that come, change and go', () => {
  const cluster = new TestCluster(zones).run('web', 'a', web);
  const pod = required('podAntiAffinity', term('web'));
  assert.equal(cluster.check(interPodAffinity, pod, 'b'), noAntiAffinity);
  cluster.run('web', 'a', { labels: { app: 'db' } });
  assert.equal(cluster.check(interPodAffinity, pod, 'b'), 'feasible');
  cluster.run('web-2', 'c', web);
  assert.equal(cluster.check(interPodAffinity, pod, 'c'), noAntiAffinity);
  cluster.cluster.removePod('ns/web-2');
  assert.equal(cluster.check(interPodAffinity, pod, 'c'), 'feasible');
});

test('preferred terms of the pod and terms of assigned pods add to the score', () => {
  const cluster = new TestCluster(zones).run('web', 'a', web);
  assert.deepEqual(cluster.score(scoreInterPodAffinity, preferred('podAffinity', 10, term('web'))), {
    a: 100,
    b: 100,
    c: 0,
    d: 0,
  });
  assert.deepEqual(cluster.score(scoreInterPodAffinity, preferred('podAntiAffinity', 10, term('web'))), {
    a: 0,
    b: 0,
    c: 100,
    d: 100,
  });
  assert.equal(cluster.score(scoreInterPodAffinity, {}), undefined);
  cluster.run('fan', 'c', preferred('podAffinity', 40, term('web')));
  cluster.run('needs', 'a', required('podAffinity', term('web')));
  // 40 for the domain of the preferred term, 1 for that of the required one.
  assert.deepEqual(cluster.score(scoreInterPodAffinity, web), { a: 2, b: 2, c: 100, d: 0 });
});

test('scores span 0 to 100 also if all nodes have matching pods', () => {
  const cluster = new TestCluster({ a: { labels: { zone: '1' } }, b: { labels: { zone: '2' } } });
  cluster.run('1', 'a', web).run('2', 'a', web).run('3', 'b', web);
  const scores = cluster.score(scoreInterPodAffinity, preferred('podAntiAffinity', 10, term('web')));
  assert.deepEqual(scores, { a: 0, b: 100 });
});
