// The interface of a controller and its dependencies.
import type { QuotaLedger } from '../../admission/plugins/resource-quota/quota-ledger.ts';
import type { ServiceAccountTokens } from '../../auth/service-account-tokens.ts';
import type { Clock } from '../../base/clock.ts';
import type { Client } from '../../client/client.ts';
import type { Informers } from '../../client/informers.ts';
import type { Dialect } from '../../dialect/dialect.ts';
import type { MetricsSource } from '../../kind/definition.ts';
import type { Features } from '../../kind/features/features.ts';
import type { Registry } from '../../kind/registry.ts';
import type { ClusterSigner } from '../../pki/cluster-signer.ts';
import type { Authorizer } from '../../request/authorizer.ts';
import type { User } from '../../request/user.ts';
import type { SchedulerConfig } from '../../scheduler/config/scheduler-config.ts';
import type { Logger } from '../../telemetry/log.ts';
import type { ControllerOptions } from '../options.ts';
import type { AggregatedApis } from './aggregated-apis.ts';
import type { EventRecorder } from './event-recorder.ts';
import type { ResourceMonitor } from './resource-monitor.ts';
import type { ScaleClient } from './scale-client.ts';
import type { WorkQueueFactory } from './work-queue.ts';

export interface Controller {
  /** The server accepts requests once the promise resolves; return nothing if clients need not wait. */
  start(): Promise<void> | void;
  /** The store was restored to another state: drops all caches and lists everything again. */
  reset(): void;
  /** Resolves once no reconciliation is running. */
  close(): Promise<void>;
}

/** An entry of the list of controllers. */
export interface ControllerDescriptor {
  /** The name in `--controllers`. */
  readonly name: string;
  /** The component whose user and field manager the controller has; default `controller-manager`. */
  readonly component?: 'controller-manager' | 'scheduler';
  /** The service account that the controller acts as; undefined for the user of its component. */
  readonly serviceAccount: string | undefined;
  /** `*` does not enable it, only its name. */
  readonly isOptIn?: boolean;
  /**
   * `*` enables it only on a server with simulated nodes: otherwise kube-controller-manager and kube-scheduler are expected to run
   * beside the server.
   */
  readonly needsNodes?: boolean;
  /** Returns undefined if the server lacks a feature or a key that the controller needs. */
  create(context: ControllerContext): Controller | undefined;
}

export interface ControllerIdentity {
  readonly user: User;
  /** The field manager of its writes. */
  readonly manager: string;
}

export interface ControllerContext {
  readonly client: Client;
  readonly informers: Informers;
  /** The served kinds, upstream's RESTMapper. */
  readonly kinds: Registry;
  readonly monitor: ResourceMonitor;
  readonly scales: ScaleClient;
  readonly dialect: Dialect;
  readonly clock: Clock;
  readonly authorizer: Authorizer;
  readonly identity: ControllerIdentity;
  readonly features: Features;
  readonly options: Pick<
    ControllerOptions,
    'namespaceDeletionDelay' | 'nodeMonitorGracePeriod' | 'terminatedPodGcThreshold'
  >;
  readonly logger: Logger;
  readonly events: EventRecorder;
  readonly newQueue: WorkQueueFactory;
  readonly quotas: QuotaLedger;
  readonly aggregatedApis: AggregatedApis;
  /** Resource metrics that this server serves itself; undefined without simulated nodes. */
  readonly metricsSource: MetricsSource | undefined;
  /** The file of --scheduler-config; undefined without one. */
  readonly schedulerConfig: SchedulerConfig | undefined;
  /** Issues the tokens of Secrets. */
  readonly tokens: Pick<ServiceAccountTokens, 'issueLegacy'>;
  /** The CA of the serving certificate, PEM; undefined if the user provides that certificate. */
  readonly rootCa: string | undefined;
  /** Signs CertificateSigningRequests; undefined without a CA key. */
  readonly signer: ClusterSigner | undefined;
}
