// Pod Security admission: warnings about existing pods when a namespace's enforce level changes.
import type { Pod } from '../../../apis/core/pod.ts';
import { quote } from '../../../errors/quote.ts';
import { decodeLazily } from '../../../kind/storage/codec.ts';
import type { Api } from '../../../registry/api.ts';
import { type Standard, shown } from './policy.ts';
import type { Violation } from './wording.ts';

/** So many pods are looked at, and for so long: the change of a label must not wait for more. */
const most = { pods: 3000, milliseconds: 1000 };
const atOnce = 100;

/** The warnings for a client that sets an enforce level which existing pods violate. */
export async function warningsOfExisting(
  { store, registry, clock }: Api,
  namespace: string,
  standard: Standard,
  violationsOf: (pod: Pod) => readonly Violation[],
): Promise<string[]> {
  const resource = registry.kind('', 'v1', 'pods');
  const place = `${resource.prefix}/${namespace}/`;
  const deadline = clock.elapsed() + most.milliseconds;
  const byViolation = new Map<string, string[]>();
  const view = store.pin();
  let checked = 0;
  let there = 0;
  try {
    for (const stored of view.range(place)) {
      if (checked === most.pods || (checked % atOnce === 0 && clock.elapsed() > deadline)) break;
      const pod = decodeLazily(resource, stored) as Pod;
      const reasons = violationsOf(pod).map(({ reason }) => reason);
      if (reasons.length > 0) {
        const text = reasons.join(', ');
        const names = byViolation.get(text);
        if (names) names.push(pod.metadata.name!);
        else byViolation.set(text, [pod.metadata.name!]);
      }
      if (++checked % atOnce === 0) await new Promise((resolve) => setImmediate(resolve));
    }
    if (checked >= most.pods || clock.elapsed() > deadline) for (const _ of view.keys(place)) there++;
  } finally {
    view.release();
  }
  const warnings: string[] = [];
  if (there > checked) {
    warnings.push(
      `new PodSecurity enforce level only checked against the first ${checked} of ${there} existing pods`,
    );
  }
  if (byViolation.size === 0) return warnings;
  const level = `the new PodSecurity enforce level "${shown(standard)}"`;
  warnings.push(`existing pods in namespace ${quote(namespace)} violate ${level}`);
  for (const [text, [first, ...others]] of byViolation) {
    const more =
      others.length === 0 ? '' : ` (and ${others.length} other ${others.length === 1 ? 'pod' : 'pods'})`;
    warnings.push(`${first}${more}: ${text}`);
  }
  return warnings;
}
