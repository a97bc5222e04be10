import { parseArgs } from 'node:util';

const storages = ['lmdb', 'etcd'] as const;
type Storage = (typeof storages)[number];

export interface Options {
  readonly quick: boolean;
  readonly only: readonly string[];
  readonly rounds: number | undefined;
  readonly sides: 'both' | 'orch' | 'reference';
  /** Where Orch keeps its objects. */
  readonly storage: Storage;
  readonly help: boolean;
}

export const usage = `npm run bench [-- OPTIONS]
  --quick            small counts and short times, to see that it works; not for publishing
  --only NAME        only this item (may be given several times)
  --rounds N         how many alternating rounds each item gets
  --storage NAME     where Orch keeps its objects: lmdb (the default), or an etcd like the reference's
  --orch-only        do not start the reference
  --reference-only   do not start Orch
  --help             this text and the names of the items`;

export function readOptions(argv: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...argv],
    options: {
      quick: { type: 'boolean', default: false },
      only: { type: 'string', multiple: true, default: [] },
      rounds: { type: 'string' },
      storage: { type: 'string', default: 'lmdb' },
      'orch-only': { type: 'boolean', default: false },
      'reference-only': { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values['orch-only'] && values['reference-only']) {
    throw new Error('--orch-only and --reference-only exclude each other');
  }
  return {
    quick: values.quick,
    only: values.only,
    rounds: values.rounds === undefined ? undefined : positiveInteger('--rounds', values.rounds),
    sides: values['orch-only'] ? 'orch' : values['reference-only'] ? 'reference' : 'both',
    storage: knownStorage(values.storage),
    help: values.help,
  };
}

function knownStorage(text: string): Storage {
  const storage = storages.find((each) => each === text);
  if (!storage) throw new Error(`--storage takes ${storages.join(' or ')}`);
  return storage;
}

function positiveInteger(flag: string, text: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1 || value > 100)
    throw new Error(`${flag} takes a number from 1 to 100`);
  return value;
}
