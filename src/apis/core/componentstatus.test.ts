import assert from 'node:assert/strict';
import { test } from 'node:test';
import { componentstatuses } from './componentstatus.ts';

test('the store and the other components are reported under the names that clients know', async () => {
  const { virtual, schema } = componentstatuses();
  const asked: number[] = [];
  const list = (healthy: boolean, message: string, name?: string) =>
    virtual!.list(
      {
        storageHealth: async () => ({ healthy, message }),
        componentHealth: async (port) => {
          asked.push(port);
          return { healthy: false, message: `nobody at ${port}` };
        },
        metricsSource: undefined,
      },
      { namespace: '', names: name === undefined ? undefined : [name] },
    );
  const all = await list(true, 'ok');
  assert.deepEqual(
    all.map(({ metadata }) => metadata.name),
    ['controller-manager', 'scheduler', 'etcd-0'],
  );
  assert.deepEqual(all[1]!.conditions, [{ type: 'Healthy', status: 'False', message: 'nobody at 10259' }]);
  assert.equal(
    schema.write(all[2]!),
    '{"kind":"ComponentStatus","apiVersion":"v1","metadata":{"name":"etcd-0","creationTimestamp":null},"conditions":[{"type":"Healthy","status":"True","message":"ok"}]}',
  );
  assert.deepEqual(asked.splice(0), [10257, 10259]);
  const [ill] = await list(false, 'disk full', 'etcd-0');
  assert.deepEqual(ill!.conditions, [{ type: 'Healthy', status: 'False', message: 'disk full' }]);
  assert.deepEqual(asked, [], 'a get of one component does not wait for the others');
});
