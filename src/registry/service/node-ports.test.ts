import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MovableClock } from '../../base/clock.ts';
import { MemoryStore } from '../../store/memory/memory-store.ts';
import type { Draft } from '../../store/store.ts';
import { encodePairs } from '../../store/stored-object.ts';
import { NodePortAllocator, PortAllocationError } from './node-ports.ts';

const newStore = () => new MemoryStore({ clock: new MovableClock() });

function service(spec: object, type = 'NodePort'): Draft {
  const text = JSON.stringify({ metadata: { resourceVersion: '' }, spec: { type, ...spec } });
  const revisionOffset = text.indexOf('"resourceVersion":""') + '"resourceVersion":"'.length;
  const fields = encodePairs({ 'spec.type': type });
  return {
    json: Buffer.from(text),
    revisionOffset,
    listItemOffset: 1,
    labels: '',
    selectableFields: fields,
    schemaFingerprint: '',
  };
}

async function put(store: MemoryStore, name: string, draft: Draft | null): Promise<void> {
  await store.commit({ prefix: 'services/specs', key: `services/specs/default/${name}`, draft });
}

const ports = (...numbers: number[]) => ({ ports: numbers.map((nodePort) => ({ nodePort })) });

test('allocated node ports follow the existing Services and their changes', async () => {
  const store = newStore();
  await put(store, 'before', service({ ...ports(100, 100, 101), healthCheckNodePort: 102 }, 'LoadBalancer'));
  await put(store, 'alias', service(ports(103), 'ExternalName'));
  const nodePorts = new NodePortAllocator(store, { first: 100, last: 199 });
  nodePorts.beginOperation(false).end();
  const taken = () => [100, 101, 102, 103, 104].filter((port) => nodePorts.isTaken(port));
  assert.deepEqual(taken(), [100, 101, 102]);
  await put(store, 'before', service(ports(101, 104)));
  assert.deepEqual(taken(), [101, 104]);
  await put(store, 'after', service(ports(103)));
  await put(store, 'before', null);
  assert.deepEqual(taken(), [103]);
});

test('a node port reserved by a write is not available to others until it ends', () => {
  const nodePorts = new NodePortAllocator(newStore(), { first: 100, last: 199 });
  const one = nodePorts.beginOperation(false);
  one.allocate(150);
  const other = nodePorts.beginOperation(false);
  assert.throws(() => other.allocate(150), /provided port is already allocated/);
  assert.throws(() => one.allocate(150), /provided port is already allocated/);
  assert.throws(() => other.allocate(200), /not in the valid range. The range of valid ports is 100-199/);
  one.end();
  other.allocate(150);
});

test('every port of the range is allocated once, the low ones last', () => {
  const nodePorts = new NodePortAllocator(newStore(), { first: 1000, last: 1099 });
  const operation = nodePorts.beginOperation(false);
  const given = Array.from({ length: 100 }, () => operation.allocateNext());
  assert.equal(new Set(given).size, 100);
  assert.ok(given.slice(0, 84).every((port) => port >= 1016));
  assert.ok(given.slice(84).every((port) => port < 1016));
  assert.throws(() => operation.allocateNext(), PortAllocationError);
});

test('a dry run allocates nothing, and its next port is outside of the range', () => {
  const nodePorts = new NodePortAllocator(newStore(), { first: 100, last: 199 });
  const dry = nodePorts.beginOperation(true);
  dry.allocate(150);
  assert.throws(() => dry.allocate(150), /already allocated/);
  assert.equal(nodePorts.beginOperation(true).allocateNext(), 32_769);
  assert.equal(nodePorts.isTaken(150), false);
});
