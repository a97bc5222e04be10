/** Lists of a single object, named by a field selector: a read of one key, without runs. */

import type { Revision, Store, StoredObject } from '../store.ts';
import type { ListPage, SchemaUpgrade } from './list-page.ts';
import type { StoreListRequest } from './list-request.ts';
import { ListedObject } from './listed-object.ts';
import { runCooperatively } from './run-cooperatively.ts';

export function listSingleObject(
  store: Store,
  request: StoreListRequest,
  key: string,
): ListPage | Promise<ListPage> {
  const { exactRevision: revision = store.revision, select } = request;
  const toPage = (object: StoredObject | undefined): ListPage => {
    const isSelected = object && (select?.matches(object.labels, object.selectableFields, key) ?? true);
    return new SinglePage(revision, isSelected ? ListedObject.of(object) : undefined);
  };
  const current = store.get(key);
  const isUnchangedSince = current !== undefined && current.revision <= revision;
  if (revision === store.revision || isUnchangedSince) return toPage(current);
  const past = runCooperatively(readStateAt(store, request.prefix, key, revision));
  return past instanceof Promise ? past.then(toPage) : toPage(past);
}

/** Revisions of the history that are read per turn of the event loop. */
const REVISIONS_PER_STEP = 4_096;

/** The state before the key's first change after `revision`, or the current one. Yields between steps. */
function* readStateAt(
  store: Store,
  prefix: string,
  key: string,
  revision: Revision,
): Generator<void, StoredObject | undefined, undefined> {
  for (let readUpTo = revision; readUpTo < store.revision; ) {
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
    const hasCurrentSchema = !upgrade || object.schemaFingerprint === upgrade.schemaFingerprint;
    return [hasCurrentSchema ? object.item : upgrade.encode(object)];
  }

  objects(): Iterable<ListedObject> {
    return this.#object ? [this.#object] : [];
  }

  batches(): Iterable<readonly ListedObject[]> {
    return this.#object ? [[this.#object]] : [];
  }

  release(): void {}
}
