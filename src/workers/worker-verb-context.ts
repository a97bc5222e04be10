// Worker thread: what the write pipeline gets there in place of the server's store, authorizer, admission and allocators.
import { AdmissionChain } from '../admission/admission-chain.ts';
import { AdmissionMetrics } from '../admission/admission-metrics.ts';
import { NamespaceLifecycle } from '../admission/namespace-lifecycle.ts';
import type { AdmissionOptions } from '../admission/options.ts';
import { createAnyThreadPlugins } from '../admission/plugins.ts';
import type { Clock } from '../base/clock.ts';
import type { Features } from '../kind/features/features.ts';
import { type AddressRules, addressRules } from '../kind/meta/address-rules.ts';
import type { VerbContext } from '../registry/verb-context.ts';
import { type Authorizer, allow } from '../request/authorizer.ts';
import { metricTable } from '../telemetry/metric-table.ts';
import { Metrics } from '../telemetry/metrics.ts';
import type { ServingThread } from './questions.ts';
import { RemoteStore } from './remote-store.ts';
import { reserveRemotely } from './reserve-remotely.ts';
import { NotOffloadable, type SnapshotObjects, SnapshotStore } from './snapshot-store.ts';

/** The dependencies of the write pipeline that a worker thread has. */
export interface WorkerDependencies
  extends Pick<VerbContext, 'dialect' | 'metaGroup' | 'registry' | 'eventTtl'> {
  readonly features: Features;
  /** Whether the admission plugin NamespaceLifecycle is enabled. */
  readonly namespaceLifecycle: boolean;
  readonly admissionOptions: AdmissionOptions;
  readonly servingThread: ServingThread;
}

/** Admission runs on the serving thread, which has the state of the plugins. */
const noAdmission = new AdmissionChain();
/** The serving thread authorizes the create of an object that an update or apply does not find. */
const deferredAuthorizer: Authorizer = { authorize: () => allow, rulesFor: () => notOffloadable() };

/** The serving thread has checked that the namespace of a changed object exists. */
class WorkerNamespaceLifecycle extends NamespaceLifecycle {
  override assertUpdateAllowed(): void {}
}

/** For a write that depends only on the objects that were sent with it. */
export class SnapshotVerbContext implements VerbContext {
  readonly dialect: VerbContext['dialect'];
  readonly metaGroup: string;
  readonly registry: VerbContext['registry'];
  readonly store: SnapshotStore;
  readonly clock: Clock;
  readonly eventTtl: number;
  readonly lifecycle: NamespaceLifecycle;

  constructor(dependencies: WorkerDependencies, snapshot: SnapshotObjects, now: number) {
    this.dialect = dependencies.dialect;
    this.metaGroup = dependencies.metaGroup;
    this.registry = dependencies.registry;
    this.eventTtl = dependencies.eventTtl;
    this.store = this.newStore(dependencies, snapshot);
    this.lifecycle = new WorkerNamespaceLifecycle(this, dependencies.namespaceLifecycle);
    this.clock = { now: () => now, elapsed: () => performance.now(), after: startTimer };
  }

  protected newStore(_: WorkerDependencies, snapshot: SnapshotObjects): SnapshotStore {
    return new SnapshotStore(snapshot);
  }

  get admission(): VerbContext['admission'] {
    return noAdmission;
  }

  get authorizer(): VerbContext['authorizer'] {
    return deferredAuthorizer;
  }

  get serviceAllocation(): VerbContext['serviceAllocation'] {
    return notOffloadable();
  }
}

/** For a large write: the worker runs admission plugins and guards, and asks the serving thread for what they need. */
export class AskingVerbContext extends SnapshotVerbContext {
  readonly #servingThread: ServingThread;
  readonly #admission = new AdmissionChain();
  readonly #authorizer: Authorizer;
  readonly #addressRules: AddressRules;

  constructor(dependencies: WorkerDependencies, snapshot: SnapshotObjects, now: number) {
    super(dependencies, snapshot, now);
    const { features, admissionOptions: options, servingThread } = dependencies;
    this.#servingThread = servingThread;
    this.#addressRules = addressRules(dependencies);
    this.#authorizer = {
      authorize: (user, info) => servingThread.ask('authorize', { user, info }),
      rulesFor: (user, namespace) => servingThread.ask('rulesFor', { user, namespace }),
    };
    // Nobody reads the metrics of a worker: these plugins are not measured for large writes.
    const metrics = new Metrics(metricTable);
    // New plugins for each write, because their caches are not updated.
    const anyThread = createAnyThreadPlugins({ api: this, features, metrics, options });
    this.#admission.use({ anyThread, servingThread: [] }, new AdmissionMetrics(metrics));
  }

  protected override newStore({ servingThread }: WorkerDependencies, snapshot: SnapshotObjects): RemoteStore {
    return new RemoteStore(snapshot, servingThread);
  }

  override get admission(): VerbContext['admission'] {
    return this.#admission;
  }

  override get authorizer(): VerbContext['authorizer'] {
    return this.#authorizer;
  }

  override get serviceAllocation(): VerbContext['serviceAllocation'] {
    const reserve: VerbContext['serviceAllocation']['reserve'] = async (_, service, old, dryRun) =>
      reserveRemotely(this.#servingThread, service, old, dryRun, this.#addressRules);
    return { reserve } as VerbContext['serviceAllocation'];
  }
}

function startTimer(ms: number, callback: () => void): () => void {
  const timer = setTimeout(callback, ms);
  return () => clearTimeout(timer);
}

function notOffloadable(): never {
  throw new NotOffloadable('the worker has only objects');
}
