// The host's side of the stores of serving threads: commits their writes, and notifies them of all acknowledged ones.
import { MessageChannel, type MessagePort } from 'node:worker_threads';
import type { LmdbBackedStore } from '../lmdb/lmdb-backed.ts';
import type { Revision } from '../store.ts';
import { AcknowledgedRevision } from './acknowledged.ts';
import {
  type CommitOutcome,
  type HostMessage,
  receiveWrite,
  type StoreConnection,
  type ThreadMessage,
  toFailure,
} from './messages.ts';

export class StoreHost {
  readonly #store: LmdbBackedStore;
  readonly #dir: string;
  readonly #hasOtherServers: boolean;
  readonly #acknowledged = new AcknowledgedRevision();
  readonly #threads = new Set<ConnectedThread>();
  readonly #unsubscribe: () => void;
  #outOfSpace: string | undefined;

  /** `dir`: the directory of the store. Create the host before anything writes to the store. */
  constructor(store: LmdbBackedStore, dir: string, hasOtherServers = false) {
    this.#store = store;
    this.#hasOtherServers = hasOtherServers;
    store.setOtherThreads({
      suspend: async () => {
        await Promise.all([...this.#threads].map((thread) => thread.suspend()));
      },
      resume: () => {
        for (const thread of this.#threads) thread.post({ type: 'resume' });
      },
      onReplacing: (isReplacing) => {
        this.#acknowledged.isReplacing = isReplacing;
        if (!isReplacing) this.#advance();
      },
    });
    this.#dir = dir;
    this.#acknowledged.value = store.revision;
    this.#unsubscribe = store.subscribe(() => this.#advance());
  }

  /** Opens a connection, which the thread gets as workerData. Call `close` when the thread has ended. */
  connect(): { readonly connection: StoreConnection; readonly close: () => void } {
    const { port1, port2 } = new MessageChannel();
    const thread = new ConnectedThread(port1, this.#store);
    this.#threads.add(thread);
    thread.post({ type: 'space', problem: this.#outOfSpace });
    const close = () => {
      this.#threads.delete(thread);
      thread.close();
    };
    return {
      connection: {
        dir: this.#dir,
        hasOtherServers: this.#hasOtherServers,
        port: port2,
        acknowledged: this.#acknowledged.buffer,
      },
      close,
    };
  }

  /** Called when the store becomes full, and with undefined when it has space again. */
  setOutOfSpace(problem: string | undefined): void {
    this.#outOfSpace = problem;
    for (const thread of this.#threads) thread.post({ type: 'space', problem });
  }

  close(): void {
    this.#unsubscribe();
  }

  #advance(): void {
    this.#acknowledged.value = this.#store.revision;
    for (const thread of this.#threads) thread.notify();
  }
}

class ConnectedThread {
  readonly #port: MessagePort;
  readonly #store: LmdbBackedStore;
  #outcomes: CommitOutcome[] = [];
  #isNotified = false;
  /** Resolves `suspend`. */
  #onSuspended: () => void = () => {};

  constructor(port: MessagePort, store: LmdbBackedStore) {
    this.#port = port;
    this.#store = store;
    port.on('message', (message: ThreadMessage) => this.#onMessage(message));
    // The server decides when the process ends.
    port.unref();
  }

  /** Notifies the thread once for all batches of this turn of the event loop. */
  notify(): void {
    if (this.#isNotified) return;
    this.#isNotified = true;
    setImmediate(() => {
      this.#isNotified = false;
      this.post({ type: 'advance' });
    });
  }

  /** Resolves once the thread has closed the file, or has ended. */
  suspend(): Promise<void> {
    return new Promise((resolve) => {
      this.#onSuspended = resolve;
      this.post({ type: 'suspend' });
    });
  }

  close(): void {
    this.#port.close();
    this.#onSuspended();
  }

  post(message: HostMessage): void {
    this.#port.postMessage(message);
  }

  #onMessage(message: ThreadMessage): void {
    if (message.type === 'suspended') {
      this.#onSuspended();
      return;
    }
    if (message.type === 'scan') {
      this.#store.reportScan(message.scan);
      return;
    }
    if (message.type === 'indexUse') {
      this.#store.onIndexUse(message.id);
      return;
    }
    if (message.type === 'head') {
      this.#settle(message.id, this.#store.head());
      return;
    }
    if (message.type === 'compact') {
      const { id, revision } = message;
      this.#settle(
        id,
        this.#store.compact(revision).then(() => 0),
      );
      return;
    }
    for (const write of message.writes) {
      const committing = this.#store.commit(receiveWrite(write, message.json));
      this.#settle(
        write.id,
        committing.then(({ revision }) => revision),
      );
    }
  }

  #settle(id: number, work: Promise<Revision>): void {
    work.then(
      (revision) => this.#send({ id, revision }),
      (error: unknown) => this.#send({ id, revision: this.#store.revision, failure: toFailure(error) }),
    );
  }

  /** Outcomes of one batch of the group commit settle together, and are sent together. */
  #send(outcome: CommitOutcome): void {
    if (this.#outcomes.push(outcome) > 1) return;
    setImmediate(() => {
      const outcomes = this.#outcomes;
      this.#outcomes = [];
      this.post({ type: 'settled', outcomes });
    });
  }
}
