// Tests of refreshing volumes.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MovableClock } from '../base/clock.ts';
import { keepVolume } from './keep-volume.ts';

test('keepVolume refreshes again after onProblem has thrown', async () => {
  const clock = new MovableClock();
  let renders = 0;
  const volume = await keepVolume({
    clock,
    period: 1_000,
    async render() {
      if (++renders > 1 && renders < 4) throw new Error('not there');
      return { files: [], refreshAt: undefined };
    },
    onFiles() {},
    onProblem(problem) {
      throw problem;
    },
  });
  await assert.rejects(volume.refresh(), /not there/);
  clock.advance(1_000);
  await volume.refresh();
  assert.equal(renders, 4);
  volume.close();
});
