import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { MovableClock } from '../../src/base/clock.ts';
import { defaultOptions } from '../../src/server/options.ts';
import type { RunningServer } from '../../src/server/server-parts.ts';
import { silentLogger } from '../../src/telemetry/log.ts';
import { summarize, TestClient } from '../support/client.ts';
import { runServer } from '../support/servers.ts';

const minute = 60_000;
const events = '/api/v1/namespaces/default/events';

/** Stores everything on disk, and Events for ten minutes. */
class OnDisk extends TestClient {
  readonly clock = new MovableClock();
  folder = '';
  server!: RunningServer;

  get url(): string {
    return this.server.url;
  }

  async start(): Promise<void> {
    this.server = await runServer(
      {
        ...defaultOptions,
        httpPort: 0,
        securePort: undefined,
        dataDir: this.folder,
        certDir: join(this.folder, 'pki'),
        eventTtl: 10 * minute,
      },
      { clock: this.clock, logger: silentLogger },
    );
  }
}

const api = new OnDisk();
before(async () => {
  api.folder = await mkdtemp(join(tmpdir(), 'orch-events-'));
  await api.start();
});
after(async () => {
  await api.server.stop();
  await rm(api.folder, { recursive: true });
});

async function happen(name: string): Promise<void> {
  const { code, text } = await api.post(events, {
    metadata: { name },
    involvedObject: { kind: 'Pod', namespace: 'default', name: 'p' },
    reason: 'Tested',
    type: 'Normal',
  });
  assert.equal(code, 201, text);
}

const code = async (name: string) => (await api.get(`${events}/${name}`)).code;
const gone = async (name: string) => {
  for (let i = 0; i < 10_000 && (await code(name)) !== 404; i++)
    await new Promise((resolve) => setTimeout(resolve, 5));
  assert.equal(await code(name), 404);
};

test('an Event expires in both groups, and watchers get DELETED', async () => {
  await happen('short');
  const { metadata } = (await api.get(`${events}/short`)).body;
  const other = '/apis/events.orch.io/v1/namespaces/default/events';
  const watch = await api.watch(`${other}?watch=1&resourceVersion=${metadata.resourceVersion}`);
  api.clock.advance(9 * minute);
  assert.equal(await code('short'), 200);
  api.clock.advance(2 * minute);
  assert.deepEqual(summarize([(await watch.next())!]), ['DELETED short']);
  watch.close();
  assert.equal(await code('short'), 404);
  assert.equal((await api.get(`${other}/short`)).code, 404);
});

test('an update restarts the TTL of an Event', async () => {
  await happen('again');
  api.clock.advance(8 * minute);
  const { body } = await api.get(`${events}/again`);
  assert.equal((await api.put(`${events}/again`, { ...body, count: 2 })).code, 200);
  api.clock.advance(8 * minute);
  assert.equal(await code('again'), 200);
  api.clock.advance(3 * minute);
  await gone('again');
});

test('an Event that expired while the server was down is deleted at start', async () => {
  await happen('before');
  await api.server.stop();
  api.clock.advance(11 * minute);
  await api.start();
  await gone('before');
});
