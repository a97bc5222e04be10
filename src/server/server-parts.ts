// The interface of a server to the programs that run it.

import type { Plugin } from '../admission/plugin.ts';
import type { AuditBackend } from '../audit/backend.ts';
import type { ServiceAccountTokenOptions } from '../auth/service-account-tokens.ts';
import type { Clock } from '../base/clock.ts';
import type { Client } from '../client/client.ts';
import type { SharedSeatTable } from '../flowcontrol/shared-seats.ts';
import type { MetricsPage } from '../http/endpoints/metrics.ts';
import type { Store } from '../store/store.ts';
import type { Logger } from '../telemetry/log.ts';
import type { StaticToken } from './authentication.ts';
import type { LoadedCertificates } from './certificate-reloader.ts';

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
  /** Set if there are several serving threads. */
  readonly threads?: {
    /** Resolves once all of them listen. */
    readonly started: Promise<void>;
    /** Makes one of them fail; resolves once it has ended. For tests. */
    crash(thread: number): Promise<void>;
  };
  /** Graceful shutdown: drains requests, ends watches, closes the store. */
  stop(): Promise<void>;
}

/** What a server takes over that continues the state of another one: the objects that every server creates exist already. */
export interface PreparedState {
  /** Tokens that the other server has issued stay valid. */
  readonly tokenOptions: ServiceAccountTokenOptions;
}

/** What the serving threads of a server share. */
export interface Sharing {
  /** Whether this thread follows another one, which writes, and maintains the objects of the server itself. */
  readonly isFollower: boolean;
  /** The number of threads: each has its share of the bytes that caches may have. */
  readonly threads: number;
  readonly seats: SharedSeatTable;
  /** Writes the audit events of a follower. */
  readonly auditBackend?: AuditBackend;
  /** Called when the store becomes full, and with undefined when it has space again. */
  onSpaceChange?(problem: string | undefined): void;
  /** Called with certificates that were reloaded. */
  onCertificates?(loaded: LoadedCertificates): void;
  /** The metrics of all threads. */
  mergeMetrics(page: MetricsPage): Promise<string>;
  /** Applies the writes that other threads have acknowledged. Undefined if that is done at once. */
  catchUp?(): Promise<void> | undefined;
}

/** How long a graceful shutdown waits for requests in flight. */
export const drainTimeoutMs = 10_000;

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
  /** Set if the server has several serving threads (`threads/`). */
  readonly sharing?: Sharing;
  /** Called when the client certificate of the cluster admin was renewed. */
  onAdminRenewed?(credentials: AdminCredentials): void;
}
