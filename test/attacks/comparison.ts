// Compares the answers of both servers to the tries of a class.
import type { AcceptedDifference, Answers } from './attack.ts';

interface Difference {
  readonly what: string;
  /** What both answered, such as `200, reference 400`. */
  readonly group: string;
}

interface Comparison {
  readonly compared: number;
  /** How many statuses are of another class: success, error of the client, error of the server. */
  readonly otherClass: number;
  readonly accepted: number;
  readonly differences: readonly Difference[];
}

export function compareAnswers(
  orch: Answers,
  reference: Answers,
  accepted: readonly AcceptedDifference[] = [],
): Comparison {
  const compared = [...orch.keys()].filter((what) => reference.has(what));
  const differing = compared.filter((what) => orch.get(what) !== reference.get(what));
  const groupOf = (what: string) =>
    `${orch.get(what) || 'closed'}, reference ${reference.get(what) || 'closed'}`;
  const isAccepted = (what: string) =>
    accepted.some(({ tries, answers }) => tries.test(what) && (answers?.test(groupOf(what)) ?? true));
  const differences = differing.filter((what) => !isAccepted(what));
  const isOtherClass = (what: string) => statusClass(orch.get(what)!) !== statusClass(reference.get(what)!);
  return {
    compared: compared.length,
    otherClass: differing.filter(isOtherClass).length,
    accepted: differing.length - differences.length,
    differences: differences.map((what) => ({ what, group: groupOf(what) })),
  };
}

/** The largest group first. */
export function groupsOf(differences: readonly Difference[]): [group: string, tries: string[]][] {
  const groups = new Map<string, string[]>();
  for (const { what, group } of differences) groups.set(group, [...(groups.get(group) ?? []), what]);
  return [...groups].sort(([, one], [, other]) => other.length - one.length);
}

/** A closed connection counts as a rejection. */
function statusClass(answer: number | string): number {
  const status = Number.parseInt(`${answer}`, 10);
  return status === 0 ? 4 : Math.floor(status / 100);
}
