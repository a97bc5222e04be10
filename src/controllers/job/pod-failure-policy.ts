// Job controller: matches a failed pod against the podFailurePolicy (upstream: matchPodFailurePolicy).
import type {
  PodFailurePolicy,
  PodFailurePolicyOnExitCodesRequirement,
  PodFailurePolicyRule,
} from '../../apis/batch/job-policies.ts';
import type { Pod } from '../../apis/core/pod.ts';

/** The consequence of a failed pod. */
export interface PodFailure {
  /** The action of the first rule that matches; undefined if none does. */
  readonly action: PodFailurePolicyRule['action'] | undefined;
  /** The message of the Job that fails because of the pod, with action FailJob. */
  readonly failJobMessage?: string;
}

/** Without a rule that matches, the failure counts. */
export function matchFailurePolicy(policy: PodFailurePolicy | undefined, pod: Pod): PodFailure {
  const { name, namespace } = pod.metadata;
  for (const [index, rule] of (policy?.rules ?? []).entries()) {
    const cause = causeOf(rule, pod);
    if (cause === undefined) continue;
    const { action } = rule;
    if (action !== 'FailJob') return { action };
    const failJobMessage = `${cause(`${namespace}/${name}`)} matching ${action} rule at index ${index}`;
    return { action, failJobMessage };
  }
  return { action: undefined };
}

/** Describes why a rule matches; undefined if it does not. */
function causeOf(
  { onExitCodes, onPodConditions = [] }: PodFailurePolicyRule,
  { status }: Pod,
): ((pod: string) => string) | undefined {
  if (onExitCodes) {
    const { containerStatuses = [], initContainerStatuses = [] } = status;
    const container = [...containerStatuses, ...initContainerStatuses].find(({ name, state }) =>
      matchesExitCode(onExitCodes, name, state?.terminated?.exitCode),
    );
    const exitCode = container?.state?.terminated?.exitCode;
    return (
      container && ((pod) => `Container ${container.name} for pod ${pod} failed with exit code ${exitCode}`)
    );
  }
  const condition = (status.conditions ?? []).find((candidate) =>
    onPodConditions.some(({ type, status }) => type === candidate.type && status === candidate.status),
  );
  return condition && ((pod) => `Pod ${pod} has condition ${condition.type}`);
}

/** A container that has not terminated, or has exit code 0, never matches. */
function matchesExitCode(
  { containerName, operator, values = [] }: PodFailurePolicyOnExitCodesRequirement,
  name: string,
  exitCode: number | undefined,
): boolean {
  if (!exitCode || (containerName !== undefined && containerName !== name)) return false;
  return values.includes(exitCode) === (operator === 'In');
}
