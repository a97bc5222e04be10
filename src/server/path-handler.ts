// The HTTP handler of non-resource paths: health, metrics, version, discovery, OpenAPI, OIDC discovery.
import type { Aggregation } from '../aggregation/aggregation.ts';
import type { ServiceAccountTokens } from '../auth/service-account-tokens.ts';
import { Discovery } from '../discovery/discovery.ts';
import { addFlowDumps } from '../flowcontrol/dumps.ts';
import type { FlowControl } from '../flowcontrol/flow-control.ts';
import { HealthChecks } from '../http/endpoints/health.ts';
import { addMetrics, type MetricsPage } from '../http/endpoints/metrics.ts';
import { addTokenIssuer } from '../http/endpoints/token-issuer.ts';
import { addVersion, type VersionInfo } from '../http/endpoints/version.ts';
import type { Features } from '../kind/features/features.ts';
import type { OpenApiWorker } from '../openapi/builder/custom/render.ts';
import { OpenApi } from '../openapi/serve.ts';
import type { StorageContext } from '../registry/verb-context.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import { type PathFamily, PathTable } from '../transport/path-table.ts';
import { healthMetrics } from './metrics/health-metrics.ts';
import { StorageMetrics } from './metrics/storage-metrics.ts';
import { storageHealth } from './storage-health.ts';

export interface ServedMetrics {
  readonly metrics: Metrics;
  /** Service level indicators, for /metrics/slis. */
  readonly sliMetrics: Metrics;
  readonly version: VersionInfo;
}

export interface PathHandlerParts {
  readonly aggregation: Aggregation;
  readonly flow: FlowControl | undefined;
  readonly tokens: ServiceAccountTokens;
  /** Encodes large OpenAPI documents on a worker thread. */
  readonly openApiWorker: OpenApiWorker | undefined;
  isDraining(): boolean;
  /** The JWKS URI in the OIDC discovery document. */
  jwksUri(): string;
  /** The metrics of all serving threads; undefined if there is one. */
  readonly mergeMetrics: ((page: MetricsPage) => Promise<string>) | undefined;
  /** The web console; undefined if the options leave it out. */
  readonly webConsole: PathFamily | undefined;
}

export function newPathHandler(
  api: StorageContext,
  features: Features,
  { metrics, sliMetrics, version }: ServedMetrics,
  {
    flow,
    aggregation,
    tokens,
    openApiWorker,
    isDraining,
    jwksUri,
    mergeMetrics,
    webConsole,
  }: PathHandlerParts,
) {
  const table = new PathTable();
  const health = new HealthChecks(healthMetrics(sliMetrics));
  const checkStorage = storageHealth(api.store);
  // Upstream's name of the storage check, whatever the backend is.
  health.add('etcd', async () => {
    const { healthy, message } = await checkStorage();
    if (!healthy) throw new Error(message);
  });
  // Not in /livez: a restart does not help. Clients that delete objects through a load balancer exclude it there.
  health.add('storage-space', () => {
    const { outOfSpace } = api.store.stats();
    if (outOfSpace !== undefined) throw new Error(`storage is out of space: ${outOfSpace}`);
  }, ['readyz']);
  // Always succeeds, as the roles exist before the listeners open; clients exclude it or wait for it by name.
  health.add('poststarthook/rbac/bootstrap-roles', () => {});
  health.add('shutdown', () => {
    if (isDraining()) throw new Error('process is shutting down');
  }, ['readyz']);
  health.addTo(table);
  const storage = new StorageMetrics(metrics, api.store, () => api.registry.stored, api.clock);
  const renderMetrics = async (page: MetricsPage) => {
    if (page === 'slis') return sliMetrics.render();
    await storage.refresh();
    return metrics.render();
  };
  addMetrics(table, mergeMetrics ?? renderMetrics);
  if (flow) addFlowDumps(table, flow, api.clock);
  if (webConsole) table.addFamily(webConsole);
  addVersion(table, version);
  addTokenIssuer(table, tokens, jwksUri);
  table.addFamily(new Discovery(api.registry, api.dialect, features, aggregation.registeredVersions));
  table.addFamily(new OpenApi({ ...api, features, aggregated: aggregation, worker: openApiWorker }));
  return { handlePath: table.handle.bind(table), renderMetrics };
}
