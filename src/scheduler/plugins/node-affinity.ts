// NodeAffinity: the nodeSelector of a pod, and its required and preferred node affinity.

import type { NodeAffinity } from '../../apis/core/affinity.ts';
import { compileNodeSelector, compileNodeSelectorTerm } from '../../apis/core/compiled-selectors.ts';
import type { PendingPod } from '../cache/pod-info.ts';
import { type FilterPlugin, normalizeScores, type Rejection, type ScorePlugin } from './plugin.ts';

const reject = (reason: string): Rejection => ({
  plugin: 'NodeAffinity',
  reasons: [reason],
  isUnresolvable: true,
});
const mismatch = reject("node(s) didn't match Pod's node affinity/selector");

const enforcedMismatch = reject("node(s) didn't match scheduler-enforced node affinity");

/** `added` is the affinity that a profile adds to that of its pods (upstream's NodeAffinityArgs). */
export function nodeAffinityFilter(added: NodeAffinity = {}): FilterPlugin {
  const required = added.requiredDuringSchedulingIgnoredDuringExecution;
  const matchesAdded = required && compileNodeSelector(required);
  return {
    name: 'NodeAffinity',
    prepare(pod) {
      const { requiredNodeAffinity: matches } = pod;
      if (!matches && !matchesAdded) return undefined;
      const nodeNames = requiredNodeNames(pod);
      if (nodeNames?.size === 0) return reject('pod affinity terms conflict');
      return {
        ...(nodeNames && { nodeNames }),
        check(node) {
          if (matchesAdded && !matchesAdded(node)) return enforcedMismatch;
          return !matches || matches(node) ? undefined : mismatch;
        },
      };
    },
  };
}

export const nodeAffinity = nodeAffinityFilter();

/** The nodes that the required terms name, as those of DaemonSets do; undefined if a term names none. */
function requiredNodeNames({ spec }: PendingPod): Set<string> | undefined {
  const required = spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
  const names = new Set<string>();
  if (!required) return undefined;
  for (const { matchFields = [] } of required.nodeSelectorTerms ?? []) {
    const named = matchFields.filter(({ key, operator }) => key === 'metadata.name' && operator === 'In');
    if (named.length === 0) return undefined;
    const [first, ...others] = named.map(({ values = [] }) => values);
    for (const name of first!) if (others.every((values) => values.includes(name))) names.add(name);
  }
  return names;
}

/** `added` as for the filter. */
export const nodeAffinityScore =
  (added: NodeAffinity = {}): ScorePlugin =>
  ({ spec }, nodes) => {
    const own = spec.affinity?.nodeAffinity?.preferredDuringSchedulingIgnoredDuringExecution ?? [];
    const preferred = [...(added.preferredDuringSchedulingIgnoredDuringExecution ?? []), ...own];
    if (preferred.length === 0) return undefined;
    const terms = preferred.map(({ weight, preference }) => ({
      weight,
      matches: compileNodeSelectorTerm(preference),
    }));
    const sums = nodes.map((node) =>
      terms.reduce((sum, { weight, matches }) => sum + (matches(node) ? weight : 0), 0),
    );
    return normalizeScores(sums);
  };

export const scoreNodeAffinity = nodeAffinityScore();
