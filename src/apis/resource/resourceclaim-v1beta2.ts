// ResourceClaim v1beta2: schema and resource definition.

import type { KindContext } from '../../kind/context.ts';
import { kind } from '../../kind/meta/kind.ts';
import { resource } from '../../kind/resource.ts';
import { field, type Infer } from '../../schema/struct.ts';
import { claimFromV1beta2, claimToV1beta2 } from './claim-conversion.ts';
import { claimStrategy } from './claim-strategy.ts';
import { ResourceClaimSpecV1beta2 } from './resource-claim-spec-v1beta2.ts';
import { ResourceClaimStatus } from './resource-claim-status.ts';
import type { ResourceClaim } from './resourceclaim.ts';
import { resourceClaimTable } from './resourceclaim-table.ts';
import { v1beta2 } from './versions.ts';

export const ResourceClaimV1beta2 = kind(
  'resource/v1beta2.ResourceClaim',
  {
    spec: field(2, ResourceClaimSpecV1beta2, { required: true, doc: 'The requested devices. Immutable.' }),
    status: field(3, v1beta2.of(ResourceClaimStatus), {
      doc: 'The allocation and reservation of the claim.',
    }),
  },
  { doc: 'A request for devices (dynamic resource allocation), which one or more pods use.' },
);
export type ResourceClaimV1beta2 = Infer<typeof ResourceClaimV1beta2>;

export function resourceclaimsV1beta2(context: KindContext) {
  const { strategy, status } = claimStrategy(context, ResourceClaimV1beta2, ({ spec }) => spec);
  return resource<ResourceClaimV1beta2>({
    group: 'resource',
    version: 'v1beta2',
    kind: 'ResourceClaim',
    plural: 'resourceclaims',
    schema: ResourceClaimV1beta2,
    table: resourceClaimTable,
    strategy,
    subresources: { status },
    conversion: {
      storedVersion: { group: 'resource', version: 'v1beta1' },
      fromStored(stored) {
        const claim = stored as ResourceClaim;
        return { ...claim, spec: claimToV1beta2(claim.spec) };
      },
      toStored: (object) => ({ ...object, spec: claimFromV1beta2(object.spec) }),
    },
  });
}
