// Executes writes on the serving thread, or prepares them on a worker thread and commits them here.
import { ApiError, type StatusDetails, type StatusReason } from '../errors/status.ts';
import type { ApiObject } from '../kind/api-object.ts';
import type { ServedResource } from '../kind/registry.ts';
import { decodeStored } from '../kind/storage/codec.ts';
import type { Api } from '../registry/api.ts';
import { keyOf } from '../registry/target.ts';
import { beginAdmission } from '../registry/write/admission.ts';
import type {
  EncodedInput,
  PreparedWrite,
  WriteContext,
  WriteRequest,
  WriteResult,
} from '../registry/write/context.ts';
import { executeWrite, finishWrite, newWriteContext } from '../registry/write/pipeline.ts';
import { nameTaken, retryAfter } from '../registry/write/retry.ts';
import { PreconditionFailed } from '../store/store.ts';
import { LoopLoad } from './loop-load.ts';
import { type Outcome, packWrite, type SentError, sourceOf, withBuffers } from './messages.ts';
import { isOffloadable, type OffloadInput, offloadInputOf } from './offload.ts';
import type { OnDemandThread } from './on-demand-thread.ts';
import type { WriteThreadPool } from './write-threads.ts';

/**
 * Bytes, sent and stored together, from which on a write is worth sending to another thread. Measured: a new object is so
 * much sooner than one that is changed, for which much more has to be sent along.
 */
const minOffloadBytes = { create: 1_000, change: 3_000 };
/**
 * From so many bytes on a write would keep others waiting for longer than it may, in the worst case: who owns the parts of
 * what is patched or applied takes long to find out.
 */
const minLargeBytes = { whole: 256 * 1024, patched: 64 * 1024 };
/** A thread that has been busy for so many tenths of a second in a row is given help. */
const busyWindowsBeforeStart = 5;
/** So often a write is worked out anew where somebody else was faster, before the serving thread does it in one go. */
const maxOffloadAttempts = 5;

/** The threads that writes can be worked out on. */
export interface WorkerPools {
  /** They help the serving thread when it is busy. */
  readonly helping: Pick<WriteThreadPool, 'start' | 'work'> | undefined;
  readonly large: Pick<OnDemandThread, 'work'>;
}

/** A write that a worker thread is preparing. */
interface OffloadedWrite {
  readonly needed: OffloadInput;
  readonly outcome: Promise<Outcome>;
}

/** The outcome of a write that a worker thread had enough for. */
type ConclusiveOutcome = Extract<Outcome, { is: 'prepared' | 'refused' }>;

/**
 * Carries out writes: here, or on other threads, which get those that take long and, while there are more than one thread
 * can work out, some of the others. There is one order of commits in any case, and it is made here: another thread only
 * works out what is to be committed.
 */
export class WriteExecutor {
  /** Number of writes prepared on the serving thread and on workers. */
  readonly counts = { serving: 0, other: 0 };
  readonly #api: Api;
  readonly #threads: WorkerPools | undefined;
  readonly #busyness = new LoopLoad();

  constructor(api: Api, threads: WorkerPools | undefined) {
    this.#api = api;
    this.#threads = threads;
  }

  async execute(request: WriteRequest<EncodedInput>, warnings: string[]): Promise<WriteResult> {
    const { store } = this.#api;
    // A dry run does not commit, so no precondition checks that it used the latest state.
    if (request.options.dryRun) await store.head();
    const { revision } = store;
    const warningsBefore = warnings.length;
    try {
      return await this.#execute(request, warnings);
    } catch (error) {
      return await retryAfter(store, revision, error, () => {
        warnings.length = warningsBefore;
        return this.#execute(request, warnings);
      });
    }
  }

  #execute(request: WriteRequest<EncodedInput>, warnings: string[]): Promise<WriteResult> {
    const underWay = this.#threads && this.#send(this.#threads, request);
    return underWay ? this.#follow(underWay, request, warnings) : this.#here(request, warnings);
  }

  #here(request: WriteRequest<EncodedInput>, warnings: string[]): Promise<WriteResult> {
    this.counts.serving++;
    return executeWrite(this.#api, request, warnings);
  }

  /** Sends the write to a worker thread, if that pays off. */
  #send(threads: WorkerPools, request: WriteRequest<EncodedInput>): OffloadedWrite | undefined {
    if (!isOffloadable(request)) return undefined;
    const isLarge = this.#isLarge(request);
    const busy = isLarge || !threads.helping ? 0 : this.#busyness.measure();
    if (!isLarge && busy === 0) return undefined;
    if (busy >= busyWindowsBeforeStart) threads.helping?.start();
    const needed = offloadInputOf(this.#api, request);
    if (!needed) return undefined;
    const message = () => packWrite(request, needed, this.#api.clock.now());
    if (isLarge) return { needed, outcome: threads.large.work(message) };
    const least = needed.current ? minOffloadBytes.change : minOffloadBytes.create;
    if (needed.definition || needed.size < least) return undefined;
    const outcome = threads.helping?.work(message);
    return outcome && { needed, outcome };
  }

  #isLarge({ target, input }: WriteRequest<EncodedInput>): boolean {
    const least = 'body' in input ? minLargeBytes.whole : minLargeBytes.patched;
    const size = sourceOf(input).length;
    if (size >= least || input.verb === 'create') return size >= least;
    const current = this.#api.store.get(keyOf(target));
    return current !== undefined && size + current.json.length >= least;
  }

  /** Finishes what is worked out elsewhere, and has it worked out anew where somebody else was faster. */
  async #follow(
    first: OffloadedWrite,
    request: WriteRequest<EncodedInput>,
    warnings: string[],
  ): Promise<WriteResult> {
    let underWay: OffloadedWrite | undefined = first;
    for (let attempt = 0; underWay && attempt < maxOffloadAttempts; attempt++) {
      const outcome: Outcome = await underWay.outcome;
      if (!isConclusive(outcome)) break;
      const updated = await this.#finish(request, outcome, underWay.needed, warnings);
      if (updated) return updated;
      underWay = this.#send(this.#threads!, request);
    }
    return this.#here(request, warnings);
  }

  /** Undefined where the state changed since the worker thread saw it. */
  async #finish(
    request: WriteRequest<EncodedInput>,
    outcome: ConclusiveOutcome,
    needed: OffloadInput,
    warnings: string[],
  ): Promise<WriteResult | undefined> {
    this.counts.other++;
    const { brought } = outcome;
    if (brought) request.observer?.onDecoded({ apiVersion: '', kind: '', metadata: brought });
    const said = [...outcome.warnings];
    try {
      if (outcome.is === 'refused') throw errorOf(outcome.error);
      const result = await finishWrite(this.#contextOf(request, outcome, needed, said));
      warnings.push(...said);
      return result;
    } catch (error) {
      if (!(error instanceof PreconditionFailed)) {
        warnings.push(...said);
        throw error;
      }
      const isNamed = outcome.is === 'prepared' && outcome.created && request.input.verb === 'create';
      if (!isNamed || !brought?.name || error.key === needed.namespace?.key) return undefined;
      warnings.push(...said);
      throw nameTaken(request.target.resource, brought.name, error.current);
    }
  }

  /** The context of a prepared write, as if its stages up to validation had run here. */
  #contextOf(
    request: WriteRequest<EncodedInput>,
    { prepared, created }: Extract<Outcome, { is: 'prepared' }>,
    needed: OffloadInput,
    warnings: string[],
  ): WriteContext {
    const { target, options } = request;
    const { resource, subresource } = target;
    const context = newWriteContext(this.#api, request, warnings);
    context.isNew = created;
    context.isCreateOnUpdate = created && request.input.verb !== 'create';
    context.stored = created ? undefined : needed.current;
    context.prepared = withBuffers(prepared);
    context.namespaceSeen = needed.namespace;
    const operation = created ? 'CREATE' : 'UPDATE';
    if (!this.#api.admission.handles({ resource, subresource, operation })) return context;
    const object = objectIn(resource, context.prepared, needed);
    const old = needed.current && decodeStored(resource, needed.current);
    context.object = object;
    context.admission = beginAdmission(
      this.#api,
      target,
      operation,
      old ? { object, old } : { object },
      options,
      warnings,
    );
    return context;
  }
}

/** The object of a prepared write, for validating admission. */
function objectIn(resource: ServedResource, prepared: PreparedWrite, { current }: OffloadInput): ApiObject {
  if (prepared.is === 'dryRun') return decodeStored(resource, prepared.object);
  if (prepared.is !== 'write' || !prepared.write.draft) return decodeStored(resource, current!);
  const { key, draft } = prepared.write;
  const object = decodeStored(resource, { key, json: draft.json, mark: draft.mark });
  if (current) object.metadata.resourceVersion = String(current.revision);
  else delete object.metadata.resourceVersion;
  return object;
}

const isConclusive = (outcome: Outcome): outcome is ConclusiveOutcome =>
  outcome.is === 'prepared' || outcome.is === 'refused';

function errorOf({ code, reason, message, details }: SentError): ApiError {
  return new ApiError(code, reason as StatusReason, message, details as StatusDetails | undefined);
}
