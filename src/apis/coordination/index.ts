// The kinds of the API group coordination.

import type { KindContext } from '../../kind/context.ts';
import type { ResourceDefinition } from '../../kind/definition.ts';
import { leases } from './lease.ts';
import { leasecandidates, leasecandidatesV1alpha2 } from './leasecandidate.ts';

export const coordinationKinds = (context: KindContext): ResourceDefinition[] => [
  leases(),
  leasecandidates(context),
  leasecandidatesV1alpha2(context),
];
