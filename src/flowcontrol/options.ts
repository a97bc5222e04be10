// Flow control: the options of API Priority and Fairness and of the max-in-flight filter, which replaces it if disabled.

export interface FlowControlOptions {
  /** API Priority and Fairness; without it only the number of requests in flight is limited. */
  readonly enablePriorityAndFairness: boolean;
  /** With API Priority and Fairness, the sum of both limits is the number of seats. */
  readonly maxRequestsInflight: number;
  readonly maxMutatingRequestsInflight: number;
}

export const defaultFlowControlOptions: FlowControlOptions = {
  enablePriorityAndFairness: true,
  maxRequestsInflight: 400,
  maxMutatingRequestsInflight: 200,
};
