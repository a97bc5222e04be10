// Runs a server until a termination signal, then shuts it down gracefully.

import { limitHeapGrowth, returnMemoryWhenIdle } from '../base/heap-size.ts';
import type { ServerOptions } from '../server/options.ts';
import { runServer } from '../server/server.ts';
import type { AdminCredentials, RunningServer } from '../server/server-parts.ts';
import type { Terminal } from './command.ts';
import { rejectForeignDirectory } from './data-directory.ts';
import { kubeconfig, writeKubeconfig } from './kubeconfig.ts';
import { explainStartError } from './start-failure.ts';

/** Signals within this time count as one: the terminal, npm and the launcher each forward Ctrl-C. */
const sameSignalMs = 1_000;

/** Resolves with the exit code after graceful shutdown. `announce` is called once the server is ready. */
export async function runUntilStopped(
  options: ServerOptions,
  kubeconfigPath: string,
  terminal: Terminal,
  announce: (server: RunningServer) => void,
): Promise<number> {
  // Before the start, so that a signal during it stops the server once it has started.
  const stopped = waitForStopSignal();
  limitHeapGrowth();
  const server = await start(options, kubeconfigPath);
  announce(server);
  const stopReturningMemory = returnMemoryWhenIdle();
  await stopped;
  stopReturningMemory();
  terminal.out('Stopping after open requests have finished; signal again to exit immediately.');
  await server.stop();
  return 0;
}

async function start(options: ServerOptions, kubeconfigPath: string): Promise<RunningServer> {
  try {
    rejectForeignDirectory(options.dataDir);
    const server: RunningServer = await runServer(options, {
      onAdminRenewed: (credentials) => writeAdminKubeconfig(server, credentials),
    });
    const writeAdminKubeconfig = (
      { secureUrl: url, caCertificate }: RunningServer,
      credentials: AdminCredentials,
    ) => {
      if (url !== undefined) writeKubeconfig(kubeconfigPath, kubeconfig({ url, caCertificate, credentials }));
    };
    if (server.adminCredentials) writeAdminKubeconfig(server, server.adminCredentials);
    return server;
  } catch (error) {
    throw explainStartError(error, options);
  }
}

/**
 * Resolves at the first termination signal; a later one ends the process with exit code 1. With ORCH_END_WITH_STDIN also at
 * the end of the standard input: a program that starts a server holds the other end of the pipe, so that the server ends with
 * it, also if it is killed.
 */
function waitForStopSignal(): Promise<void> {
  return new Promise((resolve) => {
    if (process.env.ORCH_END_WITH_STDIN) process.stdin.resume().once('close', resolve);
    let firstSignalMs = 0;
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
      process.on(signal, () => {
        if (firstSignalMs === 0) firstSignalMs = performance.now();
        else if (performance.now() - firstSignalMs > sameSignalMs) process.exit(1);
        resolve();
      });
    }
  });
}
