import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { freePort } from '../cli/free-port.ts';
import { type LoadTerms, putUnderLoad } from './load.ts';
import { noEtcd, type Replica, ServersOnEtcd } from './servers-on-etcd.ts';

/** How often every server is restarted. */
const rounds = Number(process.env.ORCH_RESTART_ROUNDS ?? 1);
/** In which whoever spreads requests over the servers notices that one is about to end. */
const notice = 500;

describe('three servers under load that are restarted one after the other', { skip: noEtcd }, () => {
  const servers = new ServersOnEtcd([]);

  test('fail no request, and every watch goes on where it was', async () => {
    const ports = [await freePort(), await freePort(), await freePort()];
    const start = (n: number): Promise<Replica> =>
      servers.start(`replica-${n}`, { httpPort: ports[n]!, shutdownDelayDuration: notice });
    const replicas = [await start(0), await start(1), await start(2)];
    const terms: LoadTerms = {
      servers: ports.map((port) => `http://127.0.0.1:${port}`),
      lookEvery: notice / 5,
      writers: 6,
      watchers: 3,
    };
    const load = await putUnderLoad(terms);
    for (let round = 0; round < rounds; round++) {
      for (const [n, replica] of replicas.entries()) {
        await load.written(30);
        await replica.running.stop();
        await load.written(30);
        replicas[n] = await start(n);
        await load.ready(ports.length);
      }
    }
    await load.written(30);
    const { failures, resumed, writes, heard } = await load.end();
    assert.deepEqual(failures, []);
    assert.ok(resumed >= rounds, `${resumed} watches were resumed`);
    // Each watcher heard of every write, once and in order.
    for (const events of heard) assert.deepEqual(events, writes);
  });
});
