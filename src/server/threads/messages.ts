// Messages between the main thread and the serving threads that follow it.
import type { ServiceAccountTokenOptions } from '../../auth/service-account-tokens.ts';
import type { MetricsPage } from '../../http/endpoints/metrics.ts';
import type { StoreConnection } from '../../store/threads/messages.ts';
import type { StaticToken } from '../authentication.ts';
import type { LoadedCertificates } from '../certificate-reloader.ts';
import type { ServerOptions } from '../options.ts';

/** The workerData of a follower. */
export interface FollowerData {
  /** With the ports that the main thread listens on. */
  readonly options: ServerOptions;
  readonly store: StoreConnection;
  /** The share of a thread in the reader slots of the file. */
  readonly maxSnapshots: number;
  readonly loaded: LoadedCertificates | undefined;
  readonly tokenOptions: ServiceAccountTokenOptions;
  readonly staticTokens: readonly StaticToken[];
  readonly jwksUri: string;
  readonly seats: SharedArrayBuffer;
  readonly threads: number;
  /** The index of this thread; the main thread is 0. */
  readonly thread: number;
}

export type MainMessage =
  | { readonly type: 'certificates'; readonly loaded: LoadedCertificates }
  /** Keep serving, but make clients reconnect. */
  | { readonly type: 'announceShutdown' }
  /** Drain and end. */
  | { readonly type: 'stop' }
  /** Fail with an uncaught exception. For tests. */
  | { readonly type: 'crash' }
  /** Send the own metrics. */
  | { readonly type: 'render'; readonly id: number; readonly page: MetricsPage }
  /** The metrics of all threads. */
  | { readonly type: 'merged'; readonly id: number; readonly text: string };

export type FollowerMessage =
  | { readonly type: 'ready' }
  /** An uncaught exception; the thread ends. */
  | { readonly type: 'failed'; readonly problem: string }
  | { readonly type: 'rendered'; readonly id: number; readonly text: string }
  /** Asks for the metrics of all threads. */
  | { readonly type: 'merge'; readonly id: number; readonly page: MetricsPage }
  | { readonly type: 'audit'; readonly lines: string; readonly eventCount: number }
  /** Mode blocking-strict: the follower waits for the result. */
  | { readonly type: 'auditNow'; readonly line: string; readonly result: SharedArrayBuffer };

/** The result of `auditNow`, in shared memory. */
export const auditResults = { pending: 0, written: 1, failed: 2 } as const;
