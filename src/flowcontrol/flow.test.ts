// Tests of flow distinguishers.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FlowSchemaSpec } from '../apis/flowcontrol/flowschema.ts';
import { EffectiveFlowSchema } from './flow.ts';
import { LevelFixture, userNamed } from './priority-level.fixture.ts';

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
