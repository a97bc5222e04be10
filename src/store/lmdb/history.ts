// History of the LMDB backend: reads one resource's part of the change log.
import { type Change, Compacted, type Revision } from '../store.ts';
import { readChange } from './change.ts';
import type { LmdbEnvironment } from './environment.ts';
import { type LogEntry, readEntry } from './log-entry.ts';
import { logKey, revisionOfLogKey } from './tables.ts';

const CHUNK_ENTRIES = 128;

/** Holds no read transaction between chunks, so the iteration may be abandoned at any point. */
export function* readHistory(
  environment: LmdbEnvironment,
  prefix: string,
  after: Revision,
  until: Revision,
  under: string,
): Generator<Change, void, undefined> {
  let from = after;
  for (;;) {
    const { snapshot } = environment;
    const { tables, options, state } = snapshot;
    if (from < state.compacted) throw new Compacted(state.compacted);
    const entries = tables.log.getRange({
      ...options,
      start: logKey(prefix, from + 1),
      end: logKey(prefix, until + 1),
      limit: CHUNK_ENTRIES,
    });
    const found: { readonly revision: Revision; readonly entry: LogEntry }[] = [];
    for (const { key, value } of entries) {
      found.push({ revision: revisionOfLogKey(key), entry: readEntry(value) });
    }
    const changes: Change[] = [];
    for (const { revision, entry } of found) {
      if (entry.key.startsWith(under)) changes.push(readChange(snapshot, prefix, revision, entry));
    }
    yield* changes;
    if (found.length < CHUNK_ENTRIES) return;
    from = found[found.length - 1]!.revision;
  }
}
