// History of the LMDB backend: reads one resource's part of the change log.
import { type Change, Compacted, type Revision } from '../store.ts';
import { readChange } from './change.ts';
import type { LmdbEnvironment, ReadSnapshot } from './environment.ts';
import { decodeLogEntry, type LogEntry } from './log-entry.ts';
import { logKey, revisionOfLogKey } from './tables.ts';

/** Log entries per read. */
const CHUNK_ENTRIES = 128;

/**
 * The changes with revisions in (after, until] whose keys start with `keyPrefix`. Holds no read transaction between chunks,
 * so the iteration may be abandoned at any point. Throws Compacted if compaction overtakes it.
 */
export function* readHistory(
  environment: LmdbEnvironment,
  prefix: string,
  after: Revision,
  until: Revision,
  keyPrefix: string,
): Generator<Change, void, undefined> {
  let readUpTo = after;
  for (;;) {
    const { snapshot } = environment;
    const { tables, options, state } = snapshot;
    if (readUpTo < state.compacted) throw new Compacted(state.compacted);
    const range = tables.log.getRange({
      ...options,
      start: logKey(prefix, readUpTo + 1),
      end: logKey(prefix, until + 1),
      limit: CHUNK_ENTRIES,
    });
    const entries: { readonly revision: Revision; readonly entry: LogEntry }[] = [];
    for (const { key, value } of range) {
      entries.push({ revision: revisionOfLogKey(key), entry: decodeLogEntry(value) });
    }
    const changes: Change[] = [];
    for (const { revision, entry } of entries) {
      if (entry.key.startsWith(keyPrefix)) changes.push(readChange(snapshot, prefix, revision, entry));
    }
    yield* changes;
    if (entries.length < CHUNK_ENTRIES) return;
    readUpTo = entries[entries.length - 1]!.revision;
  }
}

/** The changes of all resources after a revision, up to that of the snapshot. Throws Compacted. */
export function readChangesAfter(snapshot: ReadSnapshot, after: Revision): Change[] {
  const { tables, options, state } = snapshot;
  if (after < state.compacted) throw new Compacted(state.compacted);
  const changes: Change[] = [];
  for (const { key: revision, value } of tables.order.getRange({ ...options, start: after + 1 })) {
    const prefix = value.toString();
    const entry = tables.log.get(logKey(prefix, revision), options);
    if (!entry) throw new Error(`the log has no entry for revision ${revision}`);
    changes.push(readChange(snapshot, prefix, revision, decodeLogEntry(entry)));
  }
  return changes;
}
