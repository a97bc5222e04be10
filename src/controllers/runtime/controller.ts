import type { Ledger } from '../../admission/plugins/resource-quota/ledger.ts';
import type { Client } from '../../client/client.ts';
import type { Features } from '../../kind/features/features.ts';
import type { ClusterSigner } from '../../pki/cluster-signer.ts';
import type { Api } from '../../registry/api.ts';
import type { User } from '../../request/user.ts';
import type { Logger } from '../../telemetry/log.ts';
import type { AggregatedApis } from './aggregated-apis.ts';
import type { EventRecorder } from './event-recorder.ts';
import type { WorkQueueFactory } from './work-queue.ts';

/** Keeps something in the cluster as it should be, for as long as it runs. */
export interface Controller {
  /** Begins. What it returns is waited for before anybody is served: return nothing where that need not be. */
  start(): Promise<void> | void;
  /** The store has become another one: whatever was learnt is forgotten, and everything is looked at anew. */
  reset(): void;
  /** Ends. Resolves once nothing is under way any more. */
  close(): Promise<void>;
}

/** In whose name a controller writes. */
export interface Acting {
  readonly user: User;
  /** Who comes to own the fields that it sets. */
  readonly manager: string;
}

/** What a controller works with. */
export interface ControllerContext {
  readonly api: Api;
  readonly client: Client;
  readonly acting: Acting;
  readonly features: Features;
  readonly logger: Logger;
  readonly events: EventRecorder;
  readonly newQueue: WorkQueueFactory;
  readonly quotas: Ledger;
  readonly aggregatedApis: AggregatedApis;
  /** In PEM, the authority by which others know this server; undefined where that is not ours to say. */
  readonly authority: string | undefined;
  /** Signs the certificates that others ask for; undefined where nothing is there to sign with. */
  readonly signer: ClusterSigner | undefined;
}
