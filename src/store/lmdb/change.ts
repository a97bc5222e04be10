/**
 * Changes, built from a write or reconstructed from the log. A log entry does not contain the states before and after
 * its change: a replaced state is in the table `versions`, the current one in `objects`.
 */

import type { Change, Draft, Revision } from '../store.ts';
import { replaceRevision } from '../stored-object.ts';
import type { ReadSnapshot } from './environment.ts';
import type { LogEntry } from './log-entry.ts';
import { encodeRecord, StoredRecord } from './record.ts';

export interface ChangeInput {
  readonly revision: Revision;
  readonly prefix: string;
  readonly key: string;
  /** Commit time, in milliseconds since the epoch. */
  readonly committedAtMs: number;
  /** The new state; null for a deletion. */
  readonly draft: Draft | null;
  /** The replaced state; undefined for a creation. */
  readonly previous: StoredRecord | undefined;
}

export interface PreparedChange {
  readonly change: Change;
  /** The new state of the key; undefined for a deletion. */
  readonly state: StoredRecord | undefined;
  /** The replaced state; undefined for a creation. */
  readonly previous: StoredRecord | undefined;
}

export function prepareChange({
  revision,
  prefix,
  key,
  committedAtMs,
  draft,
  previous,
}: ChangeInput): PreparedChange {
  const state = draft ? new StoredRecord(key, encodeRecord(prefix, draft, revision)) : undefined;
  return { change: toChange(revision, prefix, key, committedAtMs, state, previous), state, previous };
}

/** Reconstructs the change of a log entry. Throws if one of its states is missing. */
export function readChange(
  snapshot: ReadSnapshot,
  prefix: string,
  revision: Revision,
  entry: LogEntry,
): Change {
  const { key, committedAtMs, previousRevision, isDeletion } = entry;
  const state = isDeletion ? undefined : (readVersion(snapshot, key, revision) ?? currentState());
  const previous = previousRevision === 0 ? undefined : readVersion(snapshot, key, previousRevision);
  if (previousRevision !== 0 && !previous) throw missingStateError(key, previousRevision);
  return toChange(revision, prefix, key, committedAtMs, state, previous);

  function currentState(): StoredRecord {
    const record = snapshot.tables.objects.get(key, snapshot.options);
    const object = record && new StoredRecord(key, record);
    if (object?.revision !== revision) throw missingStateError(key, revision);
    return object;
  }
}

function readVersion(snapshot: ReadSnapshot, key: string, revision: Revision): StoredRecord | undefined {
  const record = snapshot.tables.versions.get(revision, snapshot.options);
  return record && new StoredRecord(key, record);
}

function missingStateError(key: string, revision: Revision): Error {
  return new Error(`the state of ${key} at revision ${revision} is missing`);
}

/** The type follows from which of the two states exist. */
function toChange(
  revision: Revision,
  prefix: string,
  key: string,
  committedAtMs: number,
  state: StoredRecord | undefined,
  previous: StoredRecord | undefined,
): Change {
  if (state && previous)
    return { revision, type: 'updated', prefix, key, object: state, previous, committedAtMs };
  if (state) return { revision, type: 'created', prefix, key, object: state, committedAtMs };
  if (previous) {
    return {
      revision,
      type: 'deleted',
      prefix,
      key,
      object: replaceRevision(previous, revision),
      previous,
      committedAtMs,
    };
  }
  throw new Error(`the change at revision ${revision} has no state before or after it`);
}
