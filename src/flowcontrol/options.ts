// API Priority and Fairness: its options.

export interface FlowControlOptions {
  /** API Priority and Fairness; without it only the number of requests in flight is limited. */
  readonly enablePriorityAndFairness: boolean;
  readonly maxRequestsInflight: number;
  readonly maxMutatingRequestsInflight: number;
}

export const defaultFlowControlOptions: FlowControlOptions = {
  enablePriorityAndFairness: true,
  maxRequestsInflight: 400,
  maxMutatingRequestsInflight: 200,
};
