import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { availableParallelism, hostname } from 'node:os';
import { join } from 'node:path';
import { Admission } from './admission/admission.ts';
import { AdmissionMetrics } from './admission/admission-metrics.ts';
import { NamespaceLifecycle, namespaceLifecycle } from './admission/namespace-lifecycle.ts';
import { Ledger } from './admission/plugins/resource-quota/ledger.ts';
import { isOn, makePlugins } from './admission/plugins.ts';
import { Aggregation } from './aggregation/aggregation.ts';
import { publicAddress } from './allocation/api-service.ts';
import { ServiceAllocation } from './allocation/service-allocation.ts';
import { serviceRanges } from './allocation/service-ranges.ts';
import { StandingObjects } from './allocation/standing-objects.ts';
import { openAudit } from './audit/open.ts';
import { AuthenticatorChain, mastersGroup } from './auth/authenticator.ts';
import { authorizerFor } from './auth/authorization-modes.ts';
import { BearerTokens } from './auth/bearer-tokens.ts';
import { ensureBootstrapPolicy } from './auth/bootstrap/reconcile.ts';
import { ClientCertificates } from './auth/client-certificate.ts';
import { FrontProxy, type IdentityHeaders } from './auth/front-proxy.ts';
import { type Authorities, authoritiesIn, PeerCertificates } from './auth/peer-certificates.ts';
import { type OwnProxy, proxyTerms } from './auth/proxy-terms.ts';
import { publishAuthorities } from './auth/published-authorities.ts';
import { Policy } from './auth/rbac/policy.ts';
import { RbacAuthorizer } from './auth/rbac/rbac-authorizer.ts';
import { ServiceAccountAuthenticator } from './auth/service-account-authenticator.ts';
import { ServiceAccountTokens } from './auth/service-account-tokens.ts';
import { TokenFile } from './auth/token-file.ts';
import { tokenTerms } from './auth/token-terms.ts';
import { ensureTokenTracking } from './auth/token-tracking.ts';
import { orchVersion } from './cli/version.ts';
import { Client } from './client/client.ts';
import { type Clock, systemClock } from './clock.ts';
import { allControllers } from './controllers/all.ts';
import { ControllerSet } from './controllers/controller-set.ts';
import { EventRecorder } from './controllers/event-recorder.ts';
import { type ElectionParts, LeaderElection } from './controllers/leader-election.ts';
import { QueueMetrics } from './controllers/queue-metrics.ts';
import { WorkQueue, type WorkQueueFactory } from './controllers/work-queue.ts';
import type { Dialect } from './dialect/index.ts';
import { CustomKinds } from './extension/custom-kinds.ts';
import type { Features } from './features/features.ts';
import { addFlowDumps } from './flow/dumps.ts';
import { FlowControl } from './flow/flow-control.ts';
import { FlowMetrics } from './flow/flow-metrics.ts';
import { LiveConfiguration } from './flow/live-configuration.ts';
import { Widths } from './flow/width.ts';
import { BodyBuffers } from './http/chunked-body.ts';
import { Forms } from './http/forms/forms.ts';
import { HttpServer } from './http/http-server.ts';
import { NodeConnections } from './http/nodes/connections.ts';
import type { KubeletCredentials } from './http/nodes/kubelet.ts';
import { Discovery } from './http/paths/discovery.ts';
import { HealthChecks } from './http/paths/health.ts';
import { PathTable } from './http/paths/path-table.ts';
import { addTokenIssuer, keysUriAt } from './http/paths/token-issuer.ts';
import { addVersion, type VersionInfo, versionInfo } from './http/paths/version.ts';
import { DeprecatedUses } from './http/resources/deprecated-uses.ts';
import { EncodedItems } from './http/resources/encoded-items.ts';
import { explainStoreError, handleResource, type ResourceContext } from './http/resources/handle.ts';
import { OpenApi } from './openapi/serve.ts';
import { Opened } from './opened.ts';
import type { ServerOptions } from './options.ts';
import type { KeyPair } from './pki/certificates.ts';
import { ClusterSigner } from './pki/cluster-signer.ts';
import { ensurePki, ensureProxyPki, type Pki, proxyName } from './pki/ensure.ts';
import { readAuthorities, readServingFiles } from './pki/serving-files.ts';
import type { Api } from './resource/api.ts';
import { ensureSystemNamespaces, ensureSystemPriorityClasses } from './resource/bootstrap.ts';
import { SharedStates } from './resource/shared-states.ts';
import { servedKinds } from './served-kinds.ts';
import { EtcdStore } from './store/etcd/etcd-store.ts';
import type { Credentials } from './store/etcd/rpc/connection.ts';
import { Lists } from './store/lists/lists.ts';
import { LmdbStore } from './store/lmdb/lmdb-store.ts';
import { MemoryStore } from './store/memory/memory-store.ts';
import type { Store } from './store/store.ts';
import { WatchHub } from './store/watch/hub.ts';
import { AccessLog } from './telemetry/access-log.ts';
import { addBuildMetrics } from './telemetry/build-metrics.ts';
import { addFeatureMetrics } from './telemetry/feature-metrics.ts';
import { healthMetrics } from './telemetry/health-metrics.ts';
import { createLogger, type Logger } from './telemetry/log.ts';
import { addMeterMetrics } from './telemetry/meter-metrics.ts';
import { meterSettings } from './telemetry/meter-settings.ts';
import { type Meters, serverMeters } from './telemetry/meters.ts';
import { addProcessMetrics } from './telemetry/process-metrics.ts';
import { RequestMetrics } from './telemetry/request-metrics.ts';
import { addMetrics, type ServedMetrics } from './telemetry/serve-metrics.ts';
import { StorageMetrics } from './telemetry/storage-metrics.ts';
import { addWatchMetrics } from './telemetry/watch-metrics.ts';
import { addWriteMetrics } from './telemetry/write-metrics.ts';
import { WriteThreads } from './writing/write-threads.ts';
import { Writing } from './writing/writing.ts';

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
  const opened = new Opened();
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
    const api = makeApi(options, { dialect, registry, store, clock, authorizer, serviceAllocation, tokens });
    opened.add(() => api.lists.close());
    opened.add(() => api.hub.close());
    const { admission } = api;
    const metrics = new AdmissionMetrics(meters);
    const quotas = new Ledger(api);
    admission.use(makePlugins({ api, features, logger, meters, metrics, quotas, options }), metrics);
    opened.add(() => admission.close());
    store.onReset(() => admission.reset());
    const custom = new CustomKinds(
      api,
      { dialect, features, allowPrivileged: options.allowPrivileged },
      logger,
      meters,
    );
    opened.add(() => custom.close());
    store.onReset(() => custom.reset());
    custom.begin();
    const client = new Client(api);
    const queueMetrics = new QueueMetrics(meters);
    const newQueue: WorkQueueFactory = (work) =>
      new WorkQueue(work, { clock, logger, metrics: queueMetrics });
    const aggregation = new Aggregation({ api, features, logger, identityHeaders, newQueue });
    opened.add(() => aggregation.close());
    if (store instanceof MemoryStore) store.onReset(() => aggregation.reset());
    const nodes = new NodeConnections(api, features, kubeletCredentials, identityHeaders);
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
    const threads = writeThreads(options, logger);
    opened.add(() => threads?.close());
    const writing = new Writing(api, threads);
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
    const flowConfiguration = new LiveConfiguration(api, flow, logger);
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
      forms: new Forms(
        dialect,
        features.enabled('CBORServingAndStorage'),
        features.enabled('APIResponseCompression'),
      ),
      auditor,
      observers: [new RequestMetrics(meters, api.registry), new AccessLog(logger)],
      requestTimeout: options.requestTimeout,
      flow,
      maxRequestsInflight: options.maxRequestsInflight,
      maxMutatingRequestsInflight: options.maxMutatingRequestsInflight,
      partsWithUnknown: features.enabled('UnauthenticatedHTTP2DOSMitigation'),
      bearerProtocolPrefix: dialect.headers.bearerProtocolPrefix,
      explain: explainStoreError,
      leadsElsewhere: (path) => aggregation.leadsElsewhere(path),
      ...elsewhereFirst(aggregation, {
        handleResource: resourceHandler(
          { api, authorizer, authenticators: chain, nodes, writing },
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
            isDraining: () => draining,
            keysUri: () => keysUri,
          },
        ),
      }),
    });
    opened.add(() => http.close());
    const events = new EventRecorder(client, clock, logger);
    opened.add(() => events.close());
    const standing = new StandingObjects(api, ranges, events, logger);
    opened.add(() => standing.close());
    await Promise.all([ensureSystemNamespaces(api), standing.begin(), flowConfiguration.begin()]);
    await Promise.all([
      ensureTokenTracking(client, dialect, clock),
      ensureBootstrapPolicy(api, { dialect, features }),
      ensureSystemPriorityClasses(api),
      aggregation.begin(),
    ]);
    const secured = await securing;
    aggregation.askOthers(secured?.proxy);
    const controllers = new ControllerSet(allControllers, {
      api,
      client,
      features,
      options,
      logger,
      events,
      quotas,
      newQueue,
      authority: options.tlsCertFile === undefined ? secured?.pki.authority.certificate : undefined,
      signer: await clusterSigner(options, secured),
    });
    opened.add(() => controllers.stop());
    store.onReset(() => controllers.reset());
    if (options.leaderElect ?? options.storage === 'etcd') {
      const election = standForElection({ client, clock, dialect, logger }, controllers, meters);
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
        : { port: Number(new URL(secureUrl).port), address: publicAddress(options.bindAddress) },
    );
    return {
      url: plainUrl ?? secureUrl ?? '',
      secureUrl,
      caCertificate: options.tlsCertFile === undefined ? secured?.pki.authority.certificate : undefined,
      adminCredentials: secured && { cert: secured.pki.admin.certificate, key: secured.pki.admin.key },
      client,
      async stop() {
        draining = true;
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

/** The lease by which controllers are led; others than ours do not look at it. */
const controllerLease = 'orch-controllers';

function standForElection(
  parts: Pick<ElectionParts, 'client' | 'clock' | 'dialect' | 'logger'>,
  controllers: ControllerSet,
  meters: Meters,
): LeaderElection {
  const { logger } = parts;
  const isLeading = meters.gauge('leader_election_master_status').child(controllerLease);
  const election = new LeaderElection({
    ...parts,
    identity: `${hostname()}_${randomUUID()}`,
    lease: controllerLease,
    onLead() {
      isLeading.value = 1;
      logger.info({}, 'this server leads: its controllers run');
      controllers
        .start()
        .catch((error: unknown) => logger.error({ err: error }, 'controllers did not start'));
    },
    async onLoss() {
      isLeading.value = 0;
      logger.info({}, 'this server does not lead any more: its controllers stop');
      await controllers.stop();
    },
  });
  election.start();
  return election;
}

/** One thread commits all that the others work out: it has enough to do with these. */
const mostAutomatic = 4;

function writeThreads(options: ServerOptions, logger: Logger): WriteThreads | undefined {
  const {
    writeThreads: asked,
    dialect,
    featureGates,
    runtimeConfig,
    emulatedVersion,
    allowPrivileged,
    eventTtl,
  } = options;
  const count = asked === 'auto' ? Math.min(availableParallelism() - 1, mostAutomatic) : asked;
  if (count === 0) return undefined;
  const kinds = { dialect, featureGates, runtimeConfig, emulatedVersion, allowPrivileged };
  const keepsToNamespaces = isOn(namespaceLifecycle, options);
  return new WriteThreads({ ...kinds, eventTtl, keepsToNamespaces, count, logger });
}

async function openStore(options: ServerOptions, clock: Clock, logger: Logger): Promise<Store> {
  const { storage, dataDir, dialect } = options;
  const onFailure = (error: Error) => logger.error({ err: error }, 'the store could not write');
  if (storage === 'memory') return new MemoryStore({ clock });
  if (storage === 'lmdb') return LmdbStore.open({ dir: join(dataDir, 'store'), clock, dialect, onFailure });
  return EtcdStore.open({
    dir: join(dataDir, 'copy'),
    clock,
    dialect,
    onFailure,
    servers: options.etcdServers,
    credentials: await readEtcdCredentials(options),
    prefix: options.etcdPrefix,
    compactionMs: options.etcdCompactionInterval,
    onTrouble: (error) => logger.warn({ err: error }, 'etcd cannot be followed; it is tried again'),
    onReturn: () => logger.info({}, 'etcd is followed again'),
  });
}

async function readEtcdCredentials({
  etcdCafile,
  etcdCertfile,
  etcdKeyfile,
}: ServerOptions): Promise<Credentials> {
  const shown =
    etcdCertfile === undefined || etcdKeyfile === undefined
      ? undefined
      : await readServingFiles(etcdCertfile, etcdKeyfile);
  return {
    ...(etcdCafile !== undefined && { ca: await readAuthorities(etcdCafile) }),
    ...(shown && { cert: shown.certificate, key: shown.key }),
  };
}

type OwnParts = Pick<
  Api,
  'dialect' | 'registry' | 'store' | 'clock' | 'authorizer' | 'serviceAllocation' | 'tokens'
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
    admission: new Admission(),
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

function resourceHandler(
  parts: Pick<ResourceContext, 'api' | 'authorizer' | 'authenticators' | 'nodes' | 'writing'>,
  { minRequestTimeout }: ServerOptions,
  meters: Meters,
): HttpServerHandler {
  const context = {
    ...parts,
    deprecatedUses: new DeprecatedUses(meters, parts.api.dialect),
    minRequestTimeout,
    bodyBuffers: new BodyBuffers(),
    encodedItems: new EncodedItems(),
    sharedStates: new SharedStates(),
  };
  return (exchange) => handleResource(context, exchange);
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
function flowControl(options: ServerOptions, api: Api, meters: Meters): FlowControl | undefined {
  const seats = options.maxRequestsInflight + options.maxMutatingRequestsInflight;
  if (!options.enablePriorityAndFairness || seats === 0) return undefined;
  const { clock, dialect } = api;
  const { requestTimeout } = options;
  const metrics = new FlowMetrics(meters);
  return new FlowControl({ clock, dialect, metrics, widths: new Widths(api), seats, requestTimeout });
}

interface LaterKnown {
  readonly aggregation: Aggregation;
  readonly flow: FlowControl | undefined;
  isDraining(): boolean;
  /** Where others find the keys that tokens are checked with. */
  keysUri(): string;
}

function pathHandler(
  api: Api,
  features: Features,
  { meters, objectives, version }: Pick<ServedMetrics, 'meters' | 'objectives'> & { version: VersionInfo },
  { flow, aggregation, isDraining, keysUri }: LaterKnown,
) {
  const table = new PathTable();
  const health = new HealthChecks(healthMetrics(objectives));
  health.add('etcd', async () => {
    const { healthy, message } = await api.storageHealth();
    if (!healthy) throw new Error(message);
  });
  // Nobody is served before they are there; the check goes by the name that clients leave out or wait for.
  health.add('poststarthook/rbac/bootstrap-roles', () => {});
  health.add('shutdown', () => {
    if (isDraining()) throw new Error('process is shutting down');
  }, ['readyz']);
  health.addTo(table);
  const storage = new StorageMetrics(meters, api.store, () => api.registry.stored, api.clock);
  addMetrics(table, { meters, objectives, storage });
  if (flow) addFlowDumps(table, flow);
  addVersion(table, version);
  addTokenIssuer(table, api.tokens, keysUri);
  table.addFamily(new Discovery(api.registry, api.dialect, features, aggregation.announcements));
  table.addFamily(new OpenApi({ ...api, features, others: aggregation }));
  return table.handle.bind(table);
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

interface Secured {
  readonly pki: Pki;
  readonly serving: KeyPair;
  /** Who may sign client certificates: our own authority, and the user's. */
  readonly clientCa: string;
  /** What this server shows to those behind it, and by what they may know it, where it has made that itself. */
  readonly proxy: KeyPair;
  readonly ownProxy: OwnProxy | undefined;
}

async function secure(options: ServerOptions, dialect: Dialect, clock: Clock): Promise<Secured> {
  const { tlsCertFile, tlsPrivateKeyFile, clientCaFile } = options;
  const pki = await ensurePki({
    dir: options.certDir,
    serverName: dialect.serverName,
    names: servingNames(options, dialect),
    admin: { user: 'admin', groups: [mastersGroup] },
    now: clock.now(),
  });
  const serving =
    tlsCertFile !== undefined && tlsPrivateKeyFile !== undefined
      ? await readServingFiles(tlsCertFile, tlsPrivateKeyFile)
      : pki.serving;
  const others = clientCaFile === undefined ? '' : await readAuthorities(clientCaFile);
  const clientCa = `${pki.authority.certificate}\n${others}`;
  return { pki, serving, clientCa, ...(await proxyPair(options, dialect, clock)) };
}

async function proxyPair(
  { proxyClientCertFile, proxyClientKeyFile, certDir }: ServerOptions,
  { serverName }: Dialect,
  clock: Clock,
): Promise<Pick<Secured, 'proxy' | 'ownProxy'>> {
  if (proxyClientCertFile !== undefined && proxyClientKeyFile !== undefined) {
    return { proxy: await readServingFiles(proxyClientCertFile, proxyClientKeyFile), ownProxy: undefined };
  }
  const { authority, client } = await ensureProxyPki({ dir: certDir, serverName, now: clock.now() });
  return { proxy: client, ownProxy: { authority: authority.certificate, name: proxyName } };
}

/** Who signs what others ask for: the user's authority for that, or else our own, where there is one. */
async function clusterSigner(options: ServerOptions, secured: Secured | undefined) {
  const { clusterSigningCertFile: certificate, clusterSigningKeyFile: key, clusterSigningDuration } = options;
  const given = certificate !== undefined && key !== undefined && (await readServingFiles(certificate, key));
  const authority = given || secured?.pki.authority;
  return authority && new ClusterSigner(authority, clusterSigningDuration);
}

function servingNames({ bindAddress }: ServerOptions, { apiServiceName }: Dialect): string[] {
  const service = `${apiServiceName}.default`;
  const names = ['localhost', '127.0.0.1', '::1', hostname(), apiServiceName, service, `${service}.svc`];
  const isOneAddress = bindAddress !== '0.0.0.0' && bindAddress !== '::';
  return [...new Set(isOneAddress ? [...names, bindAddress] : names)];
}

async function openPlain(http: HttpServer, { httpPort }: ServerOptions): Promise<string | undefined> {
  if (httpPort === undefined) return undefined;
  const { port } = await http.listenPlain('127.0.0.1', httpPort);
  return `http://127.0.0.1:${port}`;
}

async function openSecure(
  http: HttpServer,
  options: ServerOptions,
  secured: Secured,
  proxyCa = '',
): Promise<string> {
  const { certificate, key } = secured.serving;
  const { bindAddress, securePort = 0 } = options;
  const clientCa = `${secured.clientCa}\n${proxyCa}`;
  const { port } = await http.listenSecure(bindAddress, securePort, { certificate, key, clientCa });
  return `https://${bindAddress.includes(':') ? `[${bindAddress}]` : bindAddress}:${port}`;
}

/** The secure address as others may know it: where it listens on every address, one of these. */
function reachedAt({ bindAddress }: ServerOptions, secureUrl: string | undefined): string | undefined {
  if (secureUrl === undefined) return undefined;
  const url = new URL(secureUrl);
  const address = publicAddress(bindAddress);
  if (address !== undefined) url.hostname = address.includes(':') ? `[${address}]` : address;
  return url.origin;
}

function pause(clock: Clock, ms: number): Promise<void> {
  return ms > 0 ? new Promise((resolve) => clock.after(ms, resolve)) : Promise.resolve();
}
