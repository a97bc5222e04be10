import type { ClusterChoice } from '../cluster/chosen-access.ts';
import { clusterFlags, textFlag } from '../cluster/cluster-flags.ts';
import { CommandError } from '../command.ts';
import { type Flag, parseFlags } from '../flags.ts';

export interface BlameSettings extends ClusterChoice {
  readonly namespace?: string;
  readonly output: 'yaml' | 'json';
}

export const blameDefaults: BlameSettings = { output: 'yaml' };

export const blameFlags: readonly Flag<BlameSettings>[] = [
  textFlag<BlameSettings>(
    'namespace',
    'NAMESPACE',
    'where the object is; by default the namespace of the context',
    { short: 'n' },
  ),
  {
    name: 'output',
    short: 'o',
    placeholder: 'yaml|json',
    about: 'yaml shows the object with its owners at the left, json every owned field by its path',
    parse(value) {
      if (value === 'yaml' || value === 'json') return { output: value };
      throw new CommandError(`${JSON.stringify(value)} is not one of yaml, json`);
    },
    show: ({ output }) => output,
  },
  ...(clusterFlags as readonly Flag<BlameSettings>[]),
];

/** What the arguments of `orch blame` ask for. */
export function readBlameArgs(args: readonly string[]): {
  readonly settings: BlameSettings;
  readonly kind: string;
  readonly name: string;
} {
  const { settings, rest } = parseFlags(blameFlags, args);
  const [first = '', ...more] = rest;
  const slash = first.indexOf('/');
  const [kind, name, unexpected] =
    slash < 0 ? [first, ...more] : [first.slice(0, slash), first.slice(slash + 1), ...more];
  if (!kind || !name) {
    throw new CommandError(
      'say which object: orch blame KIND NAME, for example orch blame deployment web -n shop',
    );
  }
  if (unexpected !== undefined) {
    throw new CommandError(`unexpected argument ${JSON.stringify(unexpected)}: one object at a time`);
  }
  return { settings: { ...blameDefaults, ...settings }, kind, name };
}
