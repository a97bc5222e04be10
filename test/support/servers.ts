/**
 * The servers of the API tests: one in this process, with memory storage; or, for `npm run test:replicas`, several on one etcd
 * that are used in turn. Tests see no difference except in state of the process itself.
 */
import { type EmbeddedServer, type EmbedOptions, startServer as startEmbedded } from '../../src/index.ts';
import type { ServerOptions } from '../../src/server/options.ts';
import { type RunningServer, runServer as runOne, type ServerParts } from '../../src/server/server.ts';
import { runReplicas, startReplicas } from '../replicas/replicas.ts';

const members = process.env.ORCH_TEST_REPLICAS?.split(',');

export function startServer(options: Partial<EmbedOptions> = {}): Promise<EmbeddedServer> {
  return members ? startReplicas(members, options) : startEmbedded(options);
}

/** A server with its own store keeps it. */
export function runServer(options: ServerOptions, parts: ServerParts = {}): Promise<RunningServer> {
  return members && !parts.store ? runReplicas(members, options, parts) : runOne(options, parts);
}
