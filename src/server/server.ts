// Composition root: creates the components of a server, starts them in order and closes them in reverse.
import type { Clock } from '../base/clock.ts';
import { startControllers } from './background.ts';
import { Components } from './component.ts';
import { openFoundation } from './foundation.ts';
import { createHttpServer } from './http.ts';
import { adminCredentialsOf, openListeners } from './listeners.ts';
import type { ServerOptions } from './options.ts';
import { createResources } from './resources.ts';
import { drainTimeoutMs, type RunningServer, type ServerParts } from './server-parts.ts';
import { HostThreads } from './threads/host-threads.ts';
import { servingThreadCount } from './threads/thread-count.ts';

export async function runServer(options: ServerOptions, parts: ServerParts = {}): Promise<RunningServer> {
  const components = new Components();
  try {
    return await startServer(options, parts, components);
  } catch (error) {
    // The error that prevented the start is the one to report, even if closing fails as well.
    await components.close().catch(() => {});
    throw error;
  }
}

async function startServer(
  options: ServerOptions,
  givenParts: ServerParts,
  components: Components,
): Promise<RunningServer> {
  const threadCount = servingThreadCount(options, givenParts);
  const threads = threadCount > 1 ? new HostThreads(threadCount) : undefined;
  const parts = threads ? { ...givenParts, sharing: threads.sharing } : givenParts;
  const foundation = await openFoundation(options, parts, components);
  const resources = createResources(options, parts, foundation, components);
  const serving = createHttpServer(options, parts, foundation, resources, components);
  threads?.connect(options, foundation, serving.renderMetrics);
  components.add({ close: () => threads?.stop() });
  const background = await startControllers(options, parts, foundation, resources, serving, components);
  const urls = await openListeners(options, parts, foundation, resources, serving, background, components);
  // The server is ready before its other threads listen too.
  const threadsStarting = threads?.start(options, parts, foundation, serving, background, urls);
  threadsStarting?.catch((error: unknown) =>
    foundation.logger.error({ err: error }, 'a serving thread did not start'),
  );
  const { clock } = foundation;
  const { http, state } = serving;
  const { certificates, caCertificate, endpoints } = background;
  return {
    ...urls,
    caCertificate,
    adminCredentials: certificates && adminCredentialsOf(certificates.pki),
    client: resources.client,
    prepared: { tokenOptions: foundation.tokenOptions },
    ...(threads && { threads: { started: threadsStarting!, crash: (thread) => threads.crash(thread) } }),
    async stop() {
      state.isDraining = true;
      http.announceShutdown();
      threads?.announceShutdown();
      await endpoints.withdraw();
      await sleep(clock, options.shutdownDelayDuration);
      await Promise.all([http.drain(drainTimeoutMs), threads?.stop()]);
      await components.close();
    },
  };
}

function sleep(clock: Clock, ms: number): Promise<void> {
  return ms > 0 ? new Promise((resolve) => clock.after(ms, resolve)) : Promise.resolve();
}
