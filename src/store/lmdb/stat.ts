/** `orch store stat`: summary of a data directory, also while a server uses it. */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { readReplicaSource } from '../etcd/full-sync.ts';
import type { Revision } from '../store.ts';
import { assertDataDirectory, DATA_FILE } from './directory.ts';
import { LmdbEnvironment } from './environment.ts';
import { decodeLogEntry } from './log-entry.ts';
import { findOwnerPid } from './owner.ts';
import { logKey } from './tables.ts';

export interface DirectoryStat {
  readonly dialect: string;
  readonly uid: string;
  readonly revision: Revision;
  readonly compacted: Revision;
  readonly objects: number;
  readonly changes: number;
  /** Commit time of the oldest change in the history, in milliseconds since the epoch; undefined without history. */
  readonly oldestChangeAt: number | undefined;
  readonly bytes: number;
  /** The etcd that the directory is a replica of: its cluster id, and the revision offset after a restore. */
  readonly copyOf: string | undefined;
  /** The pid of the process that has the directory locked; undefined if none has. */
  readonly inUseBy: number | undefined;
}

export async function statDirectory(dir: string): Promise<DirectoryStat> {
  assertDataDirectory(dir);
  const environment = LmdbEnvironment.openForReading(dir);
  try {
    const { tables, options, state } = environment.snapshot;
    const [oldest] = tables.order.getRange({ ...options, start: state.compacted + 1, limit: 1 });
    const entry = oldest && tables.log.get(logKey(oldest.value.toString(), oldest.key), options);
    const oldestChangeAt = entry ? decodeLogEntry(entry).committedAtMs : undefined;
    return {
      ...environment.label,
      ...state,
      changes: tables.order.getKeysCount({ ...options, start: state.compacted + 1 }),
      oldestChangeAt,
      copyOf: readReplicaSource(environment),
      bytes: statSync(join(dir, DATA_FILE)).size,
      inUseBy: findOwnerPid(dir),
    };
  } finally {
    await environment.close();
  }
}
