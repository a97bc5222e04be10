import { type Change, Compacted, type Revision } from '../store.ts';
import type { Environment } from './environment.ts';
import { readEntry } from './log-entry.ts';
import { resourceKey, revisionOfResourceKey } from './tables.ts';

const CHUNK = 128;

/** Reads one resource's part of the log. It holds no state between chunks, so it may be left at any point. */
export function* readHistory(
  environment: Environment,
  prefix: string,
  after: Revision,
  until: Revision,
  under: string,
): Generator<Change, void, undefined> {
  let from = after;
  for (;;) {
    const { tables, options, state } = environment.reading;
    if (from < state.compacted) throw new Compacted(state.compacted);
    const places = tables.resources.getRange({
      ...options,
      start: resourceKey(prefix, from + 1),
      end: resourceKey(prefix, until + 1),
      limit: CHUNK,
    });
    const found: { readonly revision: Revision; readonly isWanted: boolean }[] = [];
    for (const { key, value } of places) {
      const isWanted = under === '' || value.toString().startsWith(under);
      found.push({ revision: revisionOfResourceKey(key), isWanted });
    }
    const changes: Change[] = [];
    for (const { revision, isWanted } of found) {
      if (!isWanted) continue;
      const entry = tables.log.get(revision, options);
      if (!entry) throw new Error(`the log has no entry for revision ${revision}`);
      changes.push(readEntry(revision, entry));
    }
    yield* changes;
    if (found.length < CHUNK) return;
    from = found[found.length - 1]!.revision;
  }
}
