import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { kubeconfig } from '../../src/cli/kubeconfig.ts';
import { defaultOptions } from '../../src/server/options.ts';
import { runServer } from '../../src/server/server.ts';
import type { RunningServer } from '../../src/server/server-parts.ts';

/** A server for unmodified clients: the `kubernetes` dialect, data on disk, HTTPS only, with an admin kubeconfig. */
export interface ClientTarget {
  /** Path of the kubeconfig. */
  readonly kubeconfig: string;
  /** A folder for the client's own files; deleted after `stop`. */
  readonly folder: string;
  /** Restarts the server on the same data and port. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Starts a server for the clients of a test, with these controllers. With ORCH_CLIENT_TESTS_KUBECONFIG they use another server
 * instead, for example a real kube-apiserver, to verify the expectations of the tests.
 */
export async function startTarget(controllers: readonly string[] = []): Promise<ClientTarget> {
  const folder = mkdtempSync(join(tmpdir(), 'orch-clients-'));
  const elsewhere = process.env.ORCH_CLIENT_TESTS_KUBECONFIG;
  if (elsewhere) {
    const nothing = async () => {};
    return {
      kubeconfig: elsewhere,
      folder,
      restart: nothing,
      stop: async () => rmSync(folder, { recursive: true }),
    };
  }

  let server = await start(folder, 0, controllers);
  const { secureUrl: url, caCertificate, adminCredentials: credentials } = server;
  if (url === undefined) throw new Error('the server has no secure address');
  const path = join(folder, 'kubeconfig');
  writeFileSync(path, kubeconfig({ url, caCertificate, credentials }));
  return {
    kubeconfig: path,
    folder,
    async restart() {
      await server.stop();
      server = await start(folder, Number(new URL(url).port), controllers);
    },
    async stop() {
      await server.stop();
      rmSync(folder, { recursive: true });
    },
  };
}

function start(folder: string, securePort: number, controllers: readonly string[]): Promise<RunningServer> {
  return runServer({
    ...defaultOptions,
    dialect: 'kubernetes',
    dataDir: join(folder, 'data'),
    certDir: join(folder, 'pki'),
    securePort,
    // Objects that other controllers create in every namespace would be in the results of a test.
    controllers: ['clusterrole-aggregation-controller', ...controllers],
    runtimeConfig: { 'api/all': true },
    featureGates: { AllAlpha: true, AllBeta: true },
  });
}
