import { field, type Infer } from '../../schema/struct.ts';
import type { KindContext } from '../context.ts';
import { kind } from '../meta/kind.ts';
import { plainStrategy, statusOf } from '../plain-strategy.ts';
import { resource } from '../resource.ts';
import { ResourceClaimSpecV1beta2 } from './resource-claim-spec-v1beta2.ts';
import { ResourceClaimStatus } from './resourceclaim.ts';
import { v1beta2 } from './versions.ts';

export const ResourceClaimV1beta2 = kind(
  'resource/v1beta2.ResourceClaim',
  {
    spec: field(2, ResourceClaimSpecV1beta2, { required: true }),
    status: field(3, v1beta2.of(ResourceClaimStatus)),
  },
  { doc: '' },
);
export type ResourceClaimV1beta2 = Infer<typeof ResourceClaimV1beta2>;

export const resourceclaimsV1beta2 = (context: KindContext) =>
  resource<ResourceClaimV1beta2>({
    group: 'resource',
    version: 'v1beta2',
    kind: 'ResourceClaim',
    plural: 'resourceclaims',
    schema: ResourceClaimV1beta2,
    strategy: { ...plainStrategy(context, ResourceClaimV1beta2), deleteReturnsObject: true },
    subresources: { status: statusOf(context, ResourceClaimV1beta2) },
  });
