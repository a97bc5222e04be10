/** The list of the one object that a selector names: no run is needed for it. */

import type { Revision, Store, StoredObject } from '../store.ts';
import { ListedObject } from './runs-object.ts';
import type { Freshness, ListPage } from './runs-page.ts';
import type { ListRequest } from './runs-request.ts';
import { overTurns } from './runs-turns.ts';

export function listOne(store: Store, request: ListRequest, key: string): ListPage | Promise<ListPage> {
  const { at = store.revision, select } = request;
  const page = (object: StoredObject | undefined): ListPage => {
    const isChosen = object && (select?.matches(object.labels, object.fields, key) ?? true);
    return new SinglePage(at, isChosen ? ListedObject.of(object) : undefined);
  };
  const present = store.get(key);
  if (at === store.revision || (present && present.revision <= at)) return page(present);
  const then = overTurns(stateAt(store, request.prefix, key, at));
  return then instanceof Promise ? then.then(page) : page(then);
}

const REVISIONS_PER_STEP = 4_096;

function* stateAt(
  store: Store,
  prefix: string,
  key: string,
  at: Revision,
): Generator<void, StoredObject | undefined, undefined> {
  for (let read = at; read < store.revision; ) {
    const until = Math.min(read + REVISIONS_PER_STEP, store.revision);
    for (const change of store.history(prefix, read, until, key)) {
      if (change.key === key) return change.previous;
    }
    read = until;
    if (read < store.revision) yield;
  }
  return store.get(key);
}

class SinglePage implements ListPage {
  readonly revision: Revision;
  readonly #object: ListedObject | undefined;

  constructor(revision: Revision, object: ListedObject | undefined) {
    this.revision = revision;
    this.#object = object;
  }

  chunks(fresh?: Freshness): Iterable<Buffer> {
    const object = this.#object;
    if (!object) return [];
    return [!fresh || object.mark === fresh.mark ? object.item : fresh.encode(object)];
  }

  objects(): Iterable<ListedObject> {
    return this.#object ? [this.#object] : [];
  }

  batches(): Iterable<readonly ListedObject[]> {
    return this.#object ? [[this.#object]] : [];
  }

  release(): void {}
}
