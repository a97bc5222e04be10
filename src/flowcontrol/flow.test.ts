// Tests of flow distinguishers.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FlowSchemaSpec } from '../apis/flowcontrol/flowschema.ts';
import { usedHeapBytes } from '../base/used-heap.fixture.ts';
import { EffectiveFlowSchema } from './flow.ts';
import { LevelFixture, requestInfo, userNamed } from './priority-level.fixture.ts';

test('the flow distinguisher is the user, the namespace, or the empty string', () => {
  const { level, metrics } = new LevelFixture(1);
  const distinguisher = (type?: 'ByUser' | 'ByNamespace') => {
    const spec: FlowSchemaSpec = {
      priorityLevelConfiguration: { name: 'level' },
      matchingPrecedence: 1000,
      ...(type && { distinguisherMethod: { type } }),
    };
    const schema = new EffectiveFlowSchema({ metadata: { name: 'schema' }, spec }, level, metrics, []);
    return schema.flowOf(userNamed('alice'), { namespace: 'team' }).distinguisher;
  };
  assert.equal(distinguisher('ByUser'), 'alice');
  assert.equal(distinguisher('ByNamespace'), 'team');
  assert.equal(distinguisher(), '');
});

test('cached flows do not keep the URLs of their requests, and very long distinguishers are not cached', () => {
  const { level, metrics } = new LevelFixture(1);
  const spec: FlowSchemaSpec = {
    priorityLevelConfiguration: { name: 'level' },
    matchingPrecedence: 1000,
    distinguisherMethod: { type: 'ByNamespace' },
  };
  const schema = new EffectiveFlowSchema({ metadata: { name: 'schema' }, spec }, level, metrics, []);
  const before = usedHeapBytes();
  for (let i = 0; i < 1000; i++) {
    const url = `/api/v1/namespaces/a-namespace-with-number-${i}/pods?${'x'.repeat(100_000)}`;
    const { namespace } = requestInfo(url);
    assert.equal(schema.flowOf(userNamed('alice'), { namespace }).distinguisher, namespace);
    const long = requestInfo(`/api/v1/namespaces/${i}${'x'.repeat(100_000)}/pods`);
    assert.equal(schema.flowOf(userNamed('alice'), long).distinguisher, long.namespace);
  }
  assert.ok(usedHeapBytes() - before < 10_000_000);
  // Used once more, so that it has not been collected before.
  assert.equal(schema.name, 'schema');
});
