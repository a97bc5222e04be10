// Schema of ResourceClaim v1beta1.

import { kind } from '../../kind/meta/kind.ts';
import { field, type Infer } from '../../schema/struct.ts';
import { ResourceClaimSpec } from './resource-claim-spec.ts';
import { ResourceClaimStatus } from './resource-claim-status.ts';

export const ResourceClaim = kind(
  'resource/v1beta1.ResourceClaim',
  {
    spec: field(2, ResourceClaimSpec, { required: true, doc: 'What is claimed. It never changes.' }),
    status: field(3, ResourceClaimStatus, { doc: 'What has become of it.' }),
  },
  { doc: 'A claim to devices, which pods share or have to themselves.' },
);
export type ResourceClaim = Infer<typeof ResourceClaim>;
