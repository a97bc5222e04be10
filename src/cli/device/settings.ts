// Flags and arguments of `orch device`.

import { clusterFlags } from '../cluster/cluster-flags.ts';
import type { ClusterSettings } from '../cluster/resolve-access.ts';
import { CommandError } from '../command.ts';
import { type Flag, parseFlags } from '../flags.ts';
import { outputFlag } from '../output.ts';

export interface DeviceSettings extends ClusterSettings {
  readonly output: 'table' | 'json' | 'yaml';
}

export const deviceDefaults: DeviceSettings = { output: 'table' };

export const deviceFlags: readonly Flag<DeviceSettings>[] = [
  outputFlag<DeviceSettings>(['table', 'json', 'yaml']),
  ...(clusterFlags as readonly Flag<DeviceSettings>[]),
];

export function readDeviceArgs(args: readonly string[]): {
  readonly settings: DeviceSettings;
  readonly className: string;
} {
  const { settings, positional } = parseFlags(deviceFlags, args);
  const [action, className, unexpected] = positional;
  if (action !== 'select' || !className) {
    throw new CommandError('CLASS is required: orch device select CLASS');
  }
  if (unexpected !== undefined) {
    throw new CommandError(`unexpected argument ${JSON.stringify(unexpected)}: only one class is allowed`);
  }
  return { settings: { ...deviceDefaults, ...settings }, className };
}
