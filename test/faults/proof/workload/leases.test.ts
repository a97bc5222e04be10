import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testServer } from '../../../support/client.ts';
import { newRecord } from '../record.ts';
import { openWatch } from './ask.ts';
import { LeaseHistory } from './leases.ts';

const server = testServer();
const leases = '/apis/coordination.orch.io/v1/namespaces/orch-system/leases';
const lease = (holderIdentity?: string, resourceVersion?: string) => ({
  metadata: { name: 'orch-controllers', resourceVersion },
  spec: { holderIdentity, leaseDurationSeconds: 5, renewTime: '2026-01-01T12:00:00.000000Z' },
});

/** Lets the recorder observe the Lease until it has this many states, or no more arrive. */
function watch(history: LeaseHistory, states: number): Promise<void> {
  return new Promise((resolve) => {
    let left = states;
    const breakOff = openWatch(server.url, `${history.path}&timeoutSeconds=20`, {
      line(text) {
        history.take(0, text);
        if (--left === 0) breakOff();
      },
      end: () => resolve(),
    });
  });
}

test('a Lease that is released and acquired between two watches counts as released', async () => {
  let written = await server.post(leases, lease('x'));
  assert.equal(written.code, 201);
  const record = newRecord();
  const history = new LeaseHistory(record, 2);
  await watch(history, 1);
  const write = async (holder?: string) => {
    const { resourceVersion } = written.body.metadata;
    written = await server.put(`${leases}/orch-controllers`, lease(holder, resourceVersion));
    assert.equal(written.code, 200);
  };
  await write();
  await write('y');
  await watch(history, 2);
  const holders = () => record.leases.map((unbroken) => unbroken.map(({ holder }) => holder));
  assert.deepEqual(holders(), [['x', '', 'y']]);

  // One server may have compacted history that others still have.
  const forgotten = JSON.stringify({ type: 'ERROR', object: { code: 410 } });
  history.take(1, forgotten);
  await write('x');
  await watch(history, 1);
  assert.deepEqual(holders(), [['x', '', 'y', 'x']]);

  // After all servers have, the history is interrupted: in between any server may have held the Lease.
  history.take(1, forgotten);
  history.take(0, forgotten);
  await watch(history, 1);
  assert.deepEqual(holders(), [['x', '', 'y', 'x'], ['x']]);
});
