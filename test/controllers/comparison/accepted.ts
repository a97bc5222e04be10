// Differences from kube-controller-manager and kube-scheduler that Orch keeps, each with the reason.

export interface AcceptedDifference {
  /** The names of the scenarios. */
  readonly scenario: RegExp;
  /** The differing lines; `-` is the reference, `+` is Orch. */
  readonly line: RegExp;
  readonly reason: string;
  /** Depends on the timing of the run: it need not occur. */
  readonly isTimed?: boolean;
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
  {
    scenario: /^volume-wait-/,
    line: /^[+-] event of PersistentVolumeClaim \S+: persistentvolume-controller Normal WaitForPodScheduled/,
    reason:
      'The event occurs if the controller looks at the claim between the creation and the scheduling of its pod.',
    isTimed: true,
  },
  {
    scenario: /^service-/,
    line: /^[+-] at the end: pods \S+ written: "Update by unknown of status"/,
    reason:
      'The node and the scenario write the same conditions of a pod: the one that comes second in a second owns nothing.',
    isTimed: true,
  },
  {
    scenario: /^service-topology-aware-with-few-endpoints$/,
    line: /^\+ event of Service app: .* Insufficient Node information/,
    reason: 'Nodes of other scenarios, which have no zone or no CPU yet, are seen by more reconciliations.',
    isTimed: true,
  },
  {
    scenario: /^service-finished-pod$/,
    line: /^[+-] at the end: endpoint(s app subsets|slices app-\* (endpoints|ports)): /,
    reason:
      'kube-controller-manager compares readiness, not phase, so it does not see that a pod has finished while its condition Ready stays True; a kubelet sets both.',
  },
  {
    scenario: /^service-terminating-pod$/,
    line: /^\+ at the end: pods a /,
    reason: 'kwok removes the finalizers of a deleted pod; the simulation leaves them to their owners.',
  },
  {
    scenario: /^device-no-volume$/,
    line: / persistentvolumeclaim \\*"missing\\*" not found\./,
    reason:
      'If another plugin rejects a pod with claims first, DynamicResources of kube-scheduler fails with "not found" instead of trying preemption.',
  },
];
