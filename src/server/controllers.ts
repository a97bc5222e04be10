// Runs the controllers, on shared storage only while this server is the leader.
import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { Auditor } from '../audit/auditor.ts';
import { InternalRequestAudit } from '../audit/internal-request-audit.ts';
import { Client } from '../client/client.ts';
import { Informers } from '../client/informers.ts';
import { controllers } from '../controllers/index.ts';
import type { ControllerContext, ControllerDescriptor } from '../controllers/runtime/controller.ts';
import { ControllerSet, isControllerEnabled } from '../controllers/runtime/controller-set.ts';
import { controllerUser } from '../controllers/runtime/controller-user.ts';
import { LeaderElection } from '../controllers/runtime/leader-election.ts';
import { FenceRaisingStore, LeaderStore } from '../controllers/runtime/leader-store.ts';
import { ResourceMonitor } from '../controllers/runtime/resource-monitor.ts';
import { ScaleClient } from '../controllers/runtime/scale-client.ts';
import type { RegistryContext } from '../registry/verb-context.ts';
import { nodeSimulation } from '../simulation/node-simulation.ts';
import type { NodeStages } from '../simulation/stages/stage.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import type { WriteExecutor } from '../workers/write-executor.ts';
import type { Component } from './component.ts';
import type { ServerOptions } from './options.ts';

/** Not the lease of kube-controller-manager, which may run beside this server. */
const leaseName = 'orch-controllers';

/** The part of a controller's context that all controllers share. */
type SharedContext = Omit<ControllerContext, keyof ControllerOwnContext | 'options'>;

/** The part of a controller's context that acts with its identity. */
type ControllerOwnContext = Pick<
  ControllerContext,
  'client' | 'identity' | 'informers' | 'kinds' | 'monitor' | 'scales' | 'dialect' | 'clock' | 'authorizer'
>;

export interface ControllerManagerParts {
  readonly api: RegistryContext;
  readonly client: Client;
  readonly writeExecutor: WriteExecutor;
  readonly auditor: Auditor | undefined;
  readonly metrics: Metrics;
  /** Of the pods on simulated nodes; undefined without such nodes. */
  readonly nodeStages: NodeStages | undefined;
  readonly context: SharedContext;
}

export class ControllerManager implements Component {
  readonly #parts: ControllerManagerParts;
  readonly #election: LeaderElection | undefined;
  readonly #controllers: ControllerSet;

  constructor(options: ServerOptions, parts: ControllerManagerParts) {
    this.#parts = parts;
    const { api, writeExecutor, auditor, context, nodeStages } = parts;
    const election = createElection(options, parts);
    this.#election = election;
    // A server that has lost its leadership must not write any more.
    const fencedApi = election ? { ...api, store: new LeaderStore(api.store, election) } : api;
    const enabled = controllers.filter((descriptor) =>
      isControllerEnabled(options.controllers, descriptor, options.nodes > 0),
    );
    const simulation = nodeStages ? [nodeSimulation(options, nodeStages)] : [];
    this.#controllers = new ControllerSet([...enabled, ...simulation], (descriptor) => ({
      ...context,
      options,
      ...contextFor(descriptor, fencedApi, writeExecutor, auditor),
    }));
  }

  async start(): Promise<void> {
    if (!this.#election) return this.#controllers.start();
    const { metrics, context } = this.#parts;
    const masterStatus = metrics.gauge('leader_election_master_status').child(leaseName);
    this.#election.start({
      onStartedLeading: () => {
        masterStatus.value = 1;
        context.logger.info({}, 'became leader, starting controllers');
        this.#controllers
          .start()
          .catch((error: unknown) => context.logger.error({ err: error }, 'failed to start controllers'));
      },
      onStoppedLeading: async () => {
        masterStatus.value = 0;
        context.logger.info({}, 'lost leadership, stopping controllers');
        await this.#controllers.stop();
      },
    });
  }

  reset(): void {
    this.#controllers.reset();
  }

  async close(): Promise<void> {
    await this.#election?.close();
    await this.#controllers.stop();
  }
}

function createElection(
  options: ServerOptions,
  { api, client, writeExecutor, context }: ControllerManagerParts,
): LeaderElection | undefined {
  if (!(options.leaderElect ?? options.storage === 'etcd')) return undefined;
  const raisingApi = { ...api, store: new FenceRaisingStore(api.store, leaseName) };
  return new LeaderElection({
    client,
    acquiringClient: new Client(raisingApi, writeExecutor.withContext(raisingApi)),
    clock: api.clock,
    dialect: api.dialect,
    logger: context.logger,
    identity: `${hostname()}_${randomUUID()}`,
    leaseName,
    timing: {
      leaseDurationMs: options.leaderElectLeaseDuration,
      renewDeadlineMs: options.leaderElectRenewDeadline,
      retryPeriodMs: options.leaderElectRetryPeriod,
    },
  });
}

/** The API as one controller uses it: its requests are audited with the controller's service account as user. */
function contextFor(
  { component = 'controller-manager', serviceAccount }: ControllerDescriptor,
  api: RegistryContext,
  writeExecutor: WriteExecutor,
  auditor: Auditor | undefined,
): ControllerOwnContext {
  const { dialect, clock, authorizer } = api;
  const user = controllerUser(dialect, component, serviceAccount);
  const manager = dialect.component(component);
  const auditHook = auditor && new InternalRequestAudit(auditor, clock, user, `${manager}/${user.name}`);
  const auditedApi = auditHook ? { ...api, auditHook } : api;
  return {
    client: new Client(auditedApi, writeExecutor.withContext(auditedApi)),
    informers: new Informers(auditedApi),
    kinds: auditedApi.registry,
    monitor: new ResourceMonitor(auditedApi),
    scales: new ScaleClient(auditedApi),
    identity: { user, manager },
    dialect,
    clock,
    authorizer,
  };
}
