// Flags and arguments of `orch node`.
import { clusterFlags } from '../cluster/cluster-flags.ts';
import type { ClusterSettings } from '../cluster/resolve-access.ts';
import { CommandError } from '../command.ts';
import { parseFlags } from '../flags.ts';

export const nodeFlags = clusterFlags;
export const nodeDefaults: ClusterSettings = {};

export type NodeAction = 'fail' | 'recover';

export function readNodeArgs(args: readonly string[]): {
  readonly settings: ClusterSettings;
  readonly action: NodeAction;
  readonly names: readonly string[];
} {
  const { settings, positional } = parseFlags(nodeFlags, args);
  const [action, ...names] = positional;
  if (action !== 'fail' && action !== 'recover') {
    throw new CommandError('fail or recover is required: orch node fail NAME');
  }
  if (names.length === 0) throw new CommandError(`NAME is required: orch node ${action} NAME`);
  return { settings, action, names };
}
