// Worker thread: runs the write pipeline up to the commit, on a snapshot of the objects that the write depends on.
import { AdmissionChain } from '../admission/admission-chain.ts';
import { NamespaceLifecycle } from '../admission/namespace-lifecycle.ts';
import type { Clock } from '../base/clock.ts';
import { ApiError } from '../errors/status.ts';
import type { ApiObject } from '../kind/api-object.ts';
import type { VerbContext } from '../registry/verb-context.ts';
import { newWriteContext, prepareWrite } from '../registry/write/pipeline.ts';
import { type Authorizer, allow } from '../request/authorizer.ts';
import {
  type Outcome,
  type PrepareMessage,
  type RequestMetadata,
  unpackDefinition,
  unpackRequest,
  unpackSnapshot,
} from './messages.ts';
import { NotOffloadable, SnapshotStore } from './snapshot-store.ts';
import type { WorkerCustomResources } from './worker-custom-resources.ts';

/** The dependencies of the write pipeline that a worker thread has. */
export interface WorkerDependencies
  extends Pick<VerbContext, 'dialect' | 'metaGroup' | 'registry' | 'eventTtl'> {
  /** Whether the admission plugin NamespaceLifecycle is enabled. */
  readonly namespaceLifecycle: boolean;
  readonly customResources: WorkerCustomResources;
}

/** Runs the stages of the write pipeline that precede the commit, on the objects of the message. */
export async function prepareOnWorker(
  dependencies: WorkerDependencies,
  message: PrepareMessage,
): Promise<Outcome> {
  const definition = unpackDefinition(message);
  if (definition) dependencies.customResources.add(definition);
  const request = unpackRequest(dependencies.registry, dependencies.dialect, message);
  if (!request) return { is: 'notOffloadable' };
  const store = new SnapshotStore(unpackSnapshot(message));
  const api = new WorkerVerbContext(dependencies, store, message.now);
  const warnings: string[] = [];
  let requestMetadata: RequestMetadata | undefined;
  const onDecoded = ({ metadata: { name, namespace, uid, resourceVersion } }: ApiObject) => {
    requestMetadata = { name, namespace, uid, resourceVersion } as RequestMetadata;
  };
  const observer = { onDecoded, needsWholeObject: false };
  const context = newWriteContext(api, { ...request, observer }, warnings);
  try {
    const prepared = await prepareWrite(context);
    if (prepared.is === 'delete') return { is: 'notOffloadable' };
    const created = context.isNew;
    return { is: 'prepared', created, prepared, warnings, requestMetadata };
  } catch (error) {
    // A message cannot carry subclasses of ApiError and other errors: the serving thread repeats the write to get them.
    if (!(error instanceof ApiError) || error.constructor !== ApiError) return { is: 'notOffloadable' };
    const { code, reason, message: text, details } = error;
    return { is: 'rejected', error: { code, reason, message: text, details }, warnings, requestMetadata };
  }
}

/** Admission runs on the serving thread, which has the state of the plugins. */
const noAdmission = new AdmissionChain();
/** The serving thread authorizes the create of an object that an update or apply does not find. */
const deferredAuthorizer: Authorizer = { authorize: () => allow, rulesFor: () => notOffloadable() };

/** The serving thread has checked that the namespace of a changed object exists. */
class WorkerNamespaceLifecycle extends NamespaceLifecycle {
  override assertUpdateAllowed(): void {}
}

class WorkerVerbContext implements VerbContext {
  readonly dialect: VerbContext['dialect'];
  readonly metaGroup: string;
  readonly registry: VerbContext['registry'];
  readonly store: SnapshotStore;
  readonly clock: Clock;
  readonly eventTtl: number;
  readonly lifecycle: NamespaceLifecycle;

  constructor(dependencies: WorkerDependencies, store: SnapshotStore, now: number) {
    this.dialect = dependencies.dialect;
    this.metaGroup = dependencies.metaGroup;
    this.registry = dependencies.registry;
    this.eventTtl = dependencies.eventTtl;
    this.store = store;
    this.lifecycle = new WorkerNamespaceLifecycle(this, dependencies.namespaceLifecycle);
    this.clock = { now: () => now, elapsed: () => notOffloadable(), after: () => notOffloadable() };
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

function notOffloadable(): never {
  throw new NotOffloadable('the worker has only objects');
}
