// `orch store backup` and `orch store restore`: copy all objects between a backup file and a data directory or etcd.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readEtcdCredentials } from '../../server/open-store.ts';
import { type Backup, verifyBackup } from '../../store/backup/read-backup.ts';
import type { RestoreOptions } from '../../store/backup/restore-options.ts';
import { type BackupSource, type OnProgress, writeBackup } from '../../store/backup/write-backup.ts';
import type { EtcdLocation } from '../../store/etcd/backup.ts';
import { CommandError, type Terminal } from '../command.ts';
import { rejectForeignDirectory } from '../data-directory.ts';
import { printDocument } from '../output.ts';
import { databaseIn } from './database.ts';
import type { StoreArgs, StoreSettings } from './settings.ts';

export async function backUp({ settings, positional }: StoreArgs, terminal: Terminal): Promise<number> {
  const { output } = settings;
  const isFromEtcd = settings.etcdServers.length > 0;
  const [dir, file] = isFromEtcd ? [undefined, positional[0]] : positional;
  const target = file ?? defaultFileName();
  rejectExtraArguments(positional, isFromEtcd ? 1 : 2);
  const write = async (source: BackupSource) => {
    const objectCount = await writeBackup(target, source, progressPrinter(terminal, 'backed up'));
    const { dialect, revision } = source;
    if (output === 'text') {
      terminal.out(`${target}: ${objectCount} objects of dialect ${dialect} at revision ${revision}`);
    } else await printDocument(terminal, output, { file: target, objects: objectCount, dialect, revision });
    return 0;
  };
  if (isFromEtcd) {
    const { withEtcdSnapshot } = await import('../../store/etcd/backup.ts');
    return withEtcdSnapshot(await etcdLocation(settings), write);
  }
  if (dir === undefined)
    throw new CommandError(
      'a source is required: orch store backup DIR [FILE], or --etcd-servers URL instead of DIR',
    );
  const { withDirectorySnapshot } = await import('../../store/lmdb/backup.ts');
  return withDirectorySnapshot(databaseIn(dir), write);
}

export async function restore({ settings, positional }: StoreArgs, terminal: Terminal): Promise<number> {
  const isToEtcd = settings.etcdServers.length > 0;
  const [file, dir] = positional;
  rejectExtraArguments(positional, isToEtcd ? 1 : 2);
  if (file === undefined || (dir === undefined && !isToEtcd))
    throw new CommandError(
      'a backup and a target are required: orch store restore FILE DIR, or --etcd-servers URL instead of DIR',
    );
  const backup = await verifyBackup(file, progressPrinter(terminal, 'verified'));
  const { force, output } = settings;
  const options: RestoreOptions = { force, onProgress: progressPrinter(terminal, 'restored') };
  const { objects, revision } =
    dir === undefined
      ? await restoreToEtcd(backup, settings, options)
      : await restoreToDirectory(backup, dir, options);
  if (output !== 'text') {
    const { takenAt, dialect, revision: backupRevision } = backup;
    await printDocument(terminal, output, { objects, dialect, takenAt, backupRevision, revision });
    return 0;
  }
  const storageFlags = dir === undefined ? '--storage etcd' : `--data-dir ${dir}`;
  terminal.out(
    `${objects} objects restored from revision ${backup.revision}, ${backup.takenAt}; new revisions start after ${revision}`,
  );
  terminal.out(`start the server with: orch serve ${storageFlags} --dialect ${backup.dialect}`);
  return 0;
}

async function restoreToEtcd(backup: Backup, settings: StoreSettings, options: RestoreOptions) {
  const { restoreEtcd } = await import('../../store/etcd/restore.ts');
  return restoreEtcd(backup, await etcdLocation(settings), options);
}

async function restoreToDirectory(backup: Backup, dir: string, options: RestoreOptions) {
  const { restoreDirectory } = await import('../../store/lmdb/restore.ts');
  return restoreDirectory(backup, databaseToRestore(dir), options);
}

/** Verifies a whole backup and prints its summary. */
export async function checkBackup(
  file: string,
  output: StoreSettings['output'],
  terminal: Terminal,
): Promise<number> {
  const { objects, dialect, revision, takenAt } = await verifyBackup(
    file,
    progressPrinter(terminal, 'verified'),
  );
  if (output === 'text') {
    terminal.out(`${objects} objects of dialect ${dialect} at revision ${revision}, ${takenAt}: no errors`);
  } else await printDocument(terminal, output, { objects, dialect, revision, takenAt, errors: [] });
  return 0;
}

const defaultFileName = () => `orch-${new Date().toISOString().slice(0, 19).replaceAll(':', '')}.backup`;

function rejectExtraArguments(positional: readonly string[], maxCount: number): void {
  const unexpected = positional[maxCount];
  if (unexpected !== undefined) throw new CommandError(`unexpected argument ${JSON.stringify(unexpected)}`);
}

/** The database directory to restore to: that of a data directory, or `dir` if it is one itself. */
function databaseToRestore(dir: string): string {
  if (existsSync(join(dir, 'data.mdb'))) return dir;
  rejectForeignDirectory(dir);
  return join(dir, 'store');
}

async function etcdLocation(settings: StoreSettings): Promise<EtcdLocation> {
  const { etcdServers: servers, etcdPrefix: prefix } = settings;
  return { servers, prefix, credentials: await readEtcdCredentials(settings) };
}

const progressIntervalMs = 2_000;

/** Prints the number of objects periodically; `action` is what happened to them. */
function progressPrinter(terminal: Terminal, action: string): OnProgress {
  let nextPrintMs = performance.now() + progressIntervalMs;
  return (objects) => {
    if (performance.now() < nextPrintMs) return;
    nextPrintMs = performance.now() + progressIntervalMs;
    terminal.err(`${objects} objects ${action}`);
  };
}
