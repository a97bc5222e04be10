/** Lists of a single object, named by a field selector: a read of one key, without runs. */

import type { Revision, Store, StoredObject } from '../store.ts';
import { runCooperatively } from './run-cooperatively.ts';
import { ListedObject } from './runs-object.ts';
import type { ListPage, SchemaUpgrade } from './runs-page.ts';
import type { StoreListRequest } from './runs-request.ts';

export function listOne(store: Store, request: StoreListRequest, key: string): ListPage | Promise<ListPage> {
  const { at = store.revision, select } = request;
  const toPage = (object: StoredObject | undefined): ListPage => {
    const isSelected = object && (select?.matches(object.labels, object.selectableFields, key) ?? true);
    return new SinglePage(at, isSelected ? ListedObject.of(object) : undefined);
  };
  const current = store.get(key);
  if (at === store.revision || (current && current.revision <= at)) return toPage(current);
  const past = runCooperatively(stateAt(store, request.prefix, key, at));
  return past instanceof Promise ? past.then(toPage) : toPage(past);
}

const REVISIONS_PER_STEP = 4_096;

/** The state before the key's first change after `at`, or the current one. Yields between steps. */
function* stateAt(
  store: Store,
  prefix: string,
  key: string,
  at: Revision,
): Generator<void, StoredObject | undefined, undefined> {
  for (let readUpTo = at; readUpTo < store.revision; ) {
    const until = Math.min(readUpTo + REVISIONS_PER_STEP, store.revision);
    for (const change of store.history(prefix, readUpTo, until, key)) {
      if (change.key === key) return change.previous;
    }
    readUpTo = until;
    if (readUpTo < store.revision) yield;
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

  chunks(upgrade?: SchemaUpgrade): Iterable<Buffer> {
    const object = this.#object;
    if (!object) return [];
    return [
      !upgrade || object.schemaFingerprint === upgrade.schemaFingerprint
        ? object.item
        : upgrade.encode(object),
    ];
  }

  objects(): Iterable<ListedObject> {
    return this.#object ? [this.#object] : [];
  }

  batches(): Iterable<readonly ListedObject[]> {
    return this.#object ? [[this.#object]] : [];
  }

  release(): void {}
}
