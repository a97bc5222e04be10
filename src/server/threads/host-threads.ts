// The main thread's side of serving threads, as server.ts composes it: what they share, and their start and stop.
import { SharedSeatTable } from '../../flowcontrol/shared-seats.ts';
import { MAX_SNAPSHOTS } from '../../store/lmdb/environment.ts';
import { LmdbBackedStore } from '../../store/lmdb/lmdb-backed.ts';
import { StoreHost } from '../../store/threads/store-host.ts';
import { readProxyCa } from '../authentication.ts';
import type { Background } from '../background.ts';
import type { Foundation } from '../foundation.ts';
import type { Serving } from '../http.ts';
import { storeDirectory } from '../open-store.ts';
import type { ServerOptions } from '../options.ts';
import type { RunningServer, ServerParts, Sharing } from '../server-parts.ts';
import { ServingThreads } from './serving-threads.ts';

export class HostThreads {
  /** For the parts of the main thread's server. */
  readonly sharing: Sharing;
  readonly #count: number;
  readonly #seats: SharedSeatTable;
  #host: StoreHost | undefined;
  #threads: ServingThreads | undefined;

  /** `count`: the number of serving threads, the main thread included. */
  constructor(count: number) {
    this.#count = count;
    this.#seats = new SharedSeatTable(count, 0);
    this.sharing = {
      isFollower: false,
      threads: count,
      seats: this.#seats,
      onSpaceChange: (problem) => this.#host?.setOutOfSpace(problem),
      onCertificates: (loaded) => this.#threads?.setCertificates(loaded),
      mergeMetrics: (page) => this.#threads!.renderMetrics(page),
    };
  }

  /** Called before anything writes to the store. */
  connect(
    options: ServerOptions,
    { store, logger, auditor }: Foundation,
    renderOwn: Serving['renderMetrics'],
  ): void {
    if (!(store instanceof LmdbBackedStore)) throw new Error('serving threads cannot share this store');
    const host = new StoreHost(store, storeDirectory(options), options.storage === 'etcd');
    this.#host = host;
    const auditBackend = auditor?.backend;
    this.#threads = new ServingThreads({
      ...{ host, logger, auditBackend, renderOwn },
      threads: this.#count,
      seats: this.#seats,
    });
  }

  /** Starts the other threads, once the main thread listens. */
  async start(
    options: ServerOptions,
    parts: ServerParts,
    { tokenOptions }: Foundation,
    { state }: Serving,
    { certificates }: Background,
    { url, secureUrl }: Pick<RunningServer, 'url' | 'secureUrl'>,
  ): Promise<void> {
    const securePort = secureUrl === undefined ? undefined : Number(new URL(secureUrl).port);
    const httpPort = options.httpPort === undefined ? undefined : Number(new URL(url).port);
    await this.#threads!.start({
      options: { ...options, httpPort, securePort },
      loaded: certificates && { certificates, proxyCa: await readProxyCa(options) },
      tokenOptions,
      staticTokens: parts.staticTokens ?? [],
      jwksUri: state.jwksUri,
      // The main thread keeps the other half.
      maxSnapshots: Math.floor(MAX_SNAPSHOTS / 2 / (this.#count - 1)),
    });
  }

  announceShutdown(): void {
    this.#threads?.announceShutdown();
  }

  async stop(): Promise<void> {
    await this.#threads?.stop();
    this.#host?.close();
  }

  /** Makes one of the other threads fail; resolves once it has ended. For tests. */
  async crash(thread: number): Promise<void> {
    await this.#threads?.crash(thread);
  }
}
