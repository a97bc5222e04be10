import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { kubernetes, orch } from './index.ts';

test('groupName and groupId are inverse in every dialect', () => {
  const names = {
    '': '',
    apps: 'apps',
    events: 'events.k8s.io',
    'rbac.authorization': 'rbac.authorization.k8s.io',
    'flowcontrol.apiserver': 'flowcontrol.apiserver.k8s.io',
    'internal.apiserver': 'internal.apiserver.k8s.io',
    meta: 'meta.k8s.io',
  };
  for (const [id, name] of Object.entries(names)) {
    assert.equal(kubernetes.groupName(id), name);
    assert.equal(kubernetes.groupId(name), id);
    assert.equal(orch.groupName(id), name.replace('k8s.io', 'orch.io'));
  }
  assert.equal(orch.groupId('events.k8s.io'), undefined);
  assert.equal(orch.apiVersion('', 'v1'), 'v1');
  assert.equal(orch.apiVersion('events', 'v1'), 'events.orch.io/v1');
});

test('both dialects have the same members', () => {
  const shape = (value: unknown): unknown =>
    value !== null && typeof value === 'object' && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).map(([key, part]) => [key, shape(part)]))
      : typeof value;
  assert.deepEqual(shape(orch), shape(kubernetes));
});

test('no code outside src/dialect contains a name with the domain of the service', () => {
  const source = join(import.meta.dirname, '..');
  const names =
    /k8s\.io|kubernetes\.io|orch\.io|kube-(system|public|node-lease)|orch-(system|public|node-lease)|vnd\.(kubernetes|orch)|x-(kubernetes|orch)-/;
  const offenders = readdirSync(source, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts') && !file.startsWith('dialect'))
    .filter((file) => names.test(withoutComments(readFileSync(join(source, file), 'utf8'))));
  assert.deepEqual(offenders, []);
});

/** Comments may name the Go packages and API groups of upstream. */
const withoutComments = (text: string) => text.replace(/^\s*(?:\/\/|\/\*|\*).*$/gm, '');
