// `orch store`: checks, backs up and restores data directories and etcd.
import { statSync } from 'node:fs';
import { nearest } from '../base/nearest.ts';
import { type Command, CommandError, type Terminal } from './command.ts';
import { flagHelp } from './flag-help.ts';
import type { Flag } from './flags.ts';
import { printDocument } from './output.ts';
import { explainFileError } from './start-failure.ts';
import { databaseIn } from './store/database.ts';
import {
  checkFlags,
  etcdFlags,
  readStoreArgs,
  type StoreArgs,
  type StoreSettings,
  storeDefaults,
  storeFlags,
} from './store/settings.ts';

interface Action {
  readonly usage: string;
  readonly about: string;
  /** Further lines of its help. */
  readonly notes?: readonly string[];
  readonly flags: readonly Flag<StoreSettings>[];
  run(args: StoreArgs, terminal: Terminal): Promise<number>;
}

const restoreNotes = [
  'A backup can be restored to a data directory or to etcd, wherever it was taken. Stop all servers before a restore.',
  'After it, older watches receive 410 Expired, and no resourceVersion is used twice.',
];

const actions: Record<string, Action> = {
  check: {
    usage: 'check DIR|FILE',
    about: 'verify a backup, or a data directory that no server uses',
    flags: checkFlags,
    async run(args, terminal) {
      const path = onlyArgument(args, 'check DIR|FILE');
      const { output } = args.settings;
      if (isFile(path)) {
        const { checkBackup } = await import('./store/backup.ts');
        return checkBackup(path, output, terminal);
      }
      const { checkDirectory } = await import('../store/lmdb/check.ts');
      const { objects, changes, revision, compacted, findings } = await checkDirectory(databaseIn(path));
      if (output !== 'text') {
        const document = { objects, changes, revision, compacted, errors: [...findings] };
        await printDocument(terminal, output, document);
        return findings.length === 0 ? 0 : 1;
      }
      for (const finding of findings) terminal.err(finding);
      const summary = findings.length === 0 ? 'no errors' : `${findings.length} errors`;
      terminal.out(
        `${objects} objects, ${changes} changes up to revision ${revision} (compacted ${compacted}): ${summary}`,
      );
      return findings.length === 0 ? 0 : 1;
    },
  },
  stat: {
    usage: 'stat DIR',
    about: 'show statistics of a data directory, also while a server uses it',
    flags: checkFlags,
    async run(args, terminal) {
      const { statDirectory } = await import('../store/lmdb/stat.ts');
      const { oldestChangeAt, inUseBy, copyOf, ...statistics } = await statDirectory(
        databaseIn(onlyArgument(args, 'stat DIR')),
      );
      const oldestChange = oldestChangeAt === undefined ? undefined : new Date(oldestChangeAt).toISOString();
      const { output } = args.settings;
      if (output !== 'text') {
        const document = {
          ...statistics,
          oldestChangeAt: oldestChange ?? null,
          ...(copyOf !== undefined && { copyOfEtcd: copyOf }),
          inUseByProcess: inUseBy ?? null,
        };
        await printDocument(terminal, output, document);
        return 0;
      }
      const lines = {
        ...statistics,
        oldestChangeAt: oldestChange ?? 'none',
        ...(copyOf !== undefined && { copyOf: `the etcd ${copyOf}` }),
        inUseBy: inUseBy === undefined ? 'nobody' : `process ${inUseBy}`,
      };
      for (const [name, value] of Object.entries(lines)) terminal.out(`${name.padEnd(15)} ${value}`);
      return 0;
    },
  },
  backup: {
    usage: 'backup DIR [FILE]',
    about: 'write all objects to a new file, also while servers run',
    notes: ['From etcd: orch store backup --etcd-servers URL [FILE]'],
    flags: etcdFlags,
    run: async (args, terminal) => (await import('./store/backup.ts')).backUp(args, terminal),
  },
  restore: {
    usage: 'restore FILE DIR',
    about: 'restore a backup to an empty or new data directory',
    notes: ['To etcd: orch store restore FILE --etcd-servers URL', ...restoreNotes],
    flags: storeFlags,
    run: async (args, terminal) => (await import('./store/backup.ts')).restore(args, terminal),
  },
};

export const store: Command = {
  name: 'store',
  usage: `${Object.keys(actions).join('|')} …`,
  about: 'check, inspect, back up or restore the storage',
  actions: Object.fromEntries(
    Object.entries(actions).map(([name, { usage, about, notes = [], flags }]) => [
      name,
      {
        usage,
        help: () => [
          `${about[0]!.toUpperCase()}${about.slice(1)}.`,
          ...notes,
          ...flagHelp(flags, storeDefaults),
        ],
      },
    ]),
  ),
  flags: storeFlags,
  help: () => [
    'Maintains the data directory of a server (--data-dir), or its data in etcd.',
    '',
    ...Object.values(actions).map(({ usage, about }) => `  orch store ${usage.padEnd(18)} ${about}`),
    '  orch store backup --etcd-servers URL [FILE]',
    '  orch store restore FILE --etcd-servers URL',
    '',
    ...restoreNotes,
    ...flagHelp(storeFlags, storeDefaults),
  ],
  async run([name = '', ...args], terminal) {
    const action = Object.hasOwn(actions, name) ? actions[name] : undefined;
    if (!action) {
      const suggestion = nearest(name, Object.keys(actions));
      const hint = suggestion ? ` (did you mean ${suggestion}?)` : '';
      throw new CommandError(`an action is required: orch store ${Object.keys(actions).join('|')} …${hint}`);
    }
    return withReadableErrors(action.run(readStoreArgs(args), terminal));
  },
};

function onlyArgument({ positional }: StoreArgs, usage: string): string {
  const [argument, unexpected] = positional;
  if (argument === undefined) throw new CommandError(`an argument is missing: orch store ${usage}`);
  if (unexpected !== undefined) throw new CommandError(`unexpected argument ${JSON.stringify(unexpected)}`);
  return argument;
}

const isFile = (path: string) => statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;

/** Turns expected errors into a CommandError, which is printed without a stack trace. */
async function withReadableErrors(result: Promise<number>): Promise<number> {
  try {
    return await result;
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    const [{ DataDirectoryError }, { BackupError }, { StorageUnavailable }, { CallError }] =
      await Promise.all([
        import('../store/lmdb/directory.ts'),
        import('../store/backup/format.ts'),
        import('../store/store.ts'),
        import('../store/etcd/rpc/connection.ts'),
      ]);
    if (error instanceof CallError) throw new CommandError(`etcd: ${error.message}`);
    const isExpected = [DataDirectoryError, BackupError, StorageUnavailable].some(
      (expectedClass) => error instanceof expectedClass,
    );
    throw isExpected ? new CommandError(error.message) : explainFileError(error);
  }
}
