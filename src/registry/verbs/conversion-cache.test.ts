// Tests of the cache of converted objects.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rbacKinds } from '../../apis/rbac/index.ts';
import { orch } from '../../dialect/index.ts';
import { everyFeature } from '../../kind/features/everything.fixture.ts';
import { Registry } from '../../kind/registry.ts';
import { ConversionCache } from './conversion-cache.ts';

const registry = new Registry(rbacKinds({ dialect: orch, features: everyFeature }), orch);
const roles = registry.resources.find(({ prefix }) => prefix === 'roles')!;
const state = (i: number, bytes: number) => ({
  key: `roles/default/role-${i}`,
  json: JSON.stringify({
    apiVersion: roles.apiVersion,
    kind: 'Role',
    metadata: {
      name: `role-${i}`,
      namespace: 'default',
      resourceVersion: `${i}`,
      annotations: { a: 'x'.repeat(bytes) },
    },
    rules: [],
  }),
});

test('a state is converted once', async () => {
  const cache = new ConversionCache();
  const [first, same] = await cache.convert(roles, [state(1, 10), state(1, 10)]);
  assert.equal(first, same);
  const [again] = await cache.convert(roles, [state(1, 10)]);
  assert.equal(again, first);
});

test('the cached bytes are bounded, over all kinds', async () => {
  const cache = new ConversionCache();
  for (let i = 0; i < 100; i++) {
    const [converted] = await cache.convert(roles, [state(i, 400_000)]);
    assert.ok(converted!.json.length > 400_000);
  }
  assert.ok(cache.bytes > 10_000_000 && cache.bytes <= 16 * 1024 * 1024, String(cache.bytes));
});
