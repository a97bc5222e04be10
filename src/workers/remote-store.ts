// The store of a worker thread that prepares a large write: it has the objects that were sent with the write, and asks the
// serving thread for others.
import type { StoredObject, View } from '../store/store.ts';
import { asBuffer } from './messages.ts';
import type { SentObject, ServingThread } from './questions.ts';
import { type SnapshotObjects, SnapshotStore } from './snapshot-store.ts';

export class RemoteStore extends SnapshotStore {
  readonly #servingThread: ServingThread;
  readonly #snapshot: SnapshotObjects;

  constructor(snapshot: SnapshotObjects, servingThread: ServingThread) {
    super(snapshot);
    this.#snapshot = snapshot;
    this.#servingThread = servingThread;
  }

  override get(key: string): StoredObject | undefined {
    const { objects, absentPrefix } = this.#snapshot;
    if (objects.has(key) || (absentPrefix !== undefined && key.startsWith(absentPrefix)))
      return super.get(key);
    const sent = this.#servingThread.ask('get', key);
    return sent && toStored(sent);
  }

  /** Not a snapshot of one revision: each part of a range is read when it is needed. */
  override pin(): View {
    const range = (prefix: string, after?: string) => this.#range(prefix, after);
    return {
      revision: this.revision,
      get: (key) => this.get(key),
      range,
      keys: function* (prefix, after) {
        for (const { key } of range(prefix, after)) yield key;
      },
      release() {},
    };
  }

  /** No changes arrive while a write is prepared: what plugins read, they read for this write. */
  override subscribe(): () => void {
    return () => {};
  }

  *#range(prefix: string, after: string | undefined): Iterable<StoredObject> {
    let last = after;
    for (;;) {
      const sent = this.#servingThread.ask('range', { prefix, after: last });
      if (sent.length === 0) return;
      for (const object of sent) yield toStored(object);
      last = sent.at(-1)!.key;
    }
  }
}

const toStored = (sent: SentObject): StoredObject => ({ ...sent, json: asBuffer(sent.json) });
