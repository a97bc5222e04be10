// Tests of the index of channels: which of them are candidates for a change.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Selection } from '../selection.ts';
import type { EqualityRequirement } from '../store.ts';
import { encodePairs } from '../stored-object.ts';
import { Channel } from './channel.ts';
import { json } from './fixture.ts';
import { RoutedChange } from './routed-change.ts';
import { ScopeChannels } from './scope-channels.ts';

function channel(id: string, ...equalities: EqualityRequirement[]): Channel {
  return new Channel('things/', id, json, new Selection(id, { labels: () => true, equalities }));
}

const label = (name: string, ...values: string[]): EqualityRequirement => ({ kind: 'label', name, values });

function candidates(channels: ScopeChannels, labels: Record<string, string>, before = labels): string[] {
  const state = (pairs: Record<string, string>) => ({
    ...{ key: 'things/a/b', revision: 1, json: Buffer.alloc(0), revisionOffset: 0, revisionLength: 1 },
    ...{ listItemOffset: 0, labels: encodePairs(pairs), selectableFields: '', schemaFingerprint: '' },
  });
  const change = new RoutedChange({
    ...{ prefix: 'things', key: 'things/a/b', revision: 2, type: 'updated', committedAtMs: 0 },
    ...{ object: state(labels), previous: state(before) },
  });
  return Array.from(channels.candidates(change), ({ id }) => id);
}

test('a change has the channels of its old and new values as candidates, each once, and those without a requirement', () => {
  const channels = new ScopeChannels();
  for (let i = 0; i < 1000; i++) channels.add(channel(`${i}`, label('shard', `${i}`, `${i + 1}`)));
  channels.add(channel('any'));
  channels.add(channel('name', { kind: 'key', name: 'metadata.name', values: ['b'] }));
  channels.add(channel('namespace', { kind: 'key', name: 'metadata.namespace', values: ['b'] }));
  assert.deepEqual(candidates(channels, { shard: '7' }).sort(), ['6', '7', 'any', 'name']);
  assert.deepEqual(candidates(channels, { shard: '8' }, { shard: '7', other: 'x' }).length, 5);
  assert.deepEqual(candidates(channels, {}), ['any', 'name']);
});

test('a channel is indexed by its rarest requirement', () => {
  const channels = new ScopeChannels();
  channels.add(channel('web', label('app', 'web')));
  for (let i = 0; i < 10; i++) channels.add(channel(`${i}`, label('app', 'web'), label('shard', `${i}`)));
  assert.deepEqual(candidates(channels, { app: 'web', shard: '3' }), ['web', '3']);
});

test('a removed channel is no candidate, and the name of another one can be used again', () => {
  const channels = new ScopeChannels();
  const [first, second] = [channel('a', label('app', 'x', 'y')), channel('a', label('app', 'y'))];
  channels.add(first);
  channels.delete(first);
  assert.deepEqual([candidates(channels, { app: 'x' }), channels.size], [[], 0]);
  channels.add(second);
  // It was removed before: this must not remove the second one.
  channels.delete(first);
  assert.deepEqual([candidates(channels, { app: 'y' }), channels.size], [['a'], 1]);
});
