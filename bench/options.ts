// The command line options of the benchmark.
import { parseArgs } from 'node:util';

const storages = ['lmdb', 'etcd'] as const;
type Storage = (typeof storages)[number];

export interface Options {
  readonly quick: boolean;
  /** More watches with a selector, and a larger list. */
  readonly full: boolean;
  readonly only: readonly string[];
  readonly rounds: number | undefined;
  readonly sides: 'both' | 'orch' | 'reference';
  /** The storage backend of Orch. */
  readonly storage: Storage;
  /** Further flags of Orch: `--serving-threads=2`. */
  readonly orchFlags: readonly string[];
  readonly help: boolean;
}

export const usage = `npm run bench [-- OPTIONS]
  --quick            fewer objects and shorter loads, to test the benchmark; not for publishing
  --full             10,000 instead of 2,000 watches with a selector each, and pages of 100,000 objects
  --only NAME        measure only this row; may be repeated
  --rounds N         number of alternating rounds per row
  --storage NAME     storage backend of Orch: lmdb (default), or an etcd like that of the reference
  --orch-flag=FLAG   flag of Orch, such as --orch-flag=--serving-threads=2; may be repeated
  --orch-only        do not start the reference
  --reference-only   do not start Orch
  --help             print this text and the names of the rows`;

export function readOptions(argv: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...argv],
    options: {
      quick: { type: 'boolean', default: false },
      full: { type: 'boolean', default: false },
      only: { type: 'string', multiple: true, default: [] },
      rounds: { type: 'string' },
      storage: { type: 'string', default: 'lmdb' },
      'orch-flag': { type: 'string', multiple: true, default: [] },
      'orch-only': { type: 'boolean', default: false },
      'reference-only': { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values['orch-only'] && values['reference-only']) {
    throw new Error('--orch-only and --reference-only are mutually exclusive');
  }
  return {
    quick: values.quick,
    full: values.full,
    only: values.only,
    rounds: values.rounds === undefined ? undefined : positiveInteger('--rounds', values.rounds),
    sides: values['orch-only'] ? 'orch' : values['reference-only'] ? 'reference' : 'both',
    storage: parseStorage(values.storage),
    orchFlags: values['orch-flag'],
    help: values.help,
  };
}

function parseStorage(text: string): Storage {
  const storage = storages.find((candidate) => candidate === text);
  if (!storage) throw new Error(`--storage takes ${storages.join(' or ')}`);
  return storage;
}

function positiveInteger(flag: string, text: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1 || value > 100)
    throw new Error(`${flag} takes a number from 1 to 100`);
  return value;
}
