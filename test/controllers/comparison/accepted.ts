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
  {
    scenario: /^service-/,
    line: /endpointslices \S+ (generation|annotation endpoints\.kubernetes\.io\/last-change-trigger-time): |endpoints \S+ annotation endpoints\.kubernetes\.io\/last-change/,
    reason:
      'Changes that arrive together are reconciled once, so there are fewer writes, and the last one has another trigger.',
  },
  {
    scenario: /^service-topology-aware-with-few-endpoints$/,
    line: /^\+ event of Service app: .* \([01] endpoints, 3 zones\)/,
    reason:
      'A Service without endpoints, and one whose first endpoint becomes ready alone, also say why they have no hints.',
  },
];
