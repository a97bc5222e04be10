// A scheduling profile: the plugins and weights with which pods of one schedulerName are scheduled.
import { defaultArguments } from './config/plugin-arguments.ts';
import { defaultPlugins, pluginTable } from './config/plugin-table.ts';
import type { FilterPlugin, ScorePlugin } from './plugins/plugin.ts';
import type { PreemptionArgs } from './preemption/preemption-args.ts';

export interface Profile {
  readonly schedulerName: string;
  /** In the order in which a node is checked: the first rejection counts. */
  readonly filters: readonly FilterPlugin[];
  readonly scores: readonly { readonly score: ScorePlugin; readonly weight: number }[];
  /** Undefined if no pods are deleted in favour of others. */
  readonly preemption: PreemptionArgs | undefined;
  /** Whether unused ResourceClaims are deallocated for a pod that they keep from its nodes. */
  readonly deallocatesClaims: boolean;
  /** How long a pod waits for its volumes. */
  readonly bindTimeoutMs: number;
  /** 0 for a share that depends on the number of nodes. */
  readonly percentageOfNodesToScore: number;
}

/** Upstream's default profile. */
export const defaultProfile: Profile = {
  schedulerName: 'default-scheduler',
  filters: defaultPlugins.flatMap(({ name }) => pluginTable[name]?.filter?.(defaultArguments) ?? []),
  scores: defaultPlugins.flatMap(({ name, weight = 1 }) => {
    const score = pluginTable[name]?.score?.(defaultArguments);
    return score ? { score, weight } : [];
  }),
  preemption: defaultArguments.defaultPreemption,
  deallocatesClaims: true,
  bindTimeoutMs: defaultArguments.volumeBinding.bindTimeoutMs,
  percentageOfNodesToScore: 0,
};
