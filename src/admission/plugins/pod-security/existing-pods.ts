// Pod Security admission: warnings about existing pods when a namespace's enforce level changes.
import type { Pod } from '../../../apis/core/pod.ts';
import { quote } from '../../../errors/quote.ts';
import { decodeLazily } from '../../../kind/storage/codec.ts';
import type { StorageContext } from '../../../registry/verb-context.ts';
import { formatStandard, type Standard } from './policy.ts';
import type { Violation } from './wording.ts';

/** Upstream's namespaceMaxPodsToCheck and namespacePodCheckTimeout: they bound the latency of a namespace update. */
const maxPods = 3000;
const timeoutMs = 1000;
/** Pods evaluated before the event loop gets a turn and the deadline is checked. */
const podsPerYield = 100;

/** The evaluation of the pods of a namespace. */
interface CheckedPods {
  readonly checkedCount: number;
  /** The number of pods in the namespace; 0 (not counted) if all of them were checked. */
  readonly totalCount: number;
  /** Pod names by the reasons of their violations. */
  readonly podsByReasons: ReadonlyMap<string, readonly string[]>;
}

/** Evaluates the pods of a namespace against its new enforce level and returns the warnings for the client. */
export async function existingPodWarnings(
  context: StorageContext,
  namespace: string,
  standard: Standard,
  violationsOf: (pod: Pod) => readonly Violation[],
): Promise<string[]> {
  const { checkedCount, totalCount, podsByReasons } = await checkPods(context, namespace, violationsOf);
  const warnings: string[] = [];
  if (totalCount > checkedCount) {
    warnings.push(
      `new PodSecurity enforce level only checked against the first ${checkedCount} of ${totalCount} existing pods`,
    );
  }
  if (podsByReasons.size === 0) return warnings;
  const level = `the new PodSecurity enforce level "${formatStandard(standard)}"`;
  warnings.push(`existing pods in namespace ${quote(namespace)} violate ${level}`);
  for (const [reasons, [first, ...others]] of podsByReasons) {
    const more =
      others.length === 0 ? '' : ` (and ${others.length} other ${others.length === 1 ? 'pod' : 'pods'})`;
    warnings.push(`${first}${more}: ${reasons}`);
  }
  return warnings;
}

async function checkPods(
  { store, registry, clock }: StorageContext,
  namespace: string,
  violationsOf: (pod: Pod) => readonly Violation[],
): Promise<CheckedPods> {
  const resource = registry.kind('', 'v1', 'pods');
  const keyPrefix = `${resource.prefix}/${namespace}/`;
  const deadline = clock.elapsed() + timeoutMs;
  const podsByReasons = new Map<string, string[]>();
  const snapshot = store.pin();
  let checkedCount = 0;
  let totalCount = 0;
  try {
    for (const stored of snapshot.range(keyPrefix)) {
      const isStartOfBatch = checkedCount % podsPerYield === 0;
      if (checkedCount === maxPods || (isStartOfBatch && clock.elapsed() > deadline)) break;
      const pod = decodeLazily(resource, stored) as Pod;
      const reasons = violationsOf(pod).map(({ reason }) => reason);
      if (reasons.length > 0) {
        const key = reasons.join(', ');
        const names = podsByReasons.get(key);
        if (names) names.push(pod.metadata.name!);
        else podsByReasons.set(key, [pod.metadata.name!]);
      }
      if (++checkedCount % podsPerYield === 0) await new Promise((resolve) => setImmediate(resolve));
    }
    if (checkedCount >= maxPods || clock.elapsed() > deadline) {
      for (const _ of snapshot.keys(keyPrefix)) totalCount++;
    }
  } finally {
    snapshot.release();
  }
  return { checkedCount, totalCount, podsByReasons };
}
