// Executes writes on the serving thread (the main thread, which handles requests), or prepares them on a worker thread and
// commits them here.
//
// A worker runs the write pipeline up to the commit on the objects that are sent along (OffloadInput). The serving thread then
// runs validating admission and commits, with the condition that none of these objects has changed. If one has, the write is
// offloaded again, and after some attempts executed here.
import type { ApiObject } from '../kind/api-object.ts';
import { ExpensiveValidation } from '../kind/expensive-validation.ts';
import type { ServedResource } from '../kind/registry.ts';
import { decodeStored } from '../kind/storage/codec.ts';
import { keyOf, type Target } from '../registry/target.ts';
import type { VerbContext } from '../registry/verb-context.ts';
import { viewOfParent } from '../registry/view.ts';
import { addWarnings } from '../registry/write/add-warnings.ts';
import { beginAdmission } from '../registry/write/admission.ts';
import type { AdmissionObjects } from '../registry/write/admission-control.ts';
import type {
  EncodedInput,
  PreparedWrite,
  WriteContext,
  WriteRequest,
  WriteResult,
} from '../registry/write/context.ts';
import { executeWrite, finishWrite, newWriteContext } from '../registry/write/pipeline.ts';
import { nameTakenError, retryAfterFailure } from '../registry/write/retry.ts';
import type { TaskOwner } from '../request/task-owner.ts';
import { PreconditionFailed } from '../store/store.ts';
import { LoopLoad } from './loop-load.ts';
import { type Outcome, packWrite, toApiError, withBuffers } from './messages.ts';
import { findOffloadInput, hasMovableRules, isOffloadable, type OffloadInput } from './offload.ts';
import type { OnDemandThread } from './on-demand-thread.ts';
import { isExpensive } from './write-cost.ts';
import { WriteSession } from './write-session.ts';
import type { WriteThreadPool } from './write-threads.ts';

/**
 * Bytes of request and stored object above which offloading is faster than preparing the write here. Measured: the
 * threshold of a change is higher, because the stored object must be copied to the worker.
 */
const minOffloadBytes = { create: 1_000, change: 3_000 };
/** The pool starts after the serving thread was busy for this many consecutive windows of 100 ms. */
const busyWindowsBeforeStart = 5;
/** Attempts of an offloaded write whose object changes concurrently, before the serving thread executes it. */
const maxOffloadAttempts = 5;
/** The cost of a CEL rule above which a worker evaluates it. Measured: most units of cost take 20 ns. */
const maxRuleCost = 50_000;

/** The worker threads that prepare writes. */
export interface WorkerPools {
  /** Used while the serving thread is busy. */
  readonly pool: Pick<WriteThreadPool, 'start' | 'tryRun'> | undefined;
  /** For large writes, which could block the event loop. */
  readonly large: Pick<OnDemandThread, 'run'>;
}

/** A write that a worker thread is preparing. */
interface OffloadedWrite {
  readonly input: OffloadInput;
  readonly outcome: Promise<Outcome>;
  /** Answers the worker's questions; undefined if the worker asks none. */
  readonly session: WriteSession | undefined;
}

/** The outcome of a write that a worker thread could prepare. */
type ConclusiveOutcome = Extract<Outcome, { is: 'prepared' | 'rejected' }>;

/**
 * Executes writes on the serving thread, or offloads their preparation: large writes always, others while the serving
 * thread is busy. Invariant: all commits are made on the serving thread, so that there is one order of them.
 */
export class WriteExecutor {
  /** Number of writes prepared on the serving thread, and on worker threads. */
  readonly counts = { servingThread: 0, workerThreads: 0 };
  readonly #api: VerbContext;
  readonly #threads: WorkerPools | undefined;
  readonly #loopLoad = new LoopLoad();

  constructor(api: VerbContext, threads: WorkerPools | undefined) {
    this.#api = api;
    this.#threads = threads;
  }

  /** An executor with the same worker threads and other dependencies, such as a store that only the leader writes to. */
  withContext(api: VerbContext): WriteExecutor {
    return new WriteExecutor(api, this.#threads);
  }

  /** `owner`: the client's request; absent for a write of the server. */
  async execute(
    request: WriteRequest<EncodedInput>,
    warnings: string[],
    owner?: TaskOwner,
  ): Promise<WriteResult> {
    const { store } = this.#api;
    // A dry run does not commit, so no precondition checks that it used the latest state.
    if (request.options.dryRun) await store.head();
    const { revision } = store;
    const warningsBefore = warnings.length;
    try {
      return await this.#execute(request, warnings, owner);
    } catch (error) {
      return await retryAfterFailure(store, revision, error, () => {
        warnings.length = warningsBefore;
        return this.#execute(request, warnings, owner);
      });
    }
  }

  #execute(
    request: WriteRequest<EncodedInput>,
    warnings: string[],
    owner: TaskOwner | undefined,
  ): Promise<WriteResult> {
    const offloaded = this.#threads && this.#offload(this.#threads, request, owner);
    if (offloaded) return this.#finishOffloaded(offloaded, request, warnings, owner);
    if (this.#threads && hasMovableRules(this.#api, request)) {
      return this.#executeUnlessExpensive(this.#threads, request, warnings, owner);
    }
    return this.#executeOnServingThread(request, warnings);
  }

  /** The cost of the rules of a custom resource is known only once they run: if it is high, a worker starts again. */
  async #executeUnlessExpensive(
    threads: WorkerPools,
    request: WriteRequest<EncodedInput>,
    warnings: string[],
    owner: TaskOwner | undefined,
  ): Promise<WriteResult> {
    const warningsBefore = warnings.length;
    try {
      const options = { ...request.options, maxRuleCost };
      return await this.#executeOnServingThread({ ...request, options }, warnings);
    } catch (error) {
      if (!(error instanceof ExpensiveValidation)) throw error;
      this.counts.servingThread--;
      warnings.length = warningsBefore;
      const offloaded = this.#offload(threads, request, owner, true);
      return offloaded
        ? this.#finishOffloaded(offloaded, request, warnings, owner)
        : this.#executeOnServingThread(request, warnings);
    }
  }

  #executeOnServingThread(request: WriteRequest<EncodedInput>, warnings: string[]): Promise<WriteResult> {
    this.counts.servingThread++;
    return executeWrite(this.#api, request, warnings);
  }

  /** Sends the write to a worker thread; undefined if this thread has to execute it, or does so faster. */
  #offload(
    threads: WorkerPools,
    request: WriteRequest<EncodedInput>,
    owner: TaskOwner | undefined,
    isLarge = this.#isExpensive(request),
  ): OffloadedWrite | undefined {
    if (!isOffloadable(request, isLarge)) return undefined;
    const busyWindows = isLarge || !threads.pool ? 0 : this.#loopLoad.countBusyWindows();
    if (!isLarge && busyWindows === 0) return undefined;
    if (busyWindows >= busyWindowsBeforeStart) threads.pool?.start();
    const offloadInput = findOffloadInput(this.#api, request, isLarge);
    if (!offloadInput) return undefined;
    const makeMessage = () =>
      packWrite(request, offloadInput, { now: this.#api.clock.now(), mayAsk: isLarge });
    if (isLarge) {
      const session = new WriteSession(this.#api);
      return { input: offloadInput, outcome: threads.large.run(makeMessage, owner, session), session };
    }
    const minBytes = offloadInput.current ? minOffloadBytes.change : minOffloadBytes.create;
    // The pool takes only built-in kinds.
    if (offloadInput.definition || offloadInput.size < minBytes) return undefined;
    const outcome = threads.pool?.tryRun(makeMessage);
    return outcome && { input: offloadInput, outcome, session: undefined };
  }

  #isExpensive({ target, input }: WriteRequest<EncodedInput>): boolean {
    const current = input.verb === 'create' ? undefined : this.#api.store.get(keyOf(target));
    return isExpensive(input, current);
  }

  /** Commits a write that a worker thread prepared, and repeats it if the object changed concurrently. */
  async #finishOffloaded(
    firstAttempt: OffloadedWrite,
    request: WriteRequest<EncodedInput>,
    warnings: string[],
    owner: TaskOwner | undefined,
  ): Promise<WriteResult> {
    let offloaded: OffloadedWrite | undefined = firstAttempt;
    for (let attempt = 0; offloaded && attempt < maxOffloadAttempts; attempt++) {
      try {
        const outcome: Outcome = await offloaded.outcome;
        if (!isConclusive(outcome)) break;
        const result = await this.#commitOutcome(request, outcome, offloaded, warnings);
        if (result) return result;
      } finally {
        await offloaded.session?.close();
      }
      offloaded = this.#offload(this.#threads!, request, owner, offloaded.session !== undefined);
    }
    return this.#executeOnServingThread(request, warnings);
  }

  /** Returns undefined if an object that the worker thread used has changed since. */
  async #commitOutcome(
    request: WriteRequest<EncodedInput>,
    outcome: ConclusiveOutcome,
    offloaded: OffloadedWrite,
    warnings: string[],
  ): Promise<WriteResult | undefined> {
    this.counts.workerThreads++;
    const { requestMetadata, auditAnnotations } = outcome;
    for (const [key, value] of auditAnnotations) request.options.request?.audit?.annotate(key, value);
    if (requestMetadata) request.observer?.onDecoded({ apiVersion: '', kind: '', metadata: requestMetadata });
    const outcomeWarnings = [...outcome.warnings];
    try {
      if (outcome.is === 'rejected') throw toApiError(outcome.error);
      const result = await finishWrite(this.#toWriteContext(request, outcome, offloaded, outcomeWarnings));
      addWarnings(warnings, outcomeWarnings);
      return result;
    } catch (error) {
      if (!(error instanceof PreconditionFailed)) {
        addWarnings(warnings, outcomeWarnings);
        throw error;
      }
      // Where a create with a name fails, the name is taken, unless the namespace has changed. Other writes are repeated.
      const isCreate = outcome.is === 'prepared' && outcome.created && request.input.verb === 'create';
      if (!isCreate || !requestMetadata?.name || error.key === offloaded.input.namespace?.key)
        return undefined;
      addWarnings(warnings, outcomeWarnings);
      throw nameTakenError(request.target.resource, requestMetadata, error.current);
    }
  }

  /** The context of a prepared write, as if its stages up to validation had run here. */
  #toWriteContext(
    request: WriteRequest<EncodedInput>,
    { prepared, created }: Extract<Outcome, { is: 'prepared' }>,
    { input: offloadInput, session }: OffloadedWrite,
    warnings: string[],
  ): WriteContext {
    const { target, options } = request;
    const { resource, subresource } = target;
    const context = newWriteContext(this.#api, request, warnings);
    context.isNew = created;
    context.isCreateOnUpdate = created && request.input.verb !== 'create';
    context.stored = created ? undefined : offloadInput.current;
    context.prepared = withBuffers(prepared);
    // What the kind releases after the deletion is in the object.
    if (context.prepared.is === 'delete' && resource.definition.strategy.afterDelete) {
      context.object = decodeStored(resource, context.prepared.last);
    }
    context.namespaceSeen = offloadInput.namespace;
    context.reservation = session?.takeReservation();
    const operation = created ? 'CREATE' : 'UPDATE';
    const part = session ? 'afterWorker' : 'all';
    if (!this.#api.admission.handles({ resource, subresource, operation }, part)) return context;
    const objects = new DecodedObjects(target, context.prepared, offloadInput);
    context.admission = beginAdmission(this.#api, target, operation, objects, options, warnings, part);
    return context;
  }
}

/** The objects of a prepared write for validating admission. Most plugins do not read them, so they are decoded on demand. */
class DecodedObjects implements AdmissionObjects {
  readonly #target: Target;
  readonly #prepared: PreparedWrite;
  readonly #input: OffloadInput;
  #object: ApiObject | undefined;
  #old: ApiObject | undefined;

  constructor(target: Target, prepared: PreparedWrite, input: OffloadInput) {
    this.#target = target;
    this.#prepared = prepared;
    this.#input = input;
  }

  get object(): ApiObject {
    this.#object ??= this.#viewOf(objectIn(this.#target.resource, this.#prepared, this.#input));
    return this.#object;
  }

  get old(): ApiObject | undefined {
    const { current } = this.#input;
    this.#old ??= current && this.#viewOf(decodeStored(this.#target.resource, current));
    return this.#old;
  }

  /** A write through a view (`scale`) is admitted as the view, not as its parent. */
  #viewOf(object: ApiObject): ApiObject {
    const { resource, subresource } = this.#target;
    const view = resource.subresource(subresource)?.view;
    return view ? viewOfParent(this.#target, view, object, String(this.#input.current!.revision)) : object;
  }
}

function objectIn(resource: ServedResource, prepared: PreparedWrite, { current }: OffloadInput): ApiObject {
  if (prepared.is === 'dryRun') return decodeStored(resource, prepared.object);
  if (prepared.is === 'delete') return decodeStored(resource, prepared.last);
  if (prepared.is !== 'write' || !prepared.write.draft) return decodeStored(resource, current!);
  const { key, draft } = prepared.write;
  const object = decodeStored(resource, {
    key,
    json: draft.json,
    schemaFingerprint: draft.schemaFingerprint,
  });
  if (current) object.metadata.resourceVersion = String(current.revision);
  else delete object.metadata.resourceVersion;
  return object;
}

const isConclusive = (outcome: Outcome): outcome is ConclusiveOutcome =>
  outcome.is === 'prepared' || outcome.is === 'rejected';
