// The field spec.strategy (coordinated leader election) of Lease and LeaseCandidate: enum and validation.

import { type FieldError, invalid, notSupported } from '../../errors/field-error.ts';
import { qualifiedName } from '../../schema/names.ts';
import { named, openEnum } from '../../schema/scalars.ts';

const strategies = ['OldestEmulationVersion'] as const;

export const coordinatedLeaseStrategy = named(
  'coordination/v1.CoordinatedLeaseStrategy',
  openEnum(...strategies),
);

/** Accepts the standard strategies and domain-qualified names. */
export function validateStrategy(strategy: string): FieldError[] {
  // kube-apiserver repeats `strategy` in this path.
  const path = 'spec.strategy.strategy';
  if (!strategy.includes('/')) {
    return strategies.some((known) => known === strategy) ? [] : [notSupported(path, strategy, strategies)];
  }
  return qualifiedName(strategy).map((problem) => invalid(path, strategy, problem));
}
