// Flags and arguments of `orch volume`.

import { clusterFlags, textFlag } from '../cluster/cluster-flags.ts';
import type { ClusterSettings } from '../cluster/resolve-access.ts';
import { CommandError } from '../command.ts';
import { type Flag, parseFlags } from '../flags.ts';
import { type OutputSettings, outputDefaults, textOutputFlag } from '../output.ts';

export interface VolumeSettings extends ClusterSettings, OutputSettings {
  readonly namespace?: string;
  readonly out?: string;
}

export const volumeFlags: readonly Flag<VolumeSettings>[] = [
  textFlag<VolumeSettings>('namespace', 'NAMESPACE', 'namespace of the pod; by default that of the context', {
    short: 'n',
  }),
  textFlag<VolumeSettings>(
    'out',
    'DIR',
    'write the files into this directory, as the kubelet does, instead of printing them',
  ),
  textOutputFlag<VolumeSettings>(),
  ...(clusterFlags as readonly Flag<VolumeSettings>[]),
];

export function readVolumeArgs(args: readonly string[]): {
  readonly settings: VolumeSettings;
  readonly pod: string;
  readonly volume: string;
} {
  const { settings, positional } = parseFlags(volumeFlags, args);
  const [action, pod, volume, unexpected] = positional;
  if (action !== 'render' || !pod || !volume) {
    throw new CommandError('POD and VOLUME are required: orch volume render POD VOLUME');
  }
  if (unexpected !== undefined) {
    throw new CommandError(`unexpected argument ${JSON.stringify(unexpected)}: only one volume is allowed`);
  }
  return { settings: { ...outputDefaults, ...settings }, pod, volume };
}
