// Tests of policy parameters: the cache of decoded parameters.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rbacKinds } from '../../apis/rbac/index.ts';
import { systemClock } from '../../base/clock.ts';
import { usedHeapBytes } from '../../base/used-heap.fixture.ts';
import { orch } from '../../dialect/index.ts';
import { everyFeature } from '../../kind/features/everything.fixture.ts';
import { Registry } from '../../kind/registry.ts';
import type { StorageContext } from '../../registry/verb-context.ts';
import { BindingParams } from './params.ts';

const registry = new Registry(rbacKinds({ dialect: orch, features: everyFeature }), orch);
const roles = registry.resources.find(({ prefix }) => prefix === 'roles')!;

/** A store in which every namespace has a Role with 200 KB of rules. */
const store = {
  get: (key: string) => {
    const [, namespace, name] = key.split('/');
    const rules = Array.from({ length: 4000 }, (_, i) => ({
      verbs: ['get'],
      nonResourceURLs: [`/${namespace}/${i}`],
    }));
    const metadata = { name, namespace, resourceVersion: '1' };
    const object = { apiVersion: roles.apiVersion, kind: 'Role', metadata, rules };
    const json = Buffer.from(JSON.stringify(object));
    return {
      key,
      revision: 1,
      json,
      revisionOffset: json.indexOf('"resourceVersion":"') + 19,
      schemaFingerprint: '',
    };
  },
};

test('the decoded parameters of a binding are bounded in bytes', () => {
  const api = { registry, store, dialect: orch, clock: systemClock } as unknown as StorageContext;
  const params = new BindingParams(api, roles, { name: 'param' });
  const find = (namespace: string) => {
    const result = params.find(namespace);
    assert.ok('params' in result && result.params.length === 1);
    return result.params[0];
  };
  assert.equal(find('a'), find('a'));
  const before = usedHeapBytes();
  for (let i = 0; i < 150; i++) find(`namespace-${i}`);
  assert.ok(usedHeapBytes() - before < 60_000_000, String(usedHeapBytes() - before));
  params.close();
});
