import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CelOnDemand } from './on-demand.ts';

test('CelOnDemand loads the engine once', async () => {
  let made = 0;
  const onDemand = new CelOnDemand((cel) => ({ number: ++made, cel }));
  assert.throws(() => onDemand.value, /before it is loaded/);
  await Promise.all([onDemand.load(), onDemand.load()]);
  assert.equal(made, 1);
  assert.equal(onDemand.load(), undefined);
  assert.ok(onDemand.value.cel.createEnvironment({ serviceName: 'orch' }));
});
