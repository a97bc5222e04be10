import { createHash, randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MovableClock } from '../../src/base/clock.ts';
import { kubeconfig } from '../../src/cli/kubeconfig.ts';
import type { Client } from '../../src/client/client.ts';
import type { EmbedOptions } from '../../src/index.ts';
import { defaultOptions, type ServerOptions } from '../../src/server/options.ts';
import { runServer } from '../../src/server/server.ts';
import type { RunningServer, ServerParts } from '../../src/server/server-parts.ts';
import { silentLogger } from '../../src/telemetry/log.ts';
import type { ServerUnderTest } from '../support/server-under-test.ts';
import { waitForRules } from './wait-for-rules.ts';

const count = 3;

/** Three servers on one etcd that look like one: each read of `url` returns the next. */
class Replicas implements RunningServer {
  readonly #servers: readonly RunningServer[];
  readonly #afterwards: () => Promise<void>;
  #asked = 0;

  constructor(servers: readonly RunningServer[], afterwards: () => Promise<void>) {
    this.#servers = servers;
    this.#afterwards = afterwards;
    waitForRules(servers.map(({ url }) => url));
  }

  get url(): string {
    return this.#next.url;
  }

  get secureUrl(): string | undefined {
    return this.#next.secureUrl;
  }

  get client(): Client {
    return this.#next.client;
  }

  get caCertificate() {
    return this.#servers[0]!.caCertificate;
  }

  get adminCredentials() {
    return this.#servers[0]!.adminCredentials;
  }

  get prepared() {
    return this.#servers[0]!.prepared;
  }

  async stop(): Promise<void> {
    await Promise.all(this.#servers.map((server) => server.stop()));
    await this.#afterwards();
  }

  get #next(): RunningServer {
    return this.#servers[this.#asked++ % this.#servers.length]!;
  }
}

/** Like `runServer`, with etcd instead of the configured store. A data directory that is used again gets the same data. */
export async function runReplicas(
  members: readonly string[],
  options: ServerOptions,
  parts: ServerParts,
): Promise<Replicas> {
  const folder = await mkdtemp(join(tmpdir(), 'orch-replicas-'));
  const isKept = options.storage === 'lmdb';
  const name = isKept ? createHash('sha256').update(options.dataDir).digest('hex') : randomUUID();
  const start = (n: number) =>
    runServer(
      {
        ...options,
        storage: 'etcd',
        etcdServers: [...members],
        etcdPrefix: `/${name}`,
        dataDir: join(isKept ? options.dataDir : folder, `replica-${n}`),
        certDir: options.certDir === defaultOptions.certDir ? join(folder, 'pki') : options.certDir,
        // Tests move the clock by years, which no Lease survives: one server runs the controllers for all of them.
        leaderElect: false,
        controllers: n === 0 ? options.controllers : ['-*'],
      },
      parts,
    );
  const first = await start(0);
  const others = await Promise.all(Array.from({ length: count - 1 }, (_, i) => start(i + 1)));
  return new Replicas([first, ...others], () => rm(folder, { recursive: true, force: true }));
}

/** Like `startServer` of the package. */
export async function startReplicas(
  members: readonly string[],
  options: Partial<EmbedOptions>,
): Promise<ServerUnderTest> {
  const clock = new MovableClock();
  const replicas = await runReplicas(
    members,
    { ...defaultOptions, storage: 'memory', httpPort: 0, securePort: undefined, ...options },
    { clock, logger: silentLogger },
  );
  const { caCertificate, adminCredentials: credentials } = replicas;
  return {
    get url() {
      return replicas.url;
    },
    get kubeconfig() {
      return kubeconfig({ url: replicas.url, caCertificate, credentials });
    },
    get client() {
      return replicas.client;
    },
    clock,
    snapshot: onlyInMemory,
    restore: onlyInMemory,
    reset: onlyInMemory,
    stop: () => replicas.stop(),
  };
}

function onlyInMemory(): never {
  throw new Error('only what is in memory is put back');
}
