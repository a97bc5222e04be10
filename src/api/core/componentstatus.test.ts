import assert from 'node:assert/strict';
import { test } from 'node:test';
import { componentstatuses } from './componentstatus.ts';

test('the store is reported under the name that clients know', async () => {
  const { virtual, schema } = componentstatuses();
  const list = (healthy: boolean, message: string) =>
    virtual!.list({ storageHealth: async () => ({ healthy, message }) });
  const [well] = await list(true, 'ok');
  assert.equal(
    schema.write(well!),
    '{"kind":"ComponentStatus","apiVersion":"v1","metadata":{"name":"etcd-0","creationTimestamp":null},"conditions":[{"type":"Healthy","status":"True","message":"ok"}]}',
  );
  const [ill] = await list(false, 'disk full');
  assert.deepEqual(ill!.conditions, [{ type: 'Healthy', status: 'False', message: 'disk full' }]);
});
