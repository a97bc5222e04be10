// The worker threads that prepare writes and encode large responses.
import { availableParallelism } from 'node:os';
import { namespaceLifecycle } from '../admission/namespace-lifecycle.ts';
import { isPluginEnabled } from '../admission/plugins.ts';
import type { Logger } from '../telemetry/log.ts';
import { OnDemandThread } from '../workers/on-demand-thread.ts';
import { WriteThreadPool } from '../workers/write-threads.ts';
import type { Components } from './component.ts';
import type { ServerOptions } from './options.ts';

/** The maximum for `auto`: the serving thread commits the writes of all workers, and more workers would saturate it. */
const maxAutoThreads = 4;

/** Returns undefined if the options disable worker threads. `hasPool`: not if serving threads share the work. */
export function createWorkerThreads(
  options: ServerOptions,
  logger: Logger,
  components: Components,
  hasPool: boolean,
) {
  const { dialect, featureGates, runtimeConfig, emulatedVersion, allowPrivileged, nodes, eventTtl } = options;
  const { enableAdmissionPlugins, disableAdmissionPlugins } = options;
  const { defaultNotReadyTolerationSeconds, defaultUnreachableTolerationSeconds } = options;
  if (options.writeThreads === 0) return undefined;
  const requested =
    options.writeThreads === 'auto'
      ? Math.min(availableParallelism() - 1, maxAutoThreads)
      : options.writeThreads;
  const count = hasPool ? requested : 0;
  const threadOptions = {
    dialect,
    featureGates,
    runtimeConfig,
    emulatedVersion,
    allowPrivileged,
    nodes,
    eventTtl,
    namespaceLifecycle: isPluginEnabled(namespaceLifecycle, options),
    admission: {
      enableAdmissionPlugins,
      disableAdmissionPlugins,
      defaultNotReadyTolerationSeconds,
      defaultUnreachableTolerationSeconds,
    },
  };
  return {
    // With one processor, `auto` starts no pool.
    pool: count === 0 ? undefined : components.add(new WriteThreadPool({ ...threadOptions, count, logger })),
    large: components.add(new OnDemandThread(threadOptions, logger)),
    // Reads do not wait for writes.
    encoding: components.add(new OnDemandThread(threadOptions, logger)),
  };
}
