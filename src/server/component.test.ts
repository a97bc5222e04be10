// Tests of the components' lifecycle.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Components } from './component.ts';

test('components close once, in reverse order, one after the other; they reset in order', async () => {
  const components = new Components();
  const calls: string[] = [];
  components.add({
    reset: () => void calls.push('reset store'),
    close: () => void calls.push('close store'),
  });
  components.add({
    reset: () => void calls.push('reset http'),
    async close() {
      calls.push('http begins to close');
      await new Promise(setImmediate);
      calls.push('http is closed');
    },
  });
  components.reset();
  const first = components.close();
  await components.close();
  await first;
  assert.deepEqual(calls, [
    'reset store',
    'reset http',
    'http begins to close',
    'http is closed',
    'close store',
  ]);
});
