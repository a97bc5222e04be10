/**
 * The store of a serving thread that does not write itself: it reads the LMDB file of the host, and sends its writes there.
 *
 * Invariants:
 * - Its state is never newer than the latest acknowledged revision, because LMDB shows commits before they are durable.
 * - Its listeners receive every change once and in order, from the log in the file.
 * - A commit settles only once the state shows the outcome, so that a thread reads its own writes.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { MessagePort } from 'node:worker_threads';
import { ReplicaReader } from '../consistent-reader.ts';
import { LmdbEnvironment } from '../lmdb/environment.ts';
import { readChangesAfter } from '../lmdb/history.ts';
import { LmdbReads } from '../lmdb/lmdb-reads.ts';
import {
  type Change,
  Compacted,
  type Revision,
  type SelectorScan,
  StorageUnavailable,
  type Store,
  type StoreStats,
  type Write,
} from '../store.ts';
import { spliceRevision } from '../stored-object.ts';
import { AcknowledgedRevision } from './acknowledged.ts';
import {
  type CommitOutcome,
  type HostMessage,
  type StoreConnection,
  sendWrites,
  type ThreadMessage,
  toError,
} from './messages.ts';

/** How often a thread without requests moves to the latest state: an old read transaction keeps pages from being reused. */
const advanceIntervalMs = 1_000;
/** Pause before the next try to open a file whose contents are being replaced. */
const openRetryMs = 10;

interface PendingCommit {
  readonly write: Write;
  readonly resolve: (change: Change) => void;
  readonly reject: (error: Error) => void;
}

interface Question {
  readonly resolve: (revision: Revision) => void;
  readonly reject: (error: Error) => void;
}

interface Waiter {
  readonly revision: Revision;
  readonly resolve: () => void;
}

export class ThreadStore extends LmdbReads implements Store {
  readonly isShared = true;
  readonly reader = new ReplicaReader(this);
  readonly #hasOtherServers: boolean;
  readonly #port: MessagePort;
  readonly #acknowledged: AcknowledgedRevision;
  readonly #timer: NodeJS.Timeout;
  readonly #commits = new Map<number, PendingCommit>();
  readonly #settling = new Set<Promise<Change>>();
  /** Compactions, and questions for the latest revision. */
  readonly #questions = new Map<number, Question>();
  /** The changes of keys with pending commits: a commit may be visible here before the host reports it. */
  readonly #changesOfPending = new Map<string, { commits: number; readonly changes: Change[] }>();
  /** Writes to post at the end of this turn of the event loop. */
  #outbox: { readonly id: number; readonly write: Write }[] = [];
  #waiters: Waiter[] = [];
  #outOfSpace: string | undefined;
  /** The host has closed a broken file, and opens it again. */
  #isSuspended = false;
  #lastId = 0;
  /** The question for the latest revision that is not sent yet. */
  #nextHead: Promise<Revision> | undefined;
  #generation: number;
  #closing: Promise<void> | undefined;

  /** Resolves once the file can be read. `maxSnapshots`: the share of this thread in its reader slots. */
  static async open(connection: StoreConnection, maxSnapshots: number): Promise<ThreadStore> {
    const acknowledged = new AcknowledgedRevision(connection.acknowledged);
    while (acknowledged.isReplacing) await sleep(openRetryMs);
    return new ThreadStore(connection, maxSnapshots);
  }

  private constructor({ dir, hasOtherServers, port, acknowledged }: StoreConnection, maxSnapshots: number) {
    super(dir, LmdbEnvironment.openForReading(dir));
    this.#hasOtherServers = hasOtherServers;
    this.environment.maxSnapshots = maxSnapshots;
    this.#port = port;
    this.#acknowledged = new AcknowledgedRevision(acknowledged);
    this.#generation = this.#acknowledged.generation;
    port.on('message', (message: HostMessage) => this.#onMessage(message));
    this.#timer = setInterval(() => this.#reopenSnapshot(), advanceIntervalMs).unref();
  }

  commit(write: Write): Promise<Change> {
    if (this.#closing) return Promise.reject(new StorageUnavailable('the store is closed'));
    const committing = new Promise<Change>((resolve, reject) => {
      const id = ++this.#lastId;
      this.#commits.set(id, { write, resolve, reject });
      const pending = this.#changesOfPending.get(write.key) ?? { commits: 0, changes: [] };
      pending.commits++;
      this.#changesOfPending.set(write.key, pending);
      if (this.#outbox.push({ id, write }) === 1) setImmediate(() => this.#postWrites());
    });
    const settled = () => this.#settling.delete(committing);
    this.#settling.add(committing);
    committing.then(settled, settled);
    return committing;
  }

  async head(): Promise<Revision> {
    if (this.#hasOtherServers) return this.#askForHead();
    await this.catchUp();
    return this.revision;
  }

  /** Applies every write that is acknowledged. Undefined if that is done at once. */
  catchUp(): Promise<void> | undefined {
    const acknowledged = this.#acknowledged.value;
    if (this.revision >= acknowledged) return undefined;
    this.#advance();
    return this.revision >= acknowledged ? undefined : this.#waitFor(acknowledged);
  }

  reportScan(scan: SelectorScan): void {
    this.#port.postMessage({ type: 'scan', scan } satisfies ThreadMessage);
  }

  async compact(revision: Revision): Promise<void> {
    await this.#ask((id) => ({ type: 'compact', id, revision }));
    this.#reopenSnapshot();
  }

  override stats(): StoreStats {
    return { ...super.stats(), outOfSpace: this.#outOfSpace };
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  protected onIndexUse(id: number): void {
    this.#port.postMessage({ type: 'indexUse', id } satisfies ThreadMessage);
  }

  async #close(): Promise<void> {
    await Promise.allSettled(this.#settling);
    clearInterval(this.#timer);
    this.#port.close();
    await this.environment.close();
  }

  /** Callers of one turn of the event loop share the question. */
  #askForHead(): Promise<Revision> {
    this.#nextHead ??= new Promise((resolve, reject) => {
      setImmediate(() => {
        // Later callers may know of later writes.
        this.#nextHead = undefined;
        this.#ask((id) => ({ type: 'head', id })).then(resolve, reject);
      });
    });
    return this.#nextHead;
  }

  /** Resolves once this store shows the revision of the answer. */
  #ask(question: (id: number) => ThreadMessage): Promise<Revision> {
    if (this.#closing) return Promise.reject(new StorageUnavailable('the store is closed'));
    return new Promise((resolve, reject) => {
      const id = ++this.#lastId;
      this.#questions.set(id, { resolve, reject });
      this.#port.postMessage(question(id));
    });
  }

  #postWrites(): void {
    const message = sendWrites(this.#outbox);
    this.#outbox = [];
    this.#port.postMessage(message satisfies ThreadMessage, [message.json]);
  }

  #onMessage(message: HostMessage): void {
    switch (message.type) {
      case 'space':
        this.#outOfSpace = message.problem;
        return;
      case 'suspend':
        this.#isSuspended = true;
        void this.environment.suspend().then(() => {
          this.#port.postMessage({ type: 'suspended' } satisfies ThreadMessage);
        });
        return;
      case 'resume': {
        const before = this.revision;
        this.environment.resume();
        this.#isSuspended = false;
        this.#onAdvanced(before);
        return;
      }
      case 'advance':
        this.#advance();
        return;
      case 'settled':
        this.#advance();
        for (const outcome of message.outcomes) {
          if (this.revision >= outcome.revision) this.#settle(outcome);
          else void this.#waitFor(outcome.revision).then(() => this.#settle(outcome));
        }
    }
  }

  #settle({ id, revision, failure }: CommitOutcome): void {
    const question = this.#questions.get(id);
    if (question) {
      this.#questions.delete(id);
      if (failure) question.reject(toError(failure, ''));
      else question.resolve(revision);
      return;
    }
    const commit = this.#commits.get(id)!;
    this.#commits.delete(id);
    const { write, resolve, reject } = commit;
    const { key } = write;
    const pending = this.#changesOfPending.get(key)!;
    if (--pending.commits === 0) this.#changesOfPending.delete(key);
    if (failure) {
      reject(toError(failure, key));
      return;
    }
    const change = pending.changes.find((candidate) => candidate.revision === revision);
    if (change) resolve(change);
    else this.#settleWithoutHistory(commit, revision);
  }

  /** The history that would show the change was compacted. Callers of `commit` use only the object. */
  #settleWithoutHistory({ write, resolve, reject }: PendingCommit, revision: Revision): void {
    const { prefix, key, draft } = write;
    if (!draft) {
      reject(new StorageUnavailable(`${key} was deleted, but its last state is no longer known`));
      return;
    }
    const object = spliceRevision(draft, key, revision);
    resolve({ revision, type: 'updated', prefix, key, object, committedAtMs: Date.now() });
  }

  /** Moves to the latest acknowledged state, if the file shows it and nothing newer. */
  #advance(): void {
    const { value, generation } = this.#acknowledged;
    if (this.revision < value || this.#generation !== generation) this.#reopenSnapshot();
  }

  /** Also shows a compaction, which has no revision of its own. */
  #reopenSnapshot(): void {
    if (this.#isSuspended) return;
    const before = this.revision;
    let generation = 0;
    const isUsable = (revision: Revision) => {
      ({ generation } = this.#acknowledged);
      return generation % 2 === 0 && revision <= this.#acknowledged.value;
    };
    if (!this.environment.advanceIf(isUsable)) return;
    const isReplaced = this.#generation !== generation;
    this.#generation = generation;
    this.#onAdvanced(before, isReplaced);
  }

  #onAdvanced(before: Revision, isReplaced = false): void {
    if (isReplaced) this.notifyReset();
    else this.#notify(before);
    const isReached = ({ revision }: Waiter) => revision <= this.revision;
    const reached = this.#waiters.filter(isReached);
    if (reached.length === 0) return;
    this.#waiters = this.#waiters.filter((waiter) => !isReached(waiter));
    for (const { resolve } of reached) resolve();
  }

  #notify(before: Revision): void {
    if (this.revision === before) return;
    try {
      const changes = readChangesAfter(this.environment.snapshot, before);
      for (const change of changes) this.#changesOfPending.get(change.key)?.changes.push(change);
      this.listeners.notify(changes);
    } catch (error) {
      if (!(error instanceof Compacted)) throw error;
      this.notifyReset();
    }
  }

  #waitFor(revision: Revision): Promise<void> {
    return new Promise((resolve) => {
      this.#waiters.push({ revision, resolve });
    });
  }
}
