// The HTTP server of a server with its aggregation, authentication, priority and fairness, and handlers.
import { Aggregation } from '../aggregation/aggregation.ts';
import { orchVersion } from '../base/version.ts';
import { WorkQueueMetrics } from '../controllers/runtime/queue-metrics.ts';
import { WorkQueue, type WorkQueueFactory } from '../controllers/runtime/work-queue.ts';
import { ConfigController } from '../flowcontrol/config-controller.ts';
import { WebConsole } from '../http/console/web-console.ts';
import { versionInfo } from '../http/endpoints/version.ts';
import { storeErrorToApiError } from '../http/handlers/dispatch.ts';
import { HttpServer } from '../http/http-server.ts';
import { NodeProxy } from '../http/node-proxy/connections.ts';
import { AccessLog, accessLogVerbosity } from '../http/telemetry/access-log.ts';
import { RequestMetrics } from '../http/telemetry/request-metrics.ts';
import { addWatchMetrics } from '../http/telemetry/watch-metrics.ts';
import { Serializers } from '../serializers/serializers.ts';
import { SimulatedKubelet } from '../simulation/kubelet/simulated-kubelet.ts';
import { SimulatedMetrics } from '../simulation/metrics/simulated-metrics.ts';
import { createServerMetrics } from '../telemetry/metrics.ts';
import { addProcessMetrics } from '../telemetry/process-metrics.ts';
import { addRegistryMetrics } from '../telemetry/registry-metrics.ts';
import { Authentication } from './authentication.ts';
import type { Components } from './component.ts';
import { consoleInfo } from './console-info.ts';
import { createFlowControl } from './flow-control.ts';
import type { Foundation } from './foundation.ts';
import { addBuildMetrics } from './metrics/build-metrics.ts';
import { addFeatureMetrics } from './metrics/feature-metrics.ts';
import { addWriteMetrics } from './metrics/write-metrics.ts';
import type { ServerOptions } from './options.ts';
import { newPathHandler } from './path-handler.ts';
import { newResourceHandler } from './resource-handler.ts';
import type { Resources } from './resources.ts';
import type { ServerParts } from './server-parts.ts';
import { storageHealth } from './storage-health.ts';

export type Serving = ReturnType<typeof createHttpServer>;

/** The HTTP server: aggregation, authentication, priority and fairness, and the handlers. It does not listen yet. */
export function createHttpServer(
  options: ServerOptions,
  parts: ServerParts,
  foundation: Foundation,
  resources: Resources,
  components: Components,
) {
  const { clock, logger, dialect, release, features, metrics, auditor, store, tokens } = foundation;
  const { informers, authorizer, identityHeaders, proxyCa, kubeletCredentials, nodeStages } = foundation;
  const { api, hub, client, writeExecutor, encodingWorker } = resources;
  const { sharing } = parts;
  const isFollower = sharing?.isFollower ?? false;
  const queueMetrics = new WorkQueueMetrics(metrics);
  const newQueue: WorkQueueFactory = (queue) =>
    new WorkQueue(queue, { clock, logger, metrics: queueMetrics });
  const aggregation = components.add(
    new Aggregation({ api, features, logger, identityHeaders, newQueue, isFollower }),
  );
  const simulatedKubelet = nodeStages && new SimulatedKubelet(clock, dialect, nodeStages.logs);
  const metricsSource = nodeStages && new SimulatedMetrics(informers, clock, dialect);
  const nodeProxy = new NodeProxy(api, features, kubeletCredentials, identityHeaders, simulatedKubelet);
  const authentication = components.add(
    new Authentication(options, {
      ...{ api, tokens, client, features, logger, identityHeaders, proxyCa },
      staticTokens: parts.staticTokens ?? [],
    }),
  );
  // Served at /metrics/slis.
  const sliMetrics = createServerMetrics(foundation.metricsOptions);
  const version = versionInfo(orchVersion, release);
  addProcessMetrics(metrics);
  addRegistryMetrics(metrics);
  addBuildMetrics(metrics, version);
  addWriteMetrics(metrics, writeExecutor);
  addWatchMetrics(metrics, hub, () => api.registry.stored);
  addFeatureMetrics(metrics, features);
  const flowControl = createFlowControl(options, { ...api, hub }, metrics, sharing);
  components.add({ close: () => flowControl?.close() });
  const flowConfigController = components.add(
    new ConfigController({
      ...{ client, informers, dialect, clock, logger, flow: flowControl },
      isPrepared: parts.prepared !== undefined,
      isFollower,
    }),
  );
  // The JWKS URI is known once the listeners are open.
  const state = { isDraining: false, jwksUri: '' };
  const handleResource = newResourceHandler(
    {
      api,
      hub,
      tokens,
      storageHealth: storageHealth(store),
      metricsSource,
      authorizer,
      authenticators: authentication.chain,
      nodeProxy,
      writeExecutor,
      watchList: features.enabled('WatchList'),
    },
    options,
    metrics,
    sharing?.threads ?? 1,
  );
  const webConsole = options.console
    ? new WebConsole(consoleInfo(dialect), (request, response, listener) =>
        http.filters.serve(request, response, listener),
      )
    : undefined;
  const { handlePath, renderMetrics } = newPathHandler(
    api,
    features,
    { metrics, sliMetrics, version },
    {
      flow: flowControl,
      aggregation,
      tokens,
      openApiWorker: encodingWorker,
      isDraining: () => state.isDraining,
      jwksUri: () => state.jwksUri,
      mergeMetrics: sharing && ((page) => sharing.mergeMetrics(page)),
      webConsole,
    },
  );
  const http: HttpServer = components.add(
    new HttpServer({
      authenticators: authentication.chain,
      anonymousAuth: options.anonymousAuth,
      authorizer,
      authenticationGroup: dialect.groupName('authentication'),
      clock,
      logger,
      serializers: new Serializers(dialect, {
        isCborServed: features.enabled('CBORServingAndStorage'),
        isCompressed: features.enabled('APIResponseCompression'),
        worker: encodingWorker,
      }),
      auditor,
      observers: [
        new RequestMetrics(metrics, api.registry),
        ...(logger.isEnabled(accessLogVerbosity) ? [new AccessLog(logger)] : []),
      ],
      requestTimeoutMs: options.requestTimeout,
      flowController: flowControl,
      maxRequestsInflight: options.maxRequestsInflight,
      maxMutatingRequestsInflight: options.maxMutatingRequestsInflight,
      seatsOf: sharing && ((name) => sharing.seats.seatsOf(name)),
      ...(sharing?.catchUp && { catchUp: sharing.catchUp }),
      closesAnonymousHttp2: features.enabled('UnauthenticatedHTTP2DOSMitigation'),
      bearerProtocolPrefix: dialect.headers.bearerProtocolPrefix,
      refresh: () => store.reader.refresh(),
      toApiError: storeErrorToApiError,
      isUpgradedPath: (path) =>
        aggregation.isAggregatedPath(path) || (webConsole?.isUpgradedPath(path) ?? false),
      aggregator: aggregation,
      console: webConsole,
      handleResource,
      handlePath,
    }),
  );
  return {
    ...{ http, state, aggregation, authentication, flowConfigController, newQueue, renderMetrics },
    metricsSource,
  };
}
