// What runs beside requests: the objects that exist before the first request, and the controllers.
import { ensureBootstrapPolicy } from '../auth/bootstrap/reconcile.ts';
import { ensureLegacyTokenTracking } from '../auth/legacy-token-tracking.ts';
import { ApiServerEndpoints } from '../controllers/kubernetesservice/api-server-endpoints.ts';
import { EventRecorder } from '../controllers/runtime/event-recorder.ts';
import { MasterLeases } from '../controllers/runtime/master-leases.ts';
import { createServiceAllocator } from '../controllers/runtime/service-allocator.ts';
import type { Logger } from '../telemetry/log.ts';
import { ensureSystemNamespaces, ensureSystemPriorityClasses } from './bootstrap-objects.ts';
import { createClusterSigner } from './certificates.ts';
import { type Component, type Components, startTogether } from './component.ts';
import { ControllerManager } from './controllers.ts';
import type { Foundation } from './foundation.ts';
import type { Serving } from './http.ts';
import { warnOnKeyMismatch } from './key-mismatch-warning.ts';
import type { ServerOptions } from './options.ts';
import type { Resources } from './resources.ts';
import type { ServerParts } from './server-parts.ts';

export type Background = Awaited<ReturnType<typeof startControllers>>;

/** Creates the objects that exist before the first request, and starts the controllers. */
export async function startControllers(
  options: ServerOptions,
  parts: ServerParts,
  foundation: Foundation,
  resources: Resources,
  serving: Serving,
  components: Components,
) {
  const { clock, logger, dialect, features, metrics, auditor, store, tokens, informers, ranges } = foundation;
  const { api, client, quotaLedger, writeExecutor } = resources;
  const { aggregation, flowConfigController, newQueue, metricsSource } = serving;
  const events = components.add(new EventRecorder(client, clock, logger));
  const endpoints = components.add(
    new ApiServerEndpoints({
      client,
      informers,
      allocator: createServiceAllocator(api),
      events,
      dialect,
      clock,
      logger,
      clusterIps: ranges.clusterIps,
      leaseFor: options.storage === 'etcd' ? (address) => new MasterLeases(store, clock, address) : undefined,
    }),
  );
  if (!parts.prepared) await startTogether(logger, { start: () => ensureSystemNamespaces(api) });
  await startTogether(logger, endpoints, flowConfigController);
  await startTogether(
    logger,
    ...(parts.prepared
      ? []
      : [
          { start: () => ensureLegacyTokenTracking(client, dialect, clock) },
          { start: () => ensureBootstrapPolicy({ client, informers, dialect, features }) },
          { start: () => ensureSystemPriorityClasses(api) },
        ]),
    aggregation,
  );
  const certificates = await foundation.certificatesLoading;
  const caCertificate = options.tlsCertFile === undefined ? certificates?.pki.ca.certificate : undefined;
  if (options.storage === 'etcd') await warnOnKeyMismatch(store, tokens, certificates, logger);
  aggregation.startRemote(certificates?.proxy);
  const controllers = components.add(
    new ControllerManager(options, {
      api,
      client,
      writeExecutor,
      auditor,
      metrics,
      nodeStages: foundation.nodeStages,
      context: {
        features,
        logger,
        events,
        quotas: quotaLedger,
        aggregatedApis: aggregation.controllerApis,
        metricsSource,
        schedulerConfig: foundation.schedulerConfig,
        newQueue,
        tokens,
        rootCa: caCertificate,
        signer: await createClusterSigner(options, certificates),
      },
    }),
  );
  const startAll = () => startTogether(logger, controllers);
  if (parts.prepared) components.add(startLater(startAll, logger));
  else await startAll();
  return { certificates, caCertificate, endpoints };
}

/** Starts controllers once the server is ready: clients need not wait for objects that exist already. */
function startLater(start: () => Promise<void>, logger: Logger): Component {
  let started: Promise<void> | undefined;
  const timer = setImmediate(() => {
    started = start().catch((error: unknown) => logger.error({ err: error }, 'failed to start controllers'));
  });
  return {
    async close() {
      clearImmediate(timer);
      await started;
    },
  };
}
