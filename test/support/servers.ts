/**
 * The servers of the API's tests: one in this process, with everything in memory; or, where `npm run test:replicas` asks for
 * it, several on one etcd that are asked in turn. A test sees no difference but in what is one process's own.
 */
import { type EmbeddedServer, type EmbedOptions, startServer as startEmbedded } from '../../src/index.ts';
import type { ServerOptions } from '../../src/server/options.ts';
import { type RunningServer, runServer as runOne, type ServerParts } from '../../src/server/server.ts';
import { runReplicas, startReplicas } from '../replicas/replicas.ts';

const members = process.env.ORCH_TEST_REPLICAS?.split(',');

export function startServer(options: Partial<EmbedOptions> = {}): Promise<EmbeddedServer> {
  return members ? startReplicas(members, options) : startEmbedded(options);
}

/** One that is given its store keeps to it. */
export function runServer(options: ServerOptions, parts: ServerParts = {}): Promise<RunningServer> {
  return members && !parts.store ? runReplicas(members, options, parts) : runOne(options, parts);
}
