// Tests of the taints that follow from the conditions of a node.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Node } from '../../apis/core/node.ts';
import type { Taint } from '../../apis/core/taint.ts';
import { orch } from '../../dialect/orch.ts';
import { changeTaints, noExecuteChange, noExecuteState, noScheduleChange } from './node-taints.ts';

const keys = orch.taints;
const node = (conditions: Record<string, string>, taints: readonly Taint[] = [], unschedulable = false) =>
  ({
    metadata: { name: 'n' },
    spec: { taints, unschedulable },
    status: { conditions: Object.entries(conditions).map(([type, status]) => ({ type, status })) },
  }) as unknown as Node;
const noSchedule = (key: string): Taint => ({ key, effect: 'NoSchedule' });
const noExecute = (key: string): Taint => ({ key, effect: 'NoExecute' });

test('each condition has its NoSchedule taint, and so has an unschedulable node', () => {
  const pressed = node(
    {
      Ready: 'False',
      MemoryPressure: 'True',
      DiskPressure: 'True',
      PIDPressure: 'True',
      NetworkUnavailable: 'True',
    },
    [],
    true,
  );
  const { toAdd, toRemove } = noScheduleChange(pressed, keys);
  assert.deepEqual(toAdd, [
    noSchedule(keys.notReady),
    noSchedule(keys.memoryPressure),
    noSchedule(keys.diskPressure),
    noSchedule(keys.pidPressure),
    noSchedule(keys.networkUnavailable),
    noSchedule(keys.unschedulable),
  ]);
  assert.deepEqual(toRemove, []);
  assert.deepEqual(noScheduleChange(node({ Ready: 'Unknown' }), keys).toAdd, [noSchedule(keys.unreachable)]);
});

test('obsolete NoSchedule taints are removed, and taints of others stay', () => {
  const own = noSchedule('example.com/own');
  const healthy = node({ Ready: 'True' }, [noSchedule(keys.notReady), own, noExecute(keys.diskPressure)]);
  const change = noScheduleChange(healthy, keys);
  assert.deepEqual(change, { toAdd: [], toRemove: [noSchedule(keys.notReady)] });
  assert.deepEqual(changeTaints(healthy.spec.taints!, change, 'now'), [own, noExecute(keys.diskPressure)]);
});

test('the NoExecute taint is that of the Ready condition', () => {
  const stateOf = (ready: string, ...taints: string[]) =>
    noExecuteState(node({ Ready: ready }, taints.map(noExecute)), keys);
  assert.equal(stateOf('True'), 'current');
  assert.equal(stateOf('True', keys.notReady), 'obsolete');
  assert.equal(stateOf('False'), 'missing');
  assert.equal(stateOf('False', keys.notReady), 'current');
  assert.equal(stateOf('False', keys.unreachable), 'opposite');
  assert.equal(stateOf('Unknown', keys.notReady), 'opposite');
  assert.equal(noExecuteState(node({}), keys), 'current');
  const silent = node({ Ready: 'Unknown' }, [noExecute(keys.notReady)]);
  assert.deepEqual(changeTaints(silent.spec.taints!, noExecuteChange(silent, keys), 'now'), [
    { ...noExecute(keys.unreachable), timeAdded: 'now' },
  ]);
});

test('taints that are as desired are returned as they are', () => {
  const taints = [noExecute(keys.unreachable)];
  assert.equal(changeTaints(taints, noExecuteChange(node({ Ready: 'Unknown' }), keys), 'now'), taints);
});
