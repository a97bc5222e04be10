import { ApiError, type StatusDetails, type StatusReason } from '../errors/status.ts';
import { type Api, keyOf } from '../resource/api.ts';
import { beginAdmission } from '../resource/begin-admission.ts';
import { carryOut, type WriteRequest } from '../resource/carry-out.ts';
import { decodeStored } from '../resource/codec.ts';
import { onNewestState, unchanged } from '../resource/on-newest-state.ts';
import { rulesOf } from '../resource/settle-owners.ts';
import type { Updated } from '../resource/update.ts';
import { PreconditionFailed, type StoredObject } from '../store/store.ts';
import { Busyness } from './busyness.ts';
import { type Outcome, packPlan, received, sourceOf } from './messages.ts';
import type { PlannedWrite } from './planning-store.ts';
import type { WriteThreads } from './write-threads.ts';

/**
 * Bytes, sent and stored together, from which on a write is worth sending to another thread. Measured: a new object is so
 * much sooner than one that is changed, for which much more has to be sent along.
 */
const worthSending = { create: 1_000, change: 3_000 };
/** A thread that has been busy for so many tenths of a second in a row is given help. */
const pressing = 5;

type Threads = Pick<WriteThreads, 'start' | 'work'>;

/**
 * Carries out writes: here, or, while there are more than one thread can work out, partly on others. There is one order
 * of commits in any case, and it is made here: another thread only works out what is to be committed.
 */
export class Writing {
  /** How many were worked out on which threads. */
  readonly counts = { serving: 0, other: 0 };
  readonly #api: Api;
  readonly #threads: Threads | undefined;
  readonly #busyness = new Busyness();
  #ids = 0;

  constructor(api: Api, threads: Threads | undefined) {
    this.#api = api;
    this.#threads = threads;
  }

  async carryOut(request: WriteRequest, warnings: string[]): Promise<Updated> {
    const { store } = this.#api;
    let said: string[] = [];
    // What is only tried out is not held to the newest state by a write.
    if (store.mayLag && request.options.dryRun) await store.head();
    try {
      return await onNewestState(store, () => {
        said = [];
        return this.#carryOut(request, said);
      });
    } finally {
      warnings.push(...said);
    }
  }

  #carryOut(request: WriteRequest, warnings: string[]): Promise<Updated> {
    if (!this.#threads || !isPlannable(this.#api, request)) return this.#here(request, warnings);
    return this.#share(this.#threads, request, warnings);
  }

  #here(request: WriteRequest, warnings: string[]): Promise<Updated> {
    this.counts.serving++;
    return carryOut(this.#api, request, warnings);
  }

  async #share(threads: Threads, request: WriteRequest, warnings: string[]): Promise<Updated> {
    const busy = this.#busyness.measure();
    if (busy === 0) return this.#here(request, warnings);
    if (busy >= pressing) threads.start();
    const known = this.#objectsFor(request);
    const working = known && threads.work(() => packPlan(++this.#ids, request, known, this.#api.clock.now()));
    if (!working) return this.#here(request, warnings);
    return this.#finish(request, await working, known[0]!, warnings);
  }

  /** What a thread must know to work the write out; undefined where that is not worth it. */
  #objectsFor({ target, sent }: WriteRequest): StoredObject[] | undefined {
    const { store } = this.#api;
    const isNew = sent.verb === 'create';
    const namespace = target.namespace === '' ? undefined : store.get(`namespaces/${target.namespace}`);
    if (target.namespace !== '' && !namespace) return undefined;
    const needed = isNew ? namespace : store.get(keyOf(target));
    const least = isNew ? worthSending.create : worthSending.change;
    return needed && sourceOf(sent).length + needed.json.length >= least ? [needed] : undefined;
  }

  async #finish(
    request: WriteRequest,
    outcome: Outcome,
    known: StoredObject,
    warnings: string[],
  ): Promise<Updated> {
    if (outcome.is === 'beyond') return this.#here(request, warnings);
    this.counts.other++;
    const { hearer } = request;
    if (outcome.brought) hearer?.hear({ apiVersion: '', kind: '', metadata: outcome.brought });
    if (outcome.is === 'write') return this.#write(request, outcome, known, warnings);
    warnings.push(...outcome.warnings);
    if (outcome.is === 'nothing') return this.#leave(request, known, warnings);
    const { code, reason, message, details } = outcome.error;
    throw new ApiError(code, reason as StatusReason, message, details as StatusDetails | undefined);
  }

  async #leave(request: WriteRequest, known: StoredObject, warnings: string[]): Promise<Updated> {
    try {
      return { object: await unchanged(this.#api.store, known), created: false };
    } catch (error) {
      if (!(error instanceof PreconditionFailed)) throw error;
      return this.#here(request, warnings);
    }
  }

  async #write(
    request: WriteRequest,
    { write, created, warnings: said }: Extract<Outcome, { is: 'write' }>,
    known: StoredObject,
    warnings: string[],
  ): Promise<Updated> {
    const heard = [...said];
    const planned = received(write);
    const commit = () => this.#commit(planned, created ? known : undefined);
    try {
      const object = await this.#asking(request, planned, heard, commit);
      // Somebody was faster: what was worked out is for a state that is past.
      if (!object) return this.#here(request, warnings);
      warnings.push(...heard);
      return { object, created };
    } catch (error) {
      warnings.push(...heard);
      throw error;
    }
  }

  /** Those who look at what is written do so here, where all that they know is at hand. */
  #asking(
    { target, options, sent }: WriteRequest,
    { key, draft }: PlannedWrite,
    warnings: string[],
    commit: () => Promise<StoredObject | undefined>,
  ): Promise<StoredObject | undefined> {
    const { resource, subresource } = target;
    const isLookedAt =
      sent.verb === 'create' && this.#api.admission.concerns({ resource, subresource, operation: 'CREATE' });
    if (!isLookedAt) return commit();
    const object = decodeStored(resource, { key, json: draft.json, mark: draft.mark });
    delete object.metadata.resourceVersion;
    const admitting = beginAdmission(this.#api, target, 'CREATE', { object }, options, warnings);
    return admitting ? admitting.before(object, commit, (written) => written !== undefined) : commit();
  }

  /** Undefined where the object, or the namespace that a new one is for, has become another one meanwhile. */
  async #commit(write: PlannedWrite, namespace: StoredObject | undefined): Promise<StoredObject | undefined> {
    const { store } = this.#api;
    // A commit is held to the state of its own object only.
    if (namespace && store.get(namespace.key)?.revision !== namespace.revision) return undefined;
    try {
      return (await store.commit(write)).object;
    } catch (error) {
      if (error instanceof PreconditionFailed) return undefined;
      throw error;
    }
  }
}

/**
 * Whether all that a write needs can be sent along with it: the object it changes, or the namespace of a new one. A kind
 * that takes more than that from the server has its writes carried out here, as has one that others have a say in.
 */
function isPlannable({ admission }: Api, { target, options, sent, hearer }: WriteRequest): boolean {
  const { resource, subresource } = target;
  const { strategy, namespaced } = resource.definition;
  if (resource.definition.isCustom || options.dryRun || strategy.reserve || rulesOf(target).guard)
    return false;
  if ('body' in sent && !sent.body.isJson) return false;
  if (hearer?.wantsAll) return false;
  const operation = sent.verb === 'create' ? 'CREATE' : 'UPDATE';
  const sort = { resource, subresource, operation } as const;
  // Where a new object is only looked at, that is done once it has been worked out.
  if (sent.verb === 'create' ? admission.mayChange(sort) : admission.concerns(sort)) return false;
  if (sent.verb === 'create') return namespaced && subresource === '';
  return subresource === '' || resource.subresource(subresource)?.rules !== undefined;
}
