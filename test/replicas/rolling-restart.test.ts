import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { MovableClock } from '../../src/base/clock.ts';
import { freePort } from '../support/free-port.ts';
import { startLoad } from './load.ts';
import { noEtcd, ServersOnEtcd } from './servers-on-etcd.ts';

/** How often every server is restarted. */
const rounds = Number(process.env.ORCH_RESTART_ROUNDS ?? 1);
/** How long the load balancer has to notice that a server will stop; less than a request may take. */
const notice = 20_000;

describe('three servers under load that are restarted one after the other', { skip: noEtcd }, () => {
  const servers = new ServersOnEtcd([]);

  test('fail no request, and every watch resumes', async () => {
    const ports = [await freePort(), await freePort(), await freePort()];
    const start = async (n: number) => {
      const clock = new MovableClock();
      const options = { httpPort: ports[n]!, shutdownDelayDuration: notice };
      const { running } = await servers.start(`replica-${n}`, options, { clock });
      return { running, clock };
    };
    const replicas = [await start(0), await start(1), await start(2)];
    const load = await startLoad({
      servers: ports.map((port) => `http://127.0.0.1:${port}`),
      lookEvery: 50,
      writers: 6,
      watchers: 3,
    });
    for (let round = 0; round < rounds; round++) {
      for (const [n, { running, clock }] of replicas.entries()) {
        await load.written(30);
        const stopped = running.stop();
        await load.ready(2);
        clock.advance(notice);
        await stopped;
        await load.written(30);
        replicas[n] = await start(n);
        await load.ready(3);
      }
    }
    await load.written(30);
    const { failures, resumed, writes, heard } = await load.end();
    assert.deepEqual(failures, []);
    assert.ok(resumed >= rounds, `${resumed} watches were resumed`);
    // Each watcher received every write, once and in order.
    for (const events of heard) assert.deepEqual(events, writes);
  });
});
