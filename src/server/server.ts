import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { Admission } from '../admission/admission.ts';
import { AdmissionMetrics } from '../admission/admission-metrics.ts';
import { NamespaceLifecycle, namespaceLifecycle } from '../admission/namespace-lifecycle.ts';
import { Ledger } from '../admission/plugins/resource-quota/ledger.ts';
import { isOn, makePlugins } from '../admission/plugins.ts';
import { Aggregation } from '../aggregation/aggregation.ts';
import { servedKinds } from '../apis/served-kinds.ts';
import { openAudit } from '../audit/open.ts';
import { authorizerFor } from '../auth/authorization-modes.ts';
import { BearerTokens } from '../auth/bearer-tokens.ts';
import { ensureBootstrapPolicy } from '../auth/bootstrap/reconcile.ts';
import { ClientCertificates } from '../auth/client-certificate.ts';
import { FrontProxy } from '../auth/front-proxy.ts';
import { type Authorities, authoritiesIn, PeerCertificates } from '../auth/peer-certificates.ts';
import { publishAuthorities } from '../auth/published-authorities.ts';
import { Policy } from '../auth/rbac/policy.ts';
import { RbacAuthorizer } from '../auth/rbac/rbac-authorizer.ts';
import { ServiceAccountAuthenticator } from '../auth/service-account-authenticator.ts';
import { ServiceAccountTokens } from '../auth/service-account-tokens.ts';
import { TokenFile } from '../auth/token-file.ts';
import { ensureTokenTracking } from '../auth/token-tracking.ts';
import { AsyncDisposables } from '../base/async-disposables.ts';
import { type Clock, systemClock } from '../base/clock.ts';
import { orchVersion } from '../base/version.ts';
import { Client } from '../client/client.ts';
import { CustomResourceDefinitionController } from '../controllers/customresourcedefinition/customresourcedefinition-controller.ts';
import { controllers as allControllers } from '../controllers/index.ts';
import { ApiServerEndpoints } from '../controllers/kubernetesservice/api-server-endpoints.ts';
import { advertisedAddress } from '../controllers/kubernetesservice/kubernetes-service.ts';
import { ControllerSet } from '../controllers/runtime/controller-set.ts';
import { EventRecorder } from '../controllers/runtime/event-recorder.ts';
import { LeaderStore } from '../controllers/runtime/leader-store.ts';
import { WorkQueueMetrics } from '../controllers/runtime/queue-metrics.ts';
import { WorkQueue, type WorkQueueFactory } from '../controllers/runtime/work-queue.ts';
import { ConfigController } from '../flowcontrol/config-controller.ts';
import { FlowControl } from '../flowcontrol/flow-control.ts';
import { FlowMetrics } from '../flowcontrol/flow-metrics.ts';
import { WorkEstimator } from '../flowcontrol/work-estimator.ts';
import { keysUriAt } from '../http/endpoints/token-issuer.ts';
import { versionInfo } from '../http/endpoints/version.ts';
import type { HandlerContext } from '../http/handlers/context.ts';
import { DeprecatedApis } from '../http/handlers/deprecated-apis.ts';
import { resourceHandler, storeErrorToApiError } from '../http/handlers/dispatch.ts';
import { HttpServer } from '../http/http-server.ts';
import { NodeProxy } from '../http/node-proxy/connections.ts';
import type { KubeletCredentials } from '../http/node-proxy/kubelet.ts';
import { EncodedChunkCache } from '../http/responses/list/encoded-chunk-cache.ts';
import type { JoinedItems } from '../http/responses/list/joined-items.ts';
import type { RowTemplates } from '../http/responses/list/row-templates.ts';
import { AccessLog } from '../http/telemetry/access-log.ts';
import { RequestMetrics } from '../http/telemetry/request-metrics.ts';
import { addWatchMetrics } from '../http/telemetry/watch-metrics.ts';
import type { Features } from '../kind/features/features.ts';
import { readAuthorities, readServingFiles } from '../pki/serving-files.ts';
import type { Api } from '../registry/api.ts';
import { ServiceAllocation } from '../registry/service/service-allocation.ts';
import { ConvertedStates } from '../registry/verbs/converted-states.ts';
import { AuthenticatorChain } from '../request/authenticator.ts';
import type { IdentityHeaders } from '../request/identity-headers.ts';
import { Serializers } from '../serializers/serializers.ts';
import { Lists } from '../store/lists/lists.ts';
import type { Store } from '../store/store.ts';
import { WatchHub } from '../store/watch/hub.ts';
import { createLogger, type Logger } from '../telemetry/log.ts';
import { addMeterMetrics } from '../telemetry/meter-metrics.ts';
import { type Metrics, serverMeters } from '../telemetry/metrics.ts';
import { addProcessMetrics } from '../telemetry/process-metrics.ts';
import { BodyBuffers } from '../transport/chunked-body.ts';
import { LargeAnswers } from '../workers/encoding-worker.ts';
import { LargeWrites } from '../workers/on-demand-thread.ts';
import { WriteExecutor } from '../workers/write-executor.ts';
import { WriteThreads } from '../workers/write-threads.ts';
import { ensureSystemNamespaces, ensureSystemPriorityClasses } from './bootstrap-objects.ts';
import { actingAs } from './internal-client.ts';
import { warnOfOtherKeys } from './key-mismatch-warning.ts';
import { electionOf, standForElection } from './leader-election.ts';
import { openPlain, openSecure, reachedAt } from './listen.ts';
import { addBuildMetrics } from './metrics/build-metrics.ts';
import { addFeatureMetrics } from './metrics/feature-metrics.ts';
import { meterSettings } from './metrics/meter-settings.ts';
import { addWriteMetrics } from './metrics/write-metrics.ts';
import { openStore } from './open-store.ts';
import type { ServerOptions } from './options.ts';
import { pathHandler } from './path-handler.ts';
import { proxyTerms } from './proxy-terms.ts';
import { clusterSigner, secure } from './secure.ts';
import { serviceRanges } from './service-ranges.ts';
import { tokenTerms } from './token-terms.ts';

/** A server that is up. */
export interface RunningServer {
  /** The plain address if there is one, else the secure one. */
  readonly url: string;
  readonly secureUrl: string | undefined;
  /** PEM of the CA that signed the serving certificate; undefined where that is the user's own. */
  readonly caCertificate: string | undefined;
  /** How the administrator proves who they are; for a kubeconfig. */
  readonly adminCredentials: { readonly cert: string; readonly key: string } | undefined;
  /** The API without HTTP. */
  readonly client: Client;
  /** Lets requests finish, ends watches, closes the store. */
  stop(): Promise<void>;
}

/** What an embedding program brings itself. */
export interface ServerParts {
  readonly clock?: Clock;
  readonly logger?: Logger;
  readonly store?: Store;
}

/** How long requests under way may take once the server is told to stop. */
const drainPatience = 10_000;

export async function runServer(options: ServerOptions, parts: ServerParts = {}): Promise<RunningServer> {
  const clock = parts.clock ?? systemClock;
  const logger = parts.logger ?? createLogger({ verbosity: options.verbosity });
  const { dialect, release, features, registry, warnings } = servedKinds(options);
  for (const warning of warnings) logger.warn({}, warning);
  const aboutMetrics = meterSettings(options, dialect, logger);
  // Certificates may have to be made, which takes a while: the store is opened meanwhile.
  const securing = options.securePort === undefined ? undefined : secure(options, dialect, clock);
  securing?.catch(() => {});
  const kubeletCredentials = await readKubeletCredentials(options);
  const identityHeaders = identityHeadersOf(options, features);
  const proxyCa = await readProxyAuthorities(options);
  const proxies = proxyCa && {
    authorities: authoritiesIn(proxyCa),
    names: options.requestheaderAllowedNames,
    headers: identityHeaders,
  };
  const meters = serverMeters(aboutMetrics);
  const opened = new AsyncDisposables();
  try {
    const auditor = await openAudit(options, { dialect, clock, logger, meters });
    opened.add(() => auditor?.close());
    const store = parts.store ?? (await openStore(options, clock, logger));
    opened.add(() => store.close());
    const ranges = serviceRanges(options);
    const serviceAllocation = new ServiceAllocation(store, { dialect, features }, ranges);
    const tokens = new ServiceAccountTokens(tokenTerms(options, keyFolder(options)), dialect);
    const policy = new Policy(store);
    store.onReset(() => policy.reset());
    const rbac = new RbacAuthorizer(policy, dialect.groupName('rbac.authorization'));
    const authorizer = authorizerFor(options.authorizationMode, rbac);
    const admission = new Admission();
    const apiParts = { dialect, registry, store, clock, authorizer, serviceAllocation, tokens, admission };
    const api = makeApi(options, apiParts);
    opened.add(() => api.lists.close());
    opened.add(() => api.hub.close());
    const metrics = new AdmissionMetrics(meters);
    const quotas = new Ledger(api);
    admission.use(makePlugins({ api, features, logger, meters, metrics, quotas, options }), metrics);
    opened.add(() => admission.close());
    store.onReset(() => admission.reset());
    const threads = writeThreads(options, logger);
    opened.add(() => threads?.helping?.close());
    opened.add(() => threads?.large.close());
    const writing = new WriteExecutor(api, threads);
    const largeAnswers = threads && new LargeAnswers(threads.large);
    const custom = new CustomResourceDefinitionController(
      api,
      writing,
      { dialect, features, allowPrivileged: options.allowPrivileged },
      logger,
      meters,
    );
    opened.add(() => custom.close());
    store.onReset(() => custom.reset());
    custom.begin();
    const client = new Client(api);
    const queueMetrics = new WorkQueueMetrics(meters);
    const newQueue: WorkQueueFactory = (work) =>
      new WorkQueue(work, { clock, logger, metrics: queueMetrics });
    const aggregation = new Aggregation({ api, features, logger, identityHeaders, newQueue });
    opened.add(() => aggregation.close());
    store.onReset(() => aggregation.reset());
    const nodes = new NodeProxy(api, features, kubeletCredentials, identityHeaders);
    const peers = new PeerCertificates(clock);
    const { serviceAccountLookup: lookup } = options;
    const accounts = new ServiceAccountAuthenticator({ api, client, logger, lookup });
    store.onReset(() => accounts.reset());
    let clientAuthorities: Authorities | undefined;
    const chain = new AuthenticatorChain([
      ...(proxies ? [new FrontProxy({ ...proxies, peers })] : []),
      new ClientCertificates({
        peers,
        authorities: () => clientAuthorities,
        credentialKey: dialect.userExtra.credentialId,
        readsUid: features.enabled('AllowParsingUserUIDFromCertAuth'),
      }),
      new BearerTokens(tokens.audiences, [...tokenFiles(options), accounts]),
    ]);
    const objectives = serverMeters(aboutMetrics);
    addProcessMetrics(meters);
    addMeterMetrics(meters);
    const version = versionInfo(orchVersion, release);
    addBuildMetrics(meters, version);
    addWriteMetrics(meters, writing);
    addWatchMetrics(meters, api.hub, () => api.registry.stored);
    addFeatureMetrics(meters, features);
    const flow = flowControl(options, api, meters);
    opened.add(() => flow?.close());
    const flowConfiguration = new ConfigController(api, flow, logger);
    opened.add(() => flowConfiguration.close());
    store.onReset(() => flowConfiguration.reset());
    let draining = false;
    let keysUri = '';
    const http = new HttpServer({
      authenticators: chain,
      anonymousAuth: options.anonymousAuth,
      authorizer,
      authenticationGroup: dialect.groupName('authentication'),
      clock,
      logger,
      serializers: new Serializers(
        dialect,
        features.enabled('CBORServingAndStorage'),
        features.enabled('APIResponseCompression'),
        largeAnswers,
      ),
      auditor,
      observers: [new RequestMetrics(meters, api.registry), new AccessLog(logger)],
      requestTimeout: options.requestTimeout,
      flowController: flow,
      maxRequestsInflight: options.maxRequestsInflight,
      maxMutatingRequestsInflight: options.maxMutatingRequestsInflight,
      closesAnonymousHttp2: features.enabled('UnauthenticatedHTTP2DOSMitigation'),
      bearerProtocolPrefix: dialect.headers.bearerProtocolPrefix,
      refresh: () => store.reader.refresh(),
      toApiError: storeErrorToApiError,
      isAggregatedPath: (path) => aggregation.leadsElsewhere(path),
      ...elsewhereFirst(aggregation, {
        handleResource: newResourceHandler(
          {
            api,
            authorizer,
            authenticators: chain,
            nodeProxy: nodes,
            writeExecutor: writing,
            watchList: features.enabled('WatchList'),
          },
          options,
          meters,
        ),
        handlePath: pathHandler(
          api,
          features,
          { meters, objectives, version },
          {
            flow,
            aggregation,
            elsewhere: largeAnswers,
            isDraining: () => draining,
            keysUri: () => keysUri,
          },
        ),
      }),
    });
    opened.add(() => http.close());
    const events = new EventRecorder(client, clock, logger);
    opened.add(() => events.close());
    const standing = new ApiServerEndpoints(api, ranges, events, logger);
    opened.add(() => standing.close());
    await Promise.all([ensureSystemNamespaces(api), standing.begin(), flowConfiguration.begin()]);
    await Promise.all([
      ensureTokenTracking(client, dialect, clock),
      ensureBootstrapPolicy(api, { dialect, features }),
      ensureSystemPriorityClasses(api),
      aggregation.begin(),
    ]);
    const secured = await securing;
    await warnOfOtherKeys(store, tokens, secured, logger);
    aggregation.askOthers(secured?.proxy);
    const election = electionOf(options, { client, clock, dialect, logger });
    const led = election ? { ...api, store: new LeaderStore(store, () => election.isLeading) } : api;
    const context = {
      features,
      logger,
      events,
      quotas,
      aggregatedApis: aggregation.controllerApis,
      newQueue,
      rootCa: options.tlsCertFile === undefined ? secured?.pki.authority.certificate : undefined,
      signer: await clusterSigner(options, secured),
    };
    const controllers = new ControllerSet(allControllers, options.controllers, (descriptor) => ({
      ...context,
      ...actingAs(descriptor, led, auditor),
    }));
    opened.add(() => controllers.stop());
    store.onReset(() => controllers.reset());
    if (election) {
      standForElection(election, controllers, { logger }, meters);
      opened.add(() => election.close());
    } else {
      await controllers.start();
    }
    const plainUrl = await openPlain(http, options);
    if (secured) {
      // Where proxies have authorities of their own, the two must be told apart.
      if (proxyCa !== undefined) clientAuthorities = authoritiesIn(secured.clientCa);
      const published = proxyTerms(options, proxyCa, secured.ownProxy);
      await publishAuthorities(client, dialect, clock, {
        clientCa: secured.clientCa,
        ...(published && { proxies: published }),
      });
    }
    const secureUrl = secured && (await openSecure(http, options, secured, proxyCa));
    keysUri = options.serviceAccountJwksUri ?? keysUriAt(reachedAt(options, secureUrl) ?? plainUrl ?? '');
    await standing.publish(
      secureUrl === undefined
        ? undefined
        : { port: Number(new URL(secureUrl).port), ...advertisedAddress(options.bindAddress) },
    );
    return {
      url: plainUrl ?? secureUrl ?? '',
      secureUrl,
      caCertificate: options.tlsCertFile === undefined ? secured?.pki.authority.certificate : undefined,
      adminCredentials: secured && { cert: secured.pki.admin.certificate, key: secured.pki.admin.key },
      client,
      async stop() {
        draining = true;
        http.part();
        await standing.withdraw();
        await pause(clock, options.shutdownDelayDuration);
        await http.drain(drainPatience);
        await opened.close();
      },
    };
  } catch (error) {
    // Why it could not start is what the user has to hear, whatever comes after that.
    await opened.close().catch(() => {});
    throw error;
  }
}

/** One thread commits all that the others work out: it has enough to do with these. */
const mostAutomatic = 4;

function writeThreads(options: ServerOptions, logger: Logger) {
  const {
    writeThreads: asked,
    dialect,
    featureGates,
    runtimeConfig,
    emulatedVersion,
    allowPrivileged,
    eventTtl,
  } = options;
  if (asked === 0) return undefined;
  const count = asked === 'auto' ? Math.min(availableParallelism() - 1, mostAutomatic) : asked;
  const kinds = { dialect, featureGates, runtimeConfig, emulatedVersion, allowPrivileged };
  const keepsToNamespaces = isOn(namespaceLifecycle, options);
  const threadOptions = { ...kinds, eventTtl, keepsToNamespaces };
  return {
    helping: count === 0 ? undefined : new WriteThreads({ ...threadOptions, count, logger }),
    large: new LargeWrites(threadOptions, logger),
  };
}

type OwnParts = Pick<
  Api,
  'dialect' | 'registry' | 'store' | 'clock' | 'authorizer' | 'serviceAllocation' | 'tokens' | 'admission'
>;

function makeApi(options: ServerOptions, parts: OwnParts): Api {
  const { dialect, store, clock, serviceAllocation } = parts;
  const lists = new Lists(store);
  const hub = new WatchHub(store, clock);
  store.onReset(() => {
    lists.reset();
    hub.reset();
    serviceAllocation.reset();
  });
  return {
    ...parts,
    lifecycle: new NamespaceLifecycle(parts, isOn(namespaceLifecycle, options)),
    metaGroup: dialect.groupName('meta'),
    lists,
    hub,
    eventTtl: options.eventTtl,
    storageHealth: () => storageHealth(store),
  };
}

/** A server that keeps nothing else keeps no key either. */
function keyFolder({ storage, securePort, certDir }: ServerOptions): string | undefined {
  return storage === 'memory' && securePort === undefined ? undefined : certDir;
}

async function storageHealth(store: Store): Promise<{ healthy: boolean; message: string }> {
  try {
    await store.head();
    return { healthy: true, message: 'ok' };
  } catch (error) {
    return { healthy: false, message: error instanceof Error ? error.message : String(error) };
  }
}

/** Bytes of lists that are kept ready in Protobuf and as rows of Tables. */
const mostKeptItems = 64 * 1024 * 1024;
const mostKeptRows = 32 * 1024 * 1024;

function newResourceHandler(
  parts: Pick<
    HandlerContext,
    'api' | 'authorizer' | 'authenticators' | 'nodeProxy' | 'writeExecutor' | 'watchList'
  >,
  { minRequestTimeout }: ServerOptions,
  meters: Metrics,
): HttpServerHandler {
  const context = {
    ...parts,
    deprecatedApis: new DeprecatedApis(meters, parts.api.dialect),
    minRequestTimeout,
    bodyBuffers: new BodyBuffers(parts.api.clock),
    encodedItems: new EncodedChunkCache<JoinedItems>(mostKeptItems),
    tableRows: new EncodedChunkCache<RowTemplates>(mostKeptRows),
    convertedStates: new ConvertedStates(),
  };
  return resourceHandler(context);
}

type Handlers = Pick<ConstructorParameters<typeof HttpServer>[0], 'handleResource' | 'handlePath'>;

/** What another server serves is for it to answer, whatever this one has at the same path. */
function elsewhereFirst(aggregation: Aggregation, { handleResource, handlePath }: Handlers): Handlers {
  return {
    handleResource: (exchange) => aggregation.serve(exchange) ?? handleResource(exchange),
    handlePath: (exchange) => aggregation.serve(exchange) ?? handlePath(exchange),
  };
}

type HttpServerHandler = ConstructorParameters<typeof HttpServer>[0]['handleResource'];

/** Undefined where only the numbers of requests are limited, or nothing is. */
function flowControl(options: ServerOptions, api: Api, meters: Metrics): FlowControl | undefined {
  const seats = options.maxRequestsInflight + options.maxMutatingRequestsInflight;
  if (!options.enablePriorityAndFairness || seats === 0) return undefined;
  const { clock, dialect } = api;
  const { requestTimeout } = options;
  const metrics = new FlowMetrics(meters);
  return new FlowControl({
    clock,
    dialect,
    metrics,
    workEstimator: new WorkEstimator(api),
    seats,
    requestTimeout,
  });
}

function tokenFiles({ tokenAuthFile: file }: ServerOptions): TokenFile[] {
  return file === undefined ? [] : [new TokenFile(readFileSync(file, 'utf8'), file)];
}

async function readKubeletCredentials(options: ServerOptions): Promise<KubeletCredentials> {
  const { kubeletClientCertificate, kubeletClientKey, kubeletCertificateAuthority } = options;
  return {
    ...(kubeletClientCertificate !== undefined &&
      kubeletClientKey !== undefined &&
      (await readServingFiles(kubeletClientCertificate, kubeletClientKey))),
    ...(kubeletCertificateAuthority !== undefined && {
      authority: await readAuthorities(kubeletCertificateAuthority),
    }),
  };
}

async function readProxyAuthorities(options: ServerOptions): Promise<string | undefined> {
  const { requestheaderClientCaFile: file } = options;
  return file === undefined ? undefined : await readAuthorities(file);
}

function identityHeadersOf(options: ServerOptions, features: Features): IdentityHeaders {
  const lower = (names: readonly string[]) => names.map((name) => name.toLowerCase());
  return {
    user: lower(options.requestheaderUsernameHeaders),
    uid: features.enabled('RemoteRequestHeaderUID') ? lower(options.requestheaderUidHeaders) : [],
    groups: lower(options.requestheaderGroupHeaders),
    extraPrefixes: lower(options.requestheaderExtraHeadersPrefix),
  };
}

function pause(clock: Clock, ms: number): Promise<void> {
  return ms > 0 ? new Promise((resolve) => clock.after(ms, resolve)) : Promise.resolve();
}
