// Flags and arguments of `orch blame`.

import { clusterFlags, textFlag } from '../cluster/cluster-flags.ts';
import type { ClusterSettings } from '../cluster/resolve-access.ts';
import { CommandError } from '../command.ts';
import { type Flag, parseFlags } from '../flags.ts';
import { outputFlag } from '../output.ts';

export interface BlameSettings extends ClusterSettings {
  readonly namespace?: string;
  readonly output: 'yaml' | 'json';
}

export const blameDefaults: BlameSettings = { output: 'yaml' };

export const blameFlags: readonly Flag<BlameSettings>[] = [
  textFlag<BlameSettings>(
    'namespace',
    'NAMESPACE',
    'namespace of the object; by default that of the context',
    { short: 'n' },
  ),
  outputFlag<BlameSettings>(
    ['yaml', 'json'],
    'yaml shows the object with the managers on the left, json lists owned fields by path',
  ),
  ...(clusterFlags as readonly Flag<BlameSettings>[]),
];

export function readBlameArgs(args: readonly string[]): {
  readonly settings: BlameSettings;
  readonly kind: string;
  readonly name: string;
} {
  const { settings, positional } = parseFlags(blameFlags, args);
  const [first = '', ...others] = positional;
  // KIND NAME, or KIND/NAME in one argument.
  const slash = first.indexOf('/');
  const kindAndName = slash < 0 ? [first] : [first.slice(0, slash), first.slice(slash + 1)];
  const [kind, name, unexpected] = [...kindAndName, ...others];
  if (!kind || !name) {
    throw new CommandError(
      'KIND and NAME are required: orch blame KIND NAME, for example orch blame deployment web -n shop',
    );
  }
  if (unexpected !== undefined) {
    throw new CommandError(`unexpected argument ${JSON.stringify(unexpected)}: only one object is allowed`);
  }
  return { settings: { ...blameDefaults, ...settings }, kind, name };
}
