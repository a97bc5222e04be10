/** What can be said of a data directory at a glance, also while a server uses it. */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { Revision } from '../store.ts';
import { DATA_FILE, requireDirectory } from './directory.ts';
import { Environment } from './environment.ts';
import { readEntry } from './log-entry.ts';
import { ownerOf } from './owner.ts';
import { logKey } from './tables.ts';

export interface DirectoryStat {
  readonly dialect: string;
  readonly uid: string;
  readonly revision: Revision;
  readonly compacted: Revision;
  readonly objects: number;
  readonly changes: number;
  /** When the oldest change still kept was committed, in milliseconds since the epoch. */
  readonly oldestChangeAt: number | undefined;
  readonly bytes: number;
  /** The process that uses the directory now. */
  readonly inUseBy: number | undefined;
}

export async function stat(dir: string): Promise<DirectoryStat> {
  requireDirectory(dir);
  const environment = Environment.openForReading(dir);
  try {
    const { tables, options, state } = environment.reading;
    const oldest = state.compacted + 1;
    const prefix = tables.order.get(oldest, options)?.toString();
    const entry = prefix && tables.log.get(logKey(prefix, oldest), options);
    const oldestChangeAt = entry ? readEntry(entry).at : undefined;
    return {
      ...environment.label,
      ...state,
      changes: state.revision - state.compacted,
      oldestChangeAt,
      bytes: statSync(join(dir, DATA_FILE)).size,
      inUseBy: ownerOf(dir),
    };
  } finally {
    await environment.close();
  }
}
