// Some random runs of the workload controllers; npm run test:controllers -- --properties makes more of them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runWorkloads } from './run.ts';

test('controllers stay within their bounds and reach their goals, whatever happens', async () => {
  assert.deepEqual(await runWorkloads({ firstSeed: 1, workloads: 40 }), []);
});
