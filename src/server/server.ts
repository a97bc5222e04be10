// Composition root: creates the components of a server, starts them in order and closes them in reverse.
import { AdmissionChain } from '../admission/admission-chain.ts';
import { AdmissionMetrics } from '../admission/admission-metrics.ts';
import type { Plugin } from '../admission/plugin.ts';
import { QuotaLedger } from '../admission/plugins/resource-quota/quota-ledger.ts';
import { createPlugins } from '../admission/plugins.ts';
import { Aggregation } from '../aggregation/aggregation.ts';
import { servedKinds } from '../apis/served-kinds.ts';
import { openAudit } from '../audit/open-audit.ts';
import { authorizerForModes } from '../auth/authorization-modes.ts';
import { ensureBootstrapPolicy } from '../auth/bootstrap/reconcile.ts';
import { publishAuthentication } from '../auth/extension-apiserver-authentication.ts';
import { ensureLegacyTokenTracking } from '../auth/legacy-token-tracking.ts';
import { RbacPolicyCache } from '../auth/rbac/policy-cache.ts';
import { RbacAuthorizer } from '../auth/rbac/rbac-authorizer.ts';
import { type ServiceAccountTokenOptions, ServiceAccountTokens } from '../auth/service-account-tokens.ts';
import { type Clock, systemClock } from '../base/clock.ts';
import { orchVersion } from '../base/version.ts';
import { Client } from '../client/client.ts';
import { Informers } from '../client/informers.ts';
import { CustomResourceDefinitionController } from '../controllers/customresourcedefinition/customresourcedefinition-controller.ts';
import { ApiServerEndpoints } from '../controllers/kubernetesservice/api-server-endpoints.ts';
import { advertisedAddress } from '../controllers/kubernetesservice/kubernetes-service.ts';
import { EventRecorder } from '../controllers/runtime/event-recorder.ts';
import { MasterLeases } from '../controllers/runtime/master-leases.ts';
import { WorkQueueMetrics } from '../controllers/runtime/queue-metrics.ts';
import { createServiceAllocator } from '../controllers/runtime/service-allocator.ts';
import { StatusPatcher } from '../controllers/runtime/status-patcher.ts';
import { WorkQueue, type WorkQueueFactory } from '../controllers/runtime/work-queue.ts';
import { ConversionWebhooks } from '../crd/conversion/conversion-webhooks.ts';
import { ConfigController } from '../flowcontrol/config-controller.ts';
import { keysUriAt } from '../http/endpoints/token-issuer.ts';
import { versionInfo } from '../http/endpoints/version.ts';
import { storeErrorToApiError } from '../http/handlers/dispatch.ts';
import { HttpServer } from '../http/http-server.ts';
import { NodeProxy } from '../http/node-proxy/connections.ts';
import { AccessLog, accessLogVerbosity } from '../http/telemetry/access-log.ts';
import { RequestMetrics } from '../http/telemetry/request-metrics.ts';
import { addWatchMetrics } from '../http/telemetry/watch-metrics.ts';
import type { Pki } from '../pki/ensure-pki.ts';
import { ServiceAllocation } from '../registry/service/service-allocation.ts';
import { Serializers } from '../serializers/serializers.ts';
import type { Store } from '../store/store.ts';
import { WatchHub } from '../store/watch/hub.ts';
import { createLogger, type Logger } from '../telemetry/log.ts';
import { createServerMetrics } from '../telemetry/metrics.ts';
import { addProcessMetrics } from '../telemetry/process-metrics.ts';
import { addRegistryMetrics } from '../telemetry/registry-metrics.ts';
import { EncodingWorker } from '../workers/encoding-worker.ts';
import { WriteExecutor } from '../workers/write-executor.ts';
import { Authentication, identityHeadersOf, readProxyCa, type StaticToken } from './authentication.ts';
import { ensureSystemNamespaces, ensureSystemPriorityClasses } from './bootstrap-objects.ts';
import { CertificateReloader, type LoadedCertificates } from './certificate-reloader.ts';
import { createClusterSigner, loadCertificates, proxyIdentityOf } from './certificates.ts';
import { type Component, Components, startTogether } from './component.ts';
import { ControllerManager } from './controllers.ts';
import { createFlowControl } from './flow-control.ts';
import { warnOnKeyMismatch } from './key-mismatch-warning.ts';
import { openPlainListener, openSecureListener, publicSecureUrl, tlsMaterial } from './listen.ts';
import { addBuildMetrics } from './metrics/build-metrics.ts';
import { addFeatureMetrics } from './metrics/feature-metrics.ts';
import { reportListenerFailures } from './metrics/listener-failures.ts';
import { createMetricsOptions } from './metrics/metrics-options.ts';
import { addWriteMetrics } from './metrics/write-metrics.ts';
import { openStore } from './open-store.ts';
import type { ServerOptions } from './options.ts';
import { newPathHandler } from './path-handler.ts';
import { createRegistryContext } from './registry-context.ts';
import { requestHeaderConfig } from './request-header-config.ts';
import { newResourceHandler, readKubeletCredentials } from './resource-handler.ts';
import { serviceAccountTokenOptions } from './service-account-token-options.ts';
import { serviceRanges } from './service-ranges.ts';
import { storageHealth } from './storage-health.ts';
import { createWorkerThreads } from './worker-threads.ts';

/** A client certificate of the cluster admin and its key, as PEM. */
export interface AdminCredentials {
  readonly cert: string;
  readonly key: string;
}

export interface RunningServer {
  /** The plain HTTP URL if there is one, else the HTTPS URL. */
  readonly url: string;
  readonly secureUrl: string | undefined;
  /** PEM of the CA that signed the serving certificate; undefined if the user provides that certificate. */
  readonly caCertificate: string | undefined;
  /** The client certificate of the cluster admin, for a kubeconfig. */
  readonly adminCredentials: AdminCredentials | undefined;
  /** The API without HTTP. */
  readonly client: Client;
  /** For servers that continue the state of this one. */
  readonly prepared: PreparedState;
  /** Graceful shutdown: drains requests, ends watches, closes the store. */
  stop(): Promise<void>;
}

/** What a server takes over that continues the state of another one: the objects that every server creates exist already. */
export interface PreparedState {
  /** Tokens that the other server has issued stay valid. */
  readonly tokenOptions: ServiceAccountTokenOptions;
}

/** Parts that an embedding program may provide itself. */
export interface ServerParts {
  readonly clock?: Clock;
  readonly logger?: Logger;
  readonly store?: Store;
  /** Admission plugins beside the built-in ones. They run before webhooks, on the serving thread. */
  readonly plugins?: readonly Plugin[];
  readonly staticTokens?: readonly StaticToken[];
  /** Of a server with the same options, whose state the store continues. */
  readonly prepared?: PreparedState;
  /** Called when the client certificate of the cluster admin was renewed. */
  onAdminRenewed?(credentials: AdminCredentials): void;
}

/** How long a graceful shutdown waits for requests in flight. */
const drainTimeoutMs = 10_000;

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
  parts: ServerParts,
  components: Components,
): Promise<RunningServer> {
  const foundation = await openFoundation(options, parts, components);
  const resources = createResources(options, parts, foundation, components);
  const serving = createHttpServer(options, parts, foundation, resources, components);
  const background = await startControllers(options, parts, foundation, resources, serving, components);
  const urls = await openListeners(options, parts, foundation, resources, serving, background, components);
  const { clock } = foundation;
  const { http, state } = serving;
  const { certificates, caCertificate, endpoints } = background;
  return {
    ...urls,
    caCertificate,
    adminCredentials: certificates && adminCredentialsOf(certificates.pki),
    client: resources.client,
    prepared: { tokenOptions: foundation.tokenOptions },
    async stop() {
      state.isDraining = true;
      http.announceShutdown();
      await endpoints.withdraw();
      await sleep(clock, options.shutdownDelayDuration);
      await http.drain(drainTimeoutMs);
      await components.close();
    },
  };
}

type Foundation = Awaited<ReturnType<typeof openFoundation>>;
type Resources = ReturnType<typeof createResources>;
type Serving = ReturnType<typeof createHttpServer>;
type Background = Awaited<ReturnType<typeof startControllers>>;

/** The served kinds, metrics, audit, the store, and authorization. */
async function openFoundation(options: ServerOptions, parts: ServerParts, components: Components) {
  const clock = parts.clock ?? systemClock;
  const logger = parts.logger ?? createLogger({ verbosity: options.verbosity });
  const { dialect, release, features, registry, warnings } = servedKinds(options);
  for (const warning of warnings) logger.warn({}, warning);
  const metricsOptions = createMetricsOptions(options, dialect, logger);
  // Creating keys takes a while: the store opens meanwhile.
  const certificatesLoading =
    options.securePort === undefined ? undefined : loadCertificates(options, dialect, clock);
  // startControllers awaits it; until then a failure must not count as an unhandled rejection.
  certificatesLoading?.catch(() => {});
  const kubeletCredentials = await readKubeletCredentials(options);
  const identityHeaders = identityHeadersOf(options, features);
  const proxyCa = await readProxyCa(options);
  const metrics = createServerMetrics(metricsOptions);
  const auditor = await openAudit(options, { dialect, clock, logger, metrics });
  components.add({ close: () => auditor?.close() });
  const store = parts.store ?? (await openStore(options, clock, logger));
  components.add({ close: () => store.close() });
  reportListenerFailures(store.listenerFailures, logger, metrics);
  store.onReset(() => components.reset());
  const ranges = serviceRanges(options);
  const serviceAllocation = new ServiceAllocation(store, { dialect, features }, ranges);
  const tokenOptions =
    parts.prepared?.tokenOptions ?? serviceAccountTokenOptions(options, keyFolder(options));
  const tokens = new ServiceAccountTokens(tokenOptions, dialect);
  const informers = new Informers({ registry, store, dialect });
  const policyCache = components.add(new RbacPolicyCache(informers));
  const rbac = new RbacAuthorizer(policyCache, dialect.groupName('rbac.authorization'));
  const authorizer = authorizerForModes(options.authorizationMode, rbac);
  return {
    clock,
    logger,
    dialect,
    release,
    features,
    registry,
    metrics,
    metricsOptions,
    certificatesLoading,
    kubeletCredentials,
    identityHeaders,
    proxyCa,
    auditor,
    store,
    ranges,
    serviceAllocation,
    tokenOptions,
    tokens,
    informers,
    authorizer,
  };
}

/** The verbs on resources, admission, worker threads, and custom resources. */
function createResources(
  options: ServerOptions,
  parts: ServerParts,
  foundation: Foundation,
  components: Components,
) {
  const { clock, logger, dialect, features, registry, metrics, store, informers } = foundation;
  const { authorizer, serviceAllocation } = foundation;
  const admission = new AdmissionChain();
  const apiParts = { dialect, registry, store, clock, authorizer, serviceAllocation, admission };
  const api = createRegistryContext(options, apiParts, components);
  const hub = components.add(new WatchHub(store, clock));
  const admissionMetrics = new AdmissionMetrics(metrics);
  const quotaLedger = new QuotaLedger(api);
  const { anyThread, servingThread } = createPlugins({
    api,
    features,
    metrics,
    admissionMetrics,
    quotaLedger,
    options,
  });
  admission.use({ anyThread, servingThread: [...(parts.plugins ?? []), ...servingThread] }, admissionMetrics);
  components.add(admission);
  const threads = createWorkerThreads(options, logger, components);
  const writeExecutor = new WriteExecutor(api, threads);
  const encodingWorker = threads && new EncodingWorker(threads.encoding);
  const kindContext = { dialect, features, allowPrivileged: options.allowPrivileged };
  const client = new Client(api);
  const crdController = components.add(
    new CustomResourceDefinitionController({
      client,
      informers,
      kinds: registry,
      kindContext,
      clock,
      logger,
      webhooks: new ConversionWebhooks(api, metrics),
      statusPatcher: new StatusPatcher(writeExecutor),
      admission,
      watches: hub,
      isShared: store.isShared,
    }),
  );
  crdController.start();
  return { api, hub, client, quotaLedger, writeExecutor, encodingWorker };
}

/** The HTTP server: aggregation, authentication, priority and fairness, and the handlers. It does not listen yet. */
function createHttpServer(
  options: ServerOptions,
  parts: ServerParts,
  foundation: Foundation,
  resources: Resources,
  components: Components,
) {
  const { clock, logger, dialect, release, features, metrics, auditor, store, tokens } = foundation;
  const { informers, authorizer, identityHeaders, proxyCa, kubeletCredentials } = foundation;
  const { api, hub, client, writeExecutor, encodingWorker } = resources;
  const queueMetrics = new WorkQueueMetrics(metrics);
  const newQueue: WorkQueueFactory = (queue) =>
    new WorkQueue(queue, { clock, logger, metrics: queueMetrics });
  const aggregation = components.add(new Aggregation({ api, features, logger, identityHeaders, newQueue }));
  const nodeProxy = new NodeProxy(api, features, kubeletCredentials, identityHeaders);
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
  const flowControl = createFlowControl(options, { ...api, hub }, metrics);
  components.add({ close: () => flowControl?.close() });
  const flowConfigController = components.add(
    new ConfigController({
      ...{ client, informers, dialect, clock, logger, flow: flowControl },
      isPrepared: parts.prepared !== undefined,
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
      authorizer,
      authenticators: authentication.chain,
      nodeProxy,
      writeExecutor,
      watchList: features.enabled('WatchList'),
    },
    options,
    metrics,
  );
  const handlePath = newPathHandler(
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
    },
  );
  const http = components.add(
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
      closesAnonymousHttp2: features.enabled('UnauthenticatedHTTP2DOSMitigation'),
      bearerProtocolPrefix: dialect.headers.bearerProtocolPrefix,
      refresh: () => store.reader.refresh(),
      toApiError: storeErrorToApiError,
      isAggregatedPath: (path) => aggregation.isAggregatedPath(path),
      aggregator: aggregation,
      handleResource,
      handlePath,
    }),
  );
  return { http, state, aggregation, authentication, flowConfigController, newQueue };
}

/** Creates the objects that exist before the first request, and starts the controllers. */
async function startControllers(
  options: ServerOptions,
  parts: ServerParts,
  foundation: Foundation,
  resources: Resources,
  serving: Serving,
  components: Components,
) {
  const { clock, logger, dialect, features, metrics, auditor, store, tokens, informers, ranges } = foundation;
  const { api, client, quotaLedger, writeExecutor } = resources;
  const { aggregation, flowConfigController, newQueue } = serving;
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
      leaseFor: store.isShared ? (address) => new MasterLeases(store, clock, address) : undefined,
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
  await warnOnKeyMismatch(store, tokens, certificates, logger);
  aggregation.startRemote(certificates?.proxy);
  const controllers = components.add(
    new ControllerManager(options, {
      api,
      client,
      writeExecutor,
      auditor,
      metrics,
      context: {
        features,
        logger,
        events,
        quotas: quotaLedger,
        aggregatedApis: aggregation.controllerApis,
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

/** Opens the listeners, and publishes their addresses and CAs. */
async function openListeners(
  options: ServerOptions,
  parts: ServerParts,
  { clock, logger, dialect, proxyCa }: Foundation,
  { client }: Resources,
  { http, state, authentication, aggregation }: Serving,
  { certificates, endpoints }: Background,
  components: Components,
): Promise<Pick<RunningServer, 'url' | 'secureUrl'>> {
  const plainUrl = await openPlainListener(http, options);
  if (certificates) {
    const useCas = async (loaded: LoadedCertificates) => {
      const { clientCa } = loaded.certificates;
      authentication.setCas(clientCa, loaded.proxyCa);
      const identity = proxyIdentityOf(loaded.certificates);
      const requestHeader = requestHeaderConfig(options, loaded.proxyCa, identity);
      await publishAuthentication(client, dialect, clock, {
        clientCa,
        ...(requestHeader && { requestHeader }),
      });
    };
    const current = { certificates, proxyCa };
    await startTogether(logger, { start: () => useCas(current) });
    const reloader = new CertificateReloader(current, {
      clock,
      logger,
      load: async (previous) => ({
        certificates: await loadCertificates(options, dialect, clock, previous.certificates),
        proxyCa: await readProxyCa(options),
      }),
      async apply(loaded) {
        http.setTls(tlsMaterial(loaded.certificates, loaded.proxyCa));
        aggregation.setClientCertificate(loaded.certificates.proxy);
        await useCas(loaded);
        const admin = adminCredentialsOf(loaded.certificates.pki);
        if (admin.cert !== adminCredentialsOf(certificates.pki).cert) parts.onAdminRenewed?.(admin);
      },
    });
    components.add(reloader).start();
  }
  const secureUrl = certificates && (await openSecureListener(http, options, certificates, proxyCa));
  state.jwksUri =
    options.serviceAccountJwksUri ?? keysUriAt(publicSecureUrl(options, secureUrl) ?? plainUrl ?? '');
  const address =
    secureUrl === undefined
      ? undefined
      : { port: Number(new URL(secureUrl).port), ...advertisedAddress(options) };
  await startTogether(logger, { start: () => endpoints.publish(address) });
  return { url: plainUrl ?? secureUrl ?? '', secureUrl };
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

const adminCredentialsOf = ({ admin }: Pki): AdminCredentials => ({
  cert: admin.certificate,
  key: admin.key,
});

/** Keys of a server that stores nothing on disk stay in memory as well. */
function keyFolder({ storage, securePort, certDir }: ServerOptions): string | undefined {
  return storage === 'memory' && securePort === undefined ? undefined : certDir;
}

function sleep(clock: Clock, ms: number): Promise<void> {
  return ms > 0 ? new Promise((resolve) => clock.after(ms, resolve)) : Promise.resolve();
}
