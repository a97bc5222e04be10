// Pod Security admission: warnings about existing pods when a namespace's enforce level changes.
import type { Pod } from '../../../apis/core/pod.ts';
import { quote } from '../../../errors/quote.ts';
import { decodeLazily } from '../../../kind/storage/codec.ts';
import type { StorageContext } from '../../../registry/api.ts';
import { formatStandard, type Standard } from './policy.ts';
import type { Violation } from './wording.ts';

/** Upstream's namespaceMaxPodsToCheck and namespacePodCheckTimeout: they bound the latency of a namespace update. */
const limits = { pods: 3000, milliseconds: 1000 };
/** Pods evaluated before the event loop gets a turn and the deadline is checked. */
const podsPerYield = 100;

/** Evaluates the pods of a namespace against its new enforce level and returns the warnings for the client. */
export async function existingPodWarnings(
  { store, registry, clock }: StorageContext,
  namespace: string,
  standard: Standard,
  violationsOf: (pod: Pod) => readonly Violation[],
): Promise<string[]> {
  const resource = registry.kind('', 'v1', 'pods');
  const keyPrefix = `${resource.prefix}/${namespace}/`;
  const deadline = clock.elapsed() + limits.milliseconds;
  /** Pod names by the reasons of their violations. */
  const byViolation = new Map<string, string[]>();
  const snapshot = store.pin();
  let checked = 0;
  /** Counted only if not all pods were checked. */
  let total = 0;
  try {
    for (const stored of snapshot.range(keyPrefix)) {
      if (checked === limits.pods || (checked % podsPerYield === 0 && clock.elapsed() > deadline)) break;
      const pod = decodeLazily(resource, stored) as Pod;
      const reasons = violationsOf(pod).map(({ reason }) => reason);
      if (reasons.length > 0) {
        const text = reasons.join(', ');
        const names = byViolation.get(text);
        if (names) names.push(pod.metadata.name!);
        else byViolation.set(text, [pod.metadata.name!]);
      }
      if (++checked % podsPerYield === 0) await new Promise((resolve) => setImmediate(resolve));
    }
    if (checked >= limits.pods || clock.elapsed() > deadline)
      for (const _ of snapshot.keys(keyPrefix)) total++;
  } finally {
    snapshot.release();
  }
  const warnings: string[] = [];
  if (total > checked) {
    warnings.push(
      `new PodSecurity enforce level only checked against the first ${checked} of ${total} existing pods`,
    );
  }
  if (byViolation.size === 0) return warnings;
  const level = `the new PodSecurity enforce level "${formatStandard(standard)}"`;
  warnings.push(`existing pods in namespace ${quote(namespace)} violate ${level}`);
  for (const [text, [first, ...others]] of byViolation) {
    const more =
      others.length === 0 ? '' : ` (and ${others.length} other ${others.length === 1 ? 'pod' : 'pods'})`;
    warnings.push(`${first}${more}: ${text}`);
  }
  return warnings;
}
