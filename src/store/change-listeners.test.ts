// Tests the dispatch of committed changes to listeners.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ChangeListeners } from './change-listeners.ts';
import type { Change, StoredObject } from './store.ts';

const change = (revision: number, prefix: string): Change => ({
  revision,
  type: 'created',
  prefix,
  key: `${prefix}/a`,
  object: {} as StoredObject,
  committedAtMs: 0,
});

const revisionsIn = (changes: readonly Change[]) => changes.map(({ revision }) => revision).join(',');

test('a batch of several resources is filtered for each listener and delivered in subscription order', () => {
  const listeners = new ChangeListeners();
  const received: string[] = [];
  listeners.add((changes) => received.push(`pods ${revisionsIn(changes)}`), ['pods']);
  listeners.add((changes) => received.push(`all ${revisionsIn(changes)}`));
  listeners.add((changes) => received.push(`nodes ${revisionsIn(changes)}`), ['nodes']);
  listeners.add((changes) => received.push(`both ${revisionsIn(changes)}`), ['pods', 'secrets']);
  listeners.notify([change(1, 'pods'), change(2, 'secrets'), change(3, 'pods')]);
  listeners.notify([change(4, 'nodes')]);
  assert.deepEqual(received, ['pods 1,3', 'all 1,2,3', 'both 1,2,3', 'all 4', 'nodes 4']);
});

test('a batch from a listener that writes is delivered after the current one', () => {
  const listeners = new ChangeListeners();
  const received: string[] = [];
  listeners.add(() => listeners.notify([change(2, 'nodes')]), ['pods']);
  listeners.add((changes) => received.push(`nodes ${revisionsIn(changes)}`), ['nodes']);
  listeners.add((changes) => received.push(`all ${revisionsIn(changes)}`));
  listeners.notify([change(1, 'pods')]);
  assert.deepEqual(received, ['all 1', 'nodes 2', 'all 2']);
});

test('a listener that is unsubscribed or subscribed during a dispatch is left out of it', () => {
  const listeners = new ChangeListeners();
  const received: string[] = [];
  listeners.add(() => {
    stop();
    listeners.add((changes) => received.push(`new ${revisionsIn(changes)}`), ['pods']);
  });
  const stop = listeners.add(() => received.push('stopped'), ['pods']);
  listeners.notify([change(1, 'pods')]);
  assert.deepEqual(received, []);
  listeners.notify([change(2, 'pods')]);
  assert.deepEqual(received, ['new 2']);
});

test('the same function can subscribe twice', () => {
  const listeners = new ChangeListeners();
  let calls = 0;
  const listener = () => {
    calls++;
  };
  const stop = listeners.add(listener);
  listeners.add(listener);
  listeners.notify([change(1, 'pods')]);
  stop();
  listeners.notify([change(2, 'pods')]);
  assert.equal(calls, 3);
});
