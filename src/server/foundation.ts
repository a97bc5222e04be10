// What all other parts of a server use: the served kinds, metrics, audit, the store, and authorization.
import { servedKinds } from '../apis/served-kinds.ts';
import { openAudit } from '../audit/open-audit.ts';
import { authorizerForModes } from '../auth/authorization-modes.ts';
import { RbacPolicyCache } from '../auth/rbac/policy-cache.ts';
import { RbacAuthorizer } from '../auth/rbac/rbac-authorizer.ts';
import { ServiceAccountTokens } from '../auth/service-account-tokens.ts';
import { systemClock } from '../base/clock.ts';
import { Informers } from '../client/informers.ts';
import type { Features } from '../kind/features/features.ts';
import { ServiceAllocation } from '../registry/service/service-allocation.ts';
import { readSchedulerConfig } from '../scheduler/config/scheduler-config.ts';
import type { NodeStages } from '../simulation/stages/stage.ts';
import { readNodeStages } from '../simulation/stages/stage-file.ts';
import { createLogger } from '../telemetry/log.ts';
import { createServerMetrics } from '../telemetry/metrics.ts';
import { identityHeadersOf, readProxyCa } from './authentication.ts';
import { loadCertificates } from './certificates.ts';
import type { Components } from './component.ts';
import { reportListenerFailures } from './metrics/listener-failures.ts';
import { createMetricsOptions } from './metrics/metrics-options.ts';
import { openStore } from './open-store.ts';
import type { ServerOptions } from './options.ts';
import { readKubeletCredentials } from './resource-handler.ts';
import type { ServerParts } from './server-parts.ts';
import { serviceAccountTokenOptions } from './service-account-token-options.ts';
import { serviceRanges } from './service-ranges.ts';

export type Foundation = Awaited<ReturnType<typeof openFoundation>>;

/** The served kinds, metrics, audit, the store, and authorization. */
export async function openFoundation(options: ServerOptions, parts: ServerParts, components: Components) {
  const clock = parts.clock ?? systemClock;
  const logger = parts.logger ?? createLogger({ verbosity: options.verbosity });
  const { dialect, release, features, registry, warnings } = servedKinds(options);
  for (const warning of warnings) logger.warn({}, warning);
  const metricsOptions = createMetricsOptions(options, dialect, logger);
  // Creating keys takes a while: the store opens meanwhile.
  const certificatesLoading =
    options.securePort === undefined || parts.sharing?.isFollower
      ? undefined
      : loadCertificates(options, dialect, clock);
  // startControllers awaits it; until then a failure must not count as an unhandled rejection.
  certificatesLoading?.catch(() => {});
  const kubeletCredentials = await readKubeletCredentials(options);
  const identityHeaders = identityHeadersOf(options, features);
  const proxyCa = await readProxyCa(options);
  const nodeStages = options.nodes > 0 ? await readNodeStages(options.nodeStages, dialect) : undefined;
  assertDevicesAllocatable(options, nodeStages, features);
  const { schedulerConfig: schedulerFile } = options;
  const schedulerConfig =
    schedulerFile === undefined ? undefined : await readSchedulerConfig(schedulerFile, dialect);
  const metrics = createServerMetrics(metricsOptions);
  const backend = parts.sharing?.auditBackend;
  const auditor = await openAudit(options, { dialect, clock, logger, metrics, backend });
  components.add({ close: () => auditor?.close() });
  const store = parts.store ?? (await openStore(options, clock, logger, parts.sharing));
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
    nodeStages,
    schedulerConfig,
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

/** Without the feature gate nothing allocates devices, and their kinds may not be served. */
function assertDevicesAllocatable(
  { nodeStages: file }: ServerOptions,
  stages: NodeStages | undefined,
  features: Features,
): void {
  if (!stages || stages.devices.length === 0 || features.enabled('DynamicResourceAllocation')) return;
  throw new Error(`--node-stages ${file}: devices need --feature-gates DynamicResourceAllocation=true`);
}

/** Keys of a server that stores nothing on disk stay in memory as well. */
function keyFolder({ storage, securePort, certDir }: ServerOptions): string | undefined {
  return storage === 'memory' && securePort === undefined ? undefined : certDir;
}
