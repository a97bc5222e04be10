// Tests of the cache of Pod Security policies.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { usedHeapBytes } from '../../../base/used-heap.fixture.ts';
import type { AdmissionContext } from '../../../registry/verb-context.ts';
import { encodePairs } from '../../../store/stored-object.ts';
import { LabelledNamespaces } from './labelled-namespaces.ts';

const prefix = 'pod-security.orch.io/';

test('policies of namespaces with very many labels are not cached', () => {
  let labels = '';
  const api = { store: { get: () => ({ labels }) } } as unknown as AdmissionContext;
  const namespaces = new LabelledNamespaces(api, prefix);
  const before = usedHeapBytes();
  for (let i = 0; i < 200; i++) {
    const pairs = encodePairs({ [`${prefix}enforce`]: 'baseline', other: `${i}`.padEnd(200_000, 'x') });
    labels = Buffer.from(pairs).toString();
    assert.equal(namespaces.policyOf('a').enforce.level, 'baseline');
  }
  assert.ok(usedHeapBytes() - before < 5_000_000);
  labels = encodePairs({ [`${prefix}enforce`]: 'restricted' });
  assert.equal(namespaces.policyOf('a'), namespaces.policyOf('b'));
});
