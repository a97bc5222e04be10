/**
 * The servers of the API tests: one in this process, with memory storage; or, for `npm run test:replicas`, several on one etcd
 * that are used in turn. Tests see no difference except in state of the process itself.
 */
import { MovableClock } from '../../src/base/clock.ts';
import { kubeconfig } from '../../src/cli/kubeconfig.ts';
import { parseEmbedOptions } from '../../src/embed/embed-options.ts';
import type { EmbedOptions } from '../../src/index.ts';
import { defaultOptions, type ServerOptions } from '../../src/server/options.ts';
import { runServer as runOne } from '../../src/server/server.ts';
import type { RunningServer, ServerParts } from '../../src/server/server-parts.ts';
import { MemoryStore } from '../../src/store/memory/memory-store.ts';
import { silentLogger } from '../../src/telemetry/log.ts';
import { runReplicas, startReplicas } from '../replicas/replicas.ts';
import type { ServerUnderTest } from './server-under-test.ts';

const members = process.env.ORCH_TEST_REPLICAS?.split(',');

export function startServer(options: Partial<EmbedOptions> = {}): Promise<ServerUnderTest> {
  return members ? startReplicas(members, options) : startInMemory(options);
}

async function startInMemory(options: Partial<EmbedOptions>): Promise<ServerUnderTest> {
  const { flags } = parseEmbedOptions(options);
  const clock = new MovableClock();
  const store = new MemoryStore({ clock });
  const server = await runOne({ ...memoryOptions, ...flags }, { clock, store, logger: silentLogger });
  const { url, caCertificate, adminCredentials: credentials, client } = server;
  const start = store.snapshot();
  return {
    url,
    kubeconfig: kubeconfig({ url, caCertificate, credentials }),
    client,
    clock,
    snapshot: () => store.snapshot(),
    restore: (snapshot) => store.restore(snapshot),
    reset: () => store.restore(start),
    stop: () => server.stop(),
  };
}

/** A plain listener on a free port, and nothing on disk. */
const memoryOptions: ServerOptions = {
  ...defaultOptions,
  storage: 'memory',
  httpPort: 0,
  securePort: undefined,
  certDir: undefined,
};

/** A server with its own store keeps it. */
export function runServer(options: ServerOptions, parts: ServerParts = {}): Promise<RunningServer> {
  return members && !parts.store ? runReplicas(members, options, parts) : runOne(options, parts);
}
