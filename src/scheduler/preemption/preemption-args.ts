// The arguments of preemption, upstream's DefaultPreemptionArgs.

/** How many candidates are enough. */
export interface PreemptionArgs {
  readonly minCandidateNodesPercentage: number;
  readonly minCandidateNodesAbsolute: number;
}

export const defaultPreemptionArgs: PreemptionArgs = {
  minCandidateNodesPercentage: 10,
  minCandidateNodesAbsolute: 100,
};
