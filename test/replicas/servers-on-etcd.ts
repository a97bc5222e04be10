import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before } from 'node:test';
import { defaultOptions, type ServerOptions } from '../../src/server/options.ts';
import { runServer } from '../../src/server/server.ts';
import type { RunningServer, ServerParts } from '../../src/server/server-parts.ts';
import { findEtcd, TestEtcd } from '../../src/store/etcd/etcd.fixture.ts';
import { silentLogger } from '../../src/telemetry/log.ts';
import { TestClient } from '../support/client.ts';

/** One of several servers on one etcd. */
export class Replica extends TestClient {
  readonly running: RunningServer;

  constructor(running: RunningServer) {
    super();
    this.running = running;
  }

  get url(): string {
    return this.running.url;
  }
}

const found = findEtcd();

/** For `skip`: the reason if there is no etcd. */
export const noEtcd = 'missing' in found && found.missing;

/** An etcd of one member and servers on it, started before the tests of a `describe` and stopped after them. */
export class ServersOnEtcd {
  readonly #options: Partial<ServerOptions>;
  readonly #all: Replica[] = [];
  root = '';
  etcd!: TestEtcd;

  constructor(names: readonly string[], options: Partial<ServerOptions> = {}) {
    this.#options = options;
    before(async () => {
      this.etcd = await TestEtcd.start('program' in found ? found.program : '');
      this.root = await mkdtemp(join(tmpdir(), 'orch-on-etcd-'));
      for (const name of names) await this.start(name);
    });
    after(async () => {
      await Promise.all(this.#all.map(({ running }) => running.stop()));
      await this.etcd.stop();
      await rm(this.root, { recursive: true });
    });
  }

  get pair(): [Replica, Replica] {
    return this.#all as [Replica, Replica];
  }

  async start(name: string, options: Partial<ServerOptions> = {}, parts: ServerParts = {}): Promise<Replica> {
    const replica = new Replica(
      await runServer(
        {
          ...defaultOptions,
          storage: 'etcd',
          etcdServers: [this.etcd.url],
          dataDir: join(this.root, name),
          certDir: join(this.root, 'pki'),
          httpPort: 0,
          securePort: undefined,
          ...this.#options,
          ...options,
        },
        { logger: silentLogger, ...parts },
      ),
    );
    this.#all.push(replica);
    return replica;
  }
}
