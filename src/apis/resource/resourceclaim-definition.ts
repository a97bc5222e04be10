// ResourceClaim v1beta1 and v1alpha3: the resource definitions. v1beta1 is the storage version; both have the same
// fields.

import type { KindContext } from '../../kind/context.ts';
import { resource } from '../../kind/resource.ts';
import { definitionInVersion } from '../../kind/versions.ts';
import { claimToV1beta2 } from './claim-conversion.ts';
import { claimStrategy } from './claim-strategy.ts';
import { ResourceClaim } from './resourceclaim.ts';
import { resourceClaimTable } from './resourceclaim-table.ts';
import { v1alpha3 } from './versions.ts';

export function resourceclaims(context: KindContext) {
  const { strategy, status } = claimStrategy(context, ResourceClaim, ({ spec }) => claimToV1beta2(spec));
  return resource<ResourceClaim>({
    group: 'resource',
    version: 'v1beta1',
    kind: 'ResourceClaim',
    plural: 'resourceclaims',
    schema: ResourceClaim,
    table: resourceClaimTable,
    strategy,
    subresources: { status },
  });
}

/** The same kind in v1alpha3, converted to v1beta1 for storage. */
export const resourceclaimsV1alpha3 = (context: KindContext) =>
  definitionInVersion('v1alpha3', resourceclaims(context), v1alpha3.of(ResourceClaim));
