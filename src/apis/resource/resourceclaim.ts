// ResourceClaim v1beta1: schema.

import { kind } from '../../kind/meta/kind.ts';
import { field, type Infer } from '../../schema/struct.ts';
import { ResourceClaimSpec } from './resource-claim-spec.ts';
import { ResourceClaimStatus } from './resource-claim-status.ts';

export const ResourceClaim = kind(
  'resource/v1beta1.ResourceClaim',
  {
    spec: field(2, ResourceClaimSpec, { required: true, doc: 'The requested devices. Immutable.' }),
    status: field(3, ResourceClaimStatus, { doc: 'The allocation and reservation of the claim.' }),
  },
  { doc: 'A request for devices (dynamic resource allocation), which one or more pods use.' },
);
export type ResourceClaim = Infer<typeof ResourceClaim>;
