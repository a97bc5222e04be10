// Job controller: matches the completed indexes against the successPolicy (upstream: matchSuccessPolicy).
import type { SuccessPolicy, SuccessPolicyRule } from '../../apis/batch/job-policies.ts';
import { IndexRanges } from './index-ranges.ts';

/** The message of the first rule that is met; undefined if none is. */
export function matchSuccessPolicy(
  policy: SuccessPolicy | undefined,
  completions: number,
  completed: IndexRanges,
): string | undefined {
  if (completed.count === 0) return undefined;
  const index = (policy?.rules ?? []).findIndex((rule) => isMet(rule, completions, completed));
  return index < 0 ? undefined : `Matched rules at index ${index}`;
}

function isMet(
  { succeededIndexes, succeededCount }: SuccessPolicyRule,
  completions: number,
  completed: IndexRanges,
): boolean {
  if (succeededIndexes === undefined)
    return succeededCount !== undefined && completed.count >= succeededCount;
  const required = IndexRanges.parse(succeededIndexes, completions);
  if (required.count === 0) return false;
  return completed.countCommon(required) >= Math.min(required.count, succeededCount ?? required.count);
}
