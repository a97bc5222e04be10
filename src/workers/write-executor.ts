import { ApiError, type StatusDetails, type StatusReason } from '../errors/status.ts';
import type { ApiObject } from '../kind/api-object.ts';
import type { ServedResource } from '../kind/registry.ts';
import { decodeStored } from '../kind/storage/codec.ts';
import { type Api, keyOf, type Target } from '../registry/api.ts';
import { nameTaken } from '../registry/verbs/create.ts';
import type { Updated } from '../registry/verbs/update.ts';
import { actIfValid, beginAdmission } from '../registry/write/admission-control.ts';
import { refuseCreation } from '../registry/write/guard.ts';
import { executeWrite, type WriteRequest } from '../registry/write/pipeline.ts';
import { retryOnConflict } from '../registry/write/retry-on-conflict.ts';
import { PreconditionFailed, type StoredObject } from '../store/store.ts';
import { LoopLoad } from './loop-load.ts';
import { type Outcome, packPlan, type Refusal, received, sourceOf } from './messages.ts';
import { isOfObjectsAlone, neededFor, type Plannable } from './offload.ts';
import type { LargeWrites } from './on-demand-thread.ts';
import type { WriteThreads } from './write-threads.ts';

/**
 * Bytes, sent and stored together, from which on a write is worth sending to another thread. Measured: a new object is so
 * much sooner than one that is changed, for which much more has to be sent along.
 */
const worthSending = { create: 1_000, change: 3_000 };
/**
 * From so many bytes on a write would keep others waiting for longer than it may, in the worst case: who owns the parts of
 * what is patched or applied takes long to find out.
 */
const large = { whole: 256 * 1024, patched: 64 * 1024 };
/** A thread that has been busy for so many tenths of a second in a row is given help. */
const pressing = 5;
/** So often a write is worked out anew where somebody else was faster, before the serving thread does it in one go. */
const mostAttempts = 5;

/** The threads that writes can be worked out on. */
export interface Threads {
  /** They help the serving thread when it is busy. */
  readonly helping: Pick<WriteThreads, 'start' | 'work'> | undefined;
  readonly large: Pick<LargeWrites, 'work'>;
}

/** A write that is being worked out elsewhere. */
interface UnderWay {
  readonly needed: Plannable;
  readonly outcome: Promise<Outcome>;
}

/** What a thread has worked out, other than that it is to be refused. */
type WorkedOut = Extract<Outcome, { is: 'write' | 'tried' | 'nothing' }>;

/** What can come of a write that a thread knows enough for. */
type Known = WorkedOut | Extract<Outcome, { is: 'refused' }>;

/**
 * Carries out writes: here, or on other threads, which get those that take long and, while there are more than one thread
 * can work out, some of the others. There is one order of commits in any case, and it is made here: another thread only
 * works out what is to be committed.
 */
export class WriteExecutor {
  /** How many were worked out on which threads. */
  readonly counts = { serving: 0, other: 0 };
  readonly #api: Api;
  readonly #threads: Threads | undefined;
  readonly #busyness = new LoopLoad();

  constructor(api: Api, threads: Threads | undefined) {
    this.#api = api;
    this.#threads = threads;
  }

  async carryOut(request: WriteRequest, warnings: string[]): Promise<Updated> {
    const { store } = this.#api;
    let said: string[] = [];
    // A dry run does not commit, so no precondition checks that it used the latest state.
    if (request.options.dryRun) await store.head();
    try {
      return await retryOnConflict(store, () => {
        said = [];
        return this.#carryOut(request, said);
      });
    } finally {
      warnings.push(...said);
    }
  }

  #carryOut(request: WriteRequest, warnings: string[]): Promise<Updated> {
    const underWay = this.#threads && this.#send(this.#threads, request);
    return underWay ? this.#follow(underWay, request, warnings) : this.#here(request, warnings);
  }

  #here(request: WriteRequest, warnings: string[]): Promise<Updated> {
    this.counts.serving++;
    return executeWrite(this.#api, request, warnings);
  }

  /** Has a write worked out elsewhere, if it is worth it. */
  #send(threads: Threads, request: WriteRequest): UnderWay | undefined {
    if (!isOfObjectsAlone(request)) return undefined;
    const isLarge = this.#isLarge(request);
    const busy = isLarge || !threads.helping ? 0 : this.#busyness.measure();
    if (!isLarge && busy === 0) return undefined;
    if (busy >= pressing) threads.helping?.start();
    const needed = neededFor(this.#api, request);
    if (!needed) return undefined;
    const message = () => packPlan(request, needed, this.#api.clock.now());
    if (isLarge) return { needed, outcome: threads.large.work(message) };
    const least = needed.current ? worthSending.change : worthSending.create;
    if (needed.definition || needed.size < least) return undefined;
    const outcome = threads.helping?.work(message);
    return outcome && { needed, outcome };
  }

  #isLarge({ target, sent }: WriteRequest): boolean {
    const least = 'body' in sent ? large.whole : large.patched;
    const size = sourceOf(sent).length;
    if (size >= least || sent.verb === 'create') return size >= least;
    const current = this.#api.store.get(keyOf(target));
    return current !== undefined && size + current.json.length >= least;
  }

  /** Finishes what is worked out elsewhere, and has it worked out anew where somebody else was faster. */
  async #follow(first: UnderWay, request: WriteRequest, warnings: string[]): Promise<Updated> {
    let underWay: UnderWay | undefined = first;
    for (let attempt = 0; underWay && attempt < mostAttempts; attempt++) {
      const outcome: Outcome = await underWay.outcome;
      if (!isKnown(outcome)) break;
      const updated = await this.#finish(request, outcome, underWay.needed, warnings);
      if (updated) return updated;
      underWay = this.#send(this.#threads!, request);
    }
    return this.#here(request, warnings);
  }

  /** Undefined where what was worked out is for a state that is past. */
  async #finish(
    request: WriteRequest,
    outcome: Known,
    needed: Plannable,
    warnings: string[],
  ): Promise<Updated | undefined> {
    this.counts.other++;
    const { brought } = outcome;
    if (brought) request.hearer?.hear({ apiVersion: '', kind: '', metadata: brought });
    const said = [...outcome.warnings];
    let updated: Updated | undefined;
    try {
      if (outcome.is === 'refused') throw errorOf(outcome.error);
      updated = await this.#ask(request, outcome, needed, said);
    } catch (error) {
      warnings.push(...said);
      throw error;
    }
    if (updated) warnings.push(...said);
    return updated;
  }

  /** Those who have a say in it are asked here, where all that they know is at hand. */
  async #ask(
    { target, options, sent }: WriteRequest,
    outcome: WorkedOut,
    needed: Plannable,
    warnings: string[],
  ): Promise<Updated | undefined> {
    const { resource, subresource } = target;
    const isNew = outcome.is !== 'nothing' && outcome.created;
    if (isNew && sent.verb !== 'create') await refuseCreation({ api: this.#api, target, options });
    const place = () => this.#place(target, sent.verb === 'create', outcome, needed);
    const operation = isNew ? 'CREATE' : 'UPDATE';
    if (!this.#api.admission.handles({ resource, subresource, operation })) return place();
    const object = shown(resource, outcome, needed);
    const old = needed.current && decodeStored(resource, needed.current);
    const subject = old ? { object, old } : { object };
    const admitting = beginAdmission(this.#api, target, operation, subject, options, warnings);
    return admitting ? actIfValid(admitting, object, place, (placed) => placed !== undefined) : place();
  }

  /** Puts what was worked out in its place; undefined where somebody else was faster. */
  async #place(
    target: Target,
    isCreation: boolean,
    outcome: WorkedOut,
    { current, namespace }: Plannable,
  ): Promise<Updated | undefined> {
    const { store } = this.#api;
    if (outcome.is === 'nothing') return current && this.#leave(current);
    const { created } = outcome;
    // A commit is held to the state of its own object only.
    if (namespace && store.get(namespace.key)?.revision !== namespace.revision) return undefined;
    const isTaken = (by: StoredObject | undefined) => {
      const name = isCreation && outcome.brought?.name;
      if (name) throw nameTaken(target.resource, name, by);
      return undefined;
    };
    if (outcome.is === 'tried') {
      const by = created ? store.get(outcome.object.key) : undefined;
      return by ? isTaken(by) : { object: received(outcome.object), created };
    }
    const { draft, ...write } = outcome.write;
    try {
      const { object } = await store.commit({ ...write, draft: received(draft) });
      return { object, created };
    } catch (error) {
      if (!(error instanceof PreconditionFailed)) throw error;
      return created ? isTaken(error.current) : undefined;
    }
  }

  async #leave(current: StoredObject): Promise<Updated | undefined> {
    try {
      return { object: await this.#api.store.reader.confirm(current), created: false };
    } catch (error) {
      if (error instanceof PreconditionFailed) return undefined;
      throw error;
    }
  }
}

/** The object as it would be written, for those who look at it before it is. */
function shown(resource: ServedResource, outcome: WorkedOut, { current }: Plannable): ApiObject {
  if (outcome.is === 'nothing') return decodeStored(resource, current!);
  if (outcome.is === 'tried') return decodeStored(resource, received(outcome.object));
  const { key, draft } = outcome.write;
  const object = decodeStored(resource, { key, json: received(draft).json, mark: draft.mark });
  if (current) object.metadata.resourceVersion = String(current.revision);
  else delete object.metadata.resourceVersion;
  return object;
}

const isKnown = (outcome: Outcome): outcome is Known => 'warnings' in outcome;

function errorOf({ code, reason, message, details }: Refusal): ApiError {
  return new ApiError(code, reason as StatusReason, message, details as StatusDetails | undefined);
}
