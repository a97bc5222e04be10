import { string } from '../../schema/scalars.ts';
import { field, type Infer, optional, struct } from '../../schema/struct.ts';
import { microTime } from '../../schema/time.ts';
import type { KindContext } from '../context.ts';
import { kind } from '../meta/kind.ts';
import { plainStrategy } from '../plain-strategy.ts';
import { resource } from '../resource.ts';
import { alsoIn } from '../versions.ts';
import { coordinatedLeaseStrategy } from './lease-strategy.ts';
import { v1alpha2 } from './versions.ts';

export const LeaseCandidateSpec = struct('coordination/v1beta1.LeaseCandidateSpec', {
  leaseName: field(1, string, { required: true }),
  pingTime: field(2, optional(microTime)),
  renewTime: field(3, optional(microTime)),
  binaryVersion: field(4, string, { required: true }),
  emulationVersion: field(5, string),
  strategy: field(6, coordinatedLeaseStrategy, { required: true, omitEmpty: true }),
});
export type LeaseCandidateSpec = Infer<typeof LeaseCandidateSpec>;

export const LeaseCandidate = kind(
  'coordination/v1beta1.LeaseCandidate',
  {
    spec: field(2, LeaseCandidateSpec),
  },
  { doc: '' },
);
export type LeaseCandidate = Infer<typeof LeaseCandidate>;

export const leasecandidates = (context: KindContext) =>
  resource<LeaseCandidate>({
    group: 'coordination',
    version: 'v1beta1',
    kind: 'LeaseCandidate',
    plural: 'leasecandidates',
    schema: LeaseCandidate,
    strategy: plainStrategy(context, LeaseCandidate),
  });

export const leasecandidatesV1alpha2 = (context: KindContext) =>
  alsoIn('v1alpha2', leasecandidates(context), v1alpha2.of(LeaseCandidate));
