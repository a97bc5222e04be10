// Differences from kube-controller-manager and kube-scheduler that Orch keeps, each with the reason.

export interface AcceptedDifference {
  /** The names of the scenarios. */
  readonly scenario: RegExp;
  /** The differing lines; `-` is the reference, `+` is Orch. */
  readonly line: RegExp;
  readonly reason: string;
}

export const acceptedDifferences: readonly AcceptedDifference[] = [
  {
    scenario: /-node-name$|^service-/,
    line: /^\+ .* pods .* condition: .*PodScheduled/,
    reason: 'a kubelet sets the condition PodScheduled of a pod that was created with a node; kwok does not',
  },
];
