// Worker thread: runs the write pipeline up to the commit, on a snapshot of the objects that the write depends on.
import { AdmissionChain } from '../admission/admission-chain.ts';
import { NamespaceLifecycle } from '../admission/namespace-lifecycle.ts';
import type { Clock } from '../base/clock.ts';
import { ApiError } from '../errors/status.ts';
import type { ApiObject } from '../kind/api-object.ts';
import type { Api } from '../registry/api.ts';
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

/** Of a server's parts those that a write can be worked out with. */
export interface WorkerDependencies extends Pick<Api, 'dialect' | 'metaGroup' | 'registry' | 'eventTtl'> {
  /** Whether NamespaceLifecycle has a say in writes. */
  readonly keepsToNamespaces: boolean;
  readonly learnt: WorkerCustomResources;
}

/** Works out what a write comes to, by the very verbs that would carry it out, over the objects that were sent along. */
export async function prepareOnWorker(parts: WorkerDependencies, message: PrepareMessage): Promise<Outcome> {
  const definition = unpackDefinition(message);
  if (definition) parts.learnt.learn(definition);
  const request = unpackRequest(parts.registry, parts.dialect, message);
  if (!request) return { is: 'beyond' };
  const store = new SnapshotStore(unpackSnapshot(message));
  const api = new WorkerApi(parts, store, message.now);
  const warnings: string[] = [];
  let brought: RequestMetadata | undefined;
  const onDecoded = ({ metadata: { name, namespace, uid, resourceVersion } }: ApiObject) => {
    brought = { name, namespace, uid, resourceVersion } as RequestMetadata;
  };
  const observer = { onDecoded, needsWholeObject: false };
  const context = newWriteContext(api, { ...request, observer }, warnings);
  try {
    const prepared = await prepareWrite(context);
    if (prepared.is === 'delete') return { is: 'beyond' };
    const created = context.isNew;
    return { is: 'prepared', created, prepared, warnings, brought };
  } catch (error) {
    // Whatever else goes wrong is told where it can be logged.
    if (!(error instanceof ApiError) || error.constructor !== ApiError) return { is: 'beyond' };
    const { code, reason, message: text, details } = error;
    return { is: 'refused', error: { code, reason, message: text, details }, warnings, brought };
  }
}

/** Those who have a say are asked where all that they know is at hand. */
const noAdmission = new AdmissionChain();
/** So is the authorizer, whether who changes an object that is not there may create it. */
const deferredAuthorizer: Authorizer = { authorize: () => allow, rulesFor: () => notOffloadable() };

/** That the namespace of what is changed is there has been seen before it was sent here. */
class WorkerNamespaceLifecycle extends NamespaceLifecycle {
  override assertUpdateAllowed(): void {}
}

class WorkerApi implements Api {
  readonly dialect: Api['dialect'];
  readonly metaGroup: string;
  readonly registry: Api['registry'];
  readonly store: SnapshotStore;
  readonly clock: Clock;
  readonly eventTtl: number;
  readonly lifecycle: NamespaceLifecycle;

  constructor(parts: WorkerDependencies, store: SnapshotStore, now: number) {
    this.dialect = parts.dialect;
    this.metaGroup = parts.metaGroup;
    this.registry = parts.registry;
    this.eventTtl = parts.eventTtl;
    this.store = store;
    this.lifecycle = new WorkerNamespaceLifecycle(this, parts.keepsToNamespaces);
    this.clock = { now: () => now, elapsed: () => notOffloadable(), after: () => notOffloadable() };
  }

  get admission(): Api['admission'] {
    return noAdmission;
  }

  get authorizer(): Api['authorizer'] {
    return deferredAuthorizer;
  }

  get lists(): Api['lists'] {
    return notOffloadable();
  }

  get hub(): Api['hub'] {
    return notOffloadable();
  }

  get tokens(): Api['tokens'] {
    return notOffloadable();
  }

  get serviceAllocation(): Api['serviceAllocation'] {
    return notOffloadable();
  }

  storageHealth(): never {
    return notOffloadable();
  }
}

function notOffloadable(): never {
  throw new NotOffloadable('the worker has only objects');
}
