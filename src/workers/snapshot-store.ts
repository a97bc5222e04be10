import { localReader } from '../store/consistent-reader.ts';
import type {
  Change,
  Draft,
  Revision,
  Store,
  StoredObject,
  StoreStats,
  View,
  Write,
} from '../store/store.ts';

/** Working the write out takes more than was sent along: it is to be carried out where everything is at hand. */
export class NotOffloadable extends Error {}

/** A write that leaves an object. */
export interface PlannedWrite extends Write {
  readonly draft: Draft;
}

/** What is known of the objects in the real store. */
export interface WhatIsThere {
  readonly objects: ReadonlyMap<string, StoredObject>;
  /** What the keys of all others begin with that are known not to be there. */
  readonly absent: string | undefined;
}

/** A store that knows what it is told and nothing else, and remembers the one write that is made to it. */
export class SnapshotStore implements Store {
  readonly revision: Revision = 0;
  readonly compacted: Revision = 0;
  readonly isShared = false;
  readonly reader = localReader;
  readonly #known: WhatIsThere;
  #planned: PlannedWrite | undefined;

  constructor(known: WhatIsThere) {
    this.#known = known;
  }

  /** What is to be committed; undefined where nothing is to change. */
  get planned(): PlannedWrite | undefined {
    return this.#planned;
  }

  get(key: string): StoredObject | undefined {
    const { objects, absent } = this.#known;
    const known = objects.get(key);
    if (!known && (absent === undefined || !key.startsWith(absent))) {
      throw new NotOffloadable(`${key} is not in the snapshot`);
    }
    return known;
  }

  async commit(write: Write): Promise<Change> {
    const { key, prefix, draft } = write;
    if (draft === null || this.#planned) throw new NotOffloadable('the write changes more than one object');
    this.#planned = { ...write, draft };
    // Who asked for it only passes this on; what is answered is what the real store makes of it.
    const object = { ...draft, key, revision: 0, revisionLength: 0 };
    return { revision: 0, type: 'updated', prefix, key, object, at: 0 };
  }

  head(): Promise<Revision> {
    return Promise.reject(beyond());
  }

  pin(): View {
    throw beyond();
  }

  history(): Iterable<Change> {
    throw beyond();
  }

  subscribe(): () => void {
    throw beyond();
  }

  onReset(): () => void {
    throw beyond();
  }

  compact(): Promise<void> {
    return Promise.reject(beyond());
  }

  stats(): StoreStats {
    throw beyond();
  }

  async close(): Promise<void> {}
}

const beyond = () => new NotOffloadable('the snapshot cannot list objects');
