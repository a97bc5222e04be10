// Composes the server of a serving thread that follows the main thread: it serves requests, and starts no controllers.
import type { AuditBackend } from '../../audit/backend.ts';
import { SharedSeatTable } from '../../flowcontrol/shared-seats.ts';
import type { MetricsPage } from '../../http/endpoints/metrics.ts';
import { ThreadStore } from '../../store/threads/thread-store.ts';
import type { LoadedCertificates } from '../certificate-reloader.ts';
import { Components, startTogether } from '../component.ts';
import { openFoundation } from '../foundation.ts';
import { createHttpServer } from '../http.ts';
import { openPlainListener, openSecureListener, tlsMaterial } from '../listen.ts';
import { createResources } from '../resources.ts';
import { drainTimeoutMs } from '../server-parts.ts';
import type { FollowerData } from './messages.ts';

export interface FollowerParts {
  readonly auditBackend: AuditBackend;
  mergeMetrics(page: MetricsPage): Promise<string>;
}

export interface RunningFollower {
  setCertificates(loaded: LoadedCertificates): void;
  announceShutdown(): void;
  renderMetrics(page: MetricsPage): Promise<string>;
  stop(): Promise<void>;
  /** Closes every connection at once, and the store. */
  abort(): Promise<void>;
}

/** Resolves once it listens. */
export async function runFollower(data: FollowerData, parts: FollowerParts): Promise<RunningFollower> {
  const { options, loaded, tokenOptions, staticTokens, jwksUri, threads, thread } = data;
  const components = new Components();
  const store = await ThreadStore.open(data.store, data.maxSnapshots);
  const seats = new SharedSeatTable(threads, thread, data.seats);
  const serverParts = {
    store,
    staticTokens,
    prepared: { tokenOptions },
    sharing: { isFollower: true, threads, seats, ...parts, catchUp: () => store.catchUp() },
  };
  const foundation = await openFoundation(options, serverParts, components);
  const resources = createResources(options, serverParts, foundation, components);
  const serving = createHttpServer(options, serverParts, foundation, resources, components);
  const { http, state, aggregation, authentication, flowConfigController } = serving;
  state.jwksUri = jwksUri;
  await startTogether(foundation.logger, flowConfigController, aggregation);
  aggregation.startRemote(loaded?.certificates.proxy);
  if (loaded) authentication.setCas(loaded.certificates.clientCa, loaded.proxyCa);
  await openPlainListener(http, options, true);
  if (loaded) await openSecureListener(http, options, loaded.certificates, loaded.proxyCa, true);
  return {
    setCertificates({ certificates, proxyCa }) {
      http.setTls(tlsMaterial(certificates, proxyCa));
      aggregation.setClientCertificate(certificates.proxy);
      authentication.setCas(certificates.clientCa, proxyCa);
    },
    announceShutdown() {
      state.isDraining = true;
      http.announceShutdown();
    },
    renderMetrics: (page) => serving.renderMetrics(page),
    async stop() {
      state.isDraining = true;
      await http.drain(drainTimeoutMs);
      await components.close();
    },
    abort: () => components.close(),
  };
}
