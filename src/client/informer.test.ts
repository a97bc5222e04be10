// Tests of Informer: handlers, indexes, watch without list, reset.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MovableClock } from '../base/clock.ts';
import type { ServedResource } from '../kind/registry.ts';
import { MemoryStore } from '../store/memory/memory-store.ts';
import { encodePairs } from '../store/stored-object.ts';
import { Informer } from './informer.ts';

/** The members of a resource that an informer uses without decoding objects. */
const resource = {
  prefix: 'things',
  key: (namespace: string, name: string) => `things/${namespace}/${name}`,
  range: (namespace: string) => (namespace === '' ? 'things/' : `things/${namespace}/`),
  namespaceAndName(key: string) {
    const [, namespace = '', name = ''] = key.split('/');
    return { namespace, name };
  },
} as ServedResource;

async function put(store: MemoryStore, key: string, color: string | null): Promise<void> {
  const json = Buffer.from('{"metadata":{"resourceVersion":""}}');
  const labels = encodePairs({ color: color ?? '' });
  const draft = {
    json,
    revisionOffset: 32,
    listItemOffset: 1,
    labels,
    selectableFields: '',
    schemaFingerprint: '',
  };
  await store.commit({ prefix: 'things', key: `things/${key}`, draft: color === null ? null : draft });
}

function informerOf(store: MemoryStore) {
  const events: string[] = [];
  const informer = new Informer<unknown>(
    store,
    resource,
    {
      onAdd: ({ key }) => events.push(`add ${key}`),
      onUpdate: (oldObject, { key, labels }) =>
        events.push(`update ${key} ${oldObject.labels.get('color')} ${labels.get('color')}`),
      onDelete: ({ namespace, name }) => events.push(`delete ${namespace} ${name}`),
      onReset: () => events.push('reset'),
    },
    { color: ({ labels }) => [labels.get('color') ?? ''] },
  );
  const byColor = (color: string) => informer.byIndex('color', color).map(({ key }) => key);
  return { events, informer, byColor };
}

async function filled(): Promise<MemoryStore> {
  const store = new MemoryStore({ clock: new MovableClock() });
  await put(store, 'a/one', 'red');
  await put(store, 'b/two', 'red');
  return store;
}

test('an informer calls handlers for listed objects and for changes, and maintains its indexes', async () => {
  const store = await filled();
  const { events, informer, byColor } = informerOf(store);
  informer.start();
  await informer.hasSynced;
  assert.deepEqual(byColor('red'), ['a/one', 'b/two']);
  await put(store, 'a/one', 'blue');
  await put(store, 'b/two', null);
  assert.deepEqual(events, ['add a/one', 'add b/two', 'update a/one red blue', 'delete b two']);
  assert.deepEqual([byColor('red'), byColor('blue')], [[], ['a/one']]);
  assert.deepEqual([...informer.indexedKeys('color')], ['a/one']);
});

test('an informer that only watches calls onAdd for created objects, and still reads existing ones', async () => {
  const store = await filled();
  const { events, informer } = informerOf(store);
  informer.watch();
  await put(store, 'c/three', 'red');
  assert.deepEqual(events, ['add c/three']);
  assert.equal(informer.get('a', 'one')?.labels.get('color'), 'red');
  assert.deepEqual(informer.keys('b'), ['b/two']);
  assert.deepEqual(informer.keysAfter('a/one', 1), ['b/two']);
});

test('an informer lists again after a reset, and stops when it is closed', async () => {
  const store = await filled();
  const { events, informer, byColor } = informerOf(store);
  informer.sync();
  informer.reset();
  assert.deepEqual(byColor('red'), []);
  informer.sync();
  assert.deepEqual(byColor('red'), ['a/one', 'b/two']);
  informer.close();
  await put(store, 'a/one', null);
  assert.deepEqual(events, ['add a/one', 'add b/two', 'reset', 'add a/one', 'add b/two']);
});
