import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { MovableClock } from '../../src/base/clock.ts';
import { defaultOptions } from '../../src/server/options.ts';
import { runServer } from '../../src/server/server.ts';
import type { RunningServer } from '../../src/server/server-parts.ts';
import { MemoryStore } from '../../src/store/memory/memory-store.ts';
import { silentLogger } from '../../src/telemetry/log.ts';
import { type Body, TestClient } from '../support/client.ts';
import { untilDeleted } from '../support/controllers.ts';

class Client extends TestClient {
  readonly url: string;

  constructor(url: string) {
    super();
    this.url = url;
  }
}

const clock = new MovableClock();
const servers: RunningServer[] = [];
after(async () => {
  for (const server of servers) await server.stop();
});

async function start(store: MemoryStore, controllers: string[]): Promise<Client> {
  const options = { ...defaultOptions, storage: 'memory', httpPort: 0, securePort: undefined } as const;
  const server = await runServer(
    { ...options, controllers, writeThreads: 0 },
    { clock, store, logger: silentLogger },
  );
  servers.push(server);
  return new Client(server.url);
}

test('controllers finish after a restart what the previous process left, including dependents', async () => {
  const store = new MemoryStore({ clock });
  const before = await start(store, ['-*']);
  await before.post('/api/v1/namespaces', { metadata: { name: 'doomed' } });
  await before.post('/api/v1/namespaces/doomed/secrets', { metadata: { name: 'a' } });
  await before.delete('/api/v1/namespaces/doomed');
  const path = await before.namespace();
  const make = async (name: string, owner?: Body): Promise<Body> => {
    const { uid, name: ownerName } = owner?.metadata ?? {};
    const reference = { apiVersion: 'v1', kind: 'ConfigMap', name: ownerName, uid, blockOwnerDeletion: true };
    const metadata = { name, ...(owner && { ownerReferences: [reference] }) };
    return (await before.post(path, { metadata })).body;
  };
  const left = await make('left');
  await make('of-one-that-has-gone', left);
  await before.delete(`${path}/left`);
  // In the order of names, owners come both before and after their dependents.
  const owners = [await make('a-leaving'), await make('z-leaving')];
  for (const owner of owners) {
    for (let i = 0; i < 300; i++) await make(`m-of-${owner.metadata.name}-${i}`, owner);
    await before.delete(`${path}/${owner.metadata.name}?propagationPolicy=Foreground`);
  }
  const leaving = await make('leaving-orphans');
  await make('orphan', leaving);
  await before.delete(`${path}/leaving-orphans?propagationPolicy=Orphan`);
  assert.equal((await before.get(path)).body.items.length, 605);

  const now = await start(store, ['*', '-root-ca-certificate-publisher-controller']);
  await untilDeleted(now, '/api/v1/namespaces/doomed');
  await untilDeleted(now, `${path}/of-one-that-has-gone`);
  for (const owner of owners) {
    await untilDeleted(now, `${path}/${owner.metadata.name}`);
  }
  await untilDeleted(now, `${path}/leaving-orphans`);
  const { items } = (await now.get(path)).body;
  assert.deepEqual(
    items.map(({ metadata }) => metadata.name),
    ['orphan'],
  );
});
