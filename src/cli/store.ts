import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Command, CommandError, type Terminal } from './command.ts';
import { refuseUsedDirectory } from './data-directory.ts';

interface Action {
  readonly usage: string;
  readonly about: string;
  /** `dir` holds the database; `more` is what the user wrote after the data directory. */
  run(dir: string, more: readonly string[], terminal: Terminal): Promise<number>;
}

const actions: Record<string, Action> = {
  check: {
    usage: 'check DIR',
    about: 'verify everything in a data directory that no server uses',
    async run(dir, _more, terminal) {
      const { check } = await import('../store/lmdb/check.ts');
      const { objects, changes, revision, compacted, findings } = await check(dir);
      for (const finding of findings) terminal.err(finding);
      const found = findings.length === 0 ? 'all in order' : `${findings.length} findings`;
      terminal.out(
        `${objects} objects, ${changes} changes up to revision ${revision} (compacted ${compacted}): ${found}`,
      );
      return findings.length === 0 ? 0 : 1;
    },
  },
  stat: {
    usage: 'stat DIR',
    about: 'say what is in a data directory, also while a server uses it',
    async run(dir, _more, terminal) {
      const { stat } = await import('../store/lmdb/stat.ts');
      const { oldestChangeAt, inUseBy, copyOf, ...rest } = await stat(dir);
      const lines = {
        ...rest,
        oldestChangeAt: oldestChangeAt === undefined ? 'none' : new Date(oldestChangeAt).toISOString(),
        ...(copyOf !== undefined && { copyOf: `the etcd ${copyOf}` }),
        inUseBy: inUseBy === undefined ? 'nobody' : `process ${inUseBy}`,
      };
      for (const [name, value] of Object.entries(lines)) terminal.out(`${name.padEnd(15)} ${value}`);
      return 0;
    },
  },
  backup: {
    usage: 'backup DIR [OUT]',
    about: 'copy a data directory, also while a server uses it; OUT must be empty or new',
    async run(dir, [out = defaultBackup()], terminal) {
      refuseUsedDirectory(out);
      const { backup } = await import('../store/lmdb/backup.ts');
      await backup(dir, join(out, 'store'));
      terminal.out(`${out} is a data directory now; orch serve --data-dir ${out} starts from it`);
      return 0;
    },
  },
};

const defaultBackup = () => `orch-backup-${new Date().toISOString().slice(0, 19).replaceAll(':', '')}`;

/** `orch store`: looks after data directories. */
export const store: Command = {
  name: 'store',
  usage: Object.keys(actions).join('|').concat(' DIR'),
  about: 'check, measure or back up a data directory',
  help: () => [
    'Looks after the data directory of a server (as given with --data-dir).',
    '',
    ...Object.values(actions).map(({ usage, about }) => `  orch store ${usage.padEnd(18)} ${about}`),
  ],
  async run([name = '', dir, ...more], terminal) {
    const action = Object.hasOwn(actions, name) ? actions[name] : undefined;
    if (!action) throw new CommandError(`say what to do: orch store ${Object.keys(actions).join('|')} DIR`);
    if (dir === undefined) throw new CommandError(`say which directory: orch store ${action.usage}`);
    const unexpected = more[name === 'backup' ? 1 : 0];
    if (unexpected !== undefined) throw new CommandError(`unexpected argument ${JSON.stringify(unexpected)}`);
    // A server's data directory holds the database in a folder of its own; that folder may be named itself, too.
    const folder = ['store', 'copy'].find((each) => existsSync(join(dir, each)));
    const database = folder === undefined ? dir : join(dir, folder);
    return explained(action.run(database, more, terminal));
  },
};

async function explained(running: Promise<number>): Promise<number> {
  const { DataDirectoryError } = await import('../store/lmdb/directory.ts');
  return running.catch((error) => {
    throw error instanceof DataDirectoryError ? new CommandError(error.message) : error;
  });
}
