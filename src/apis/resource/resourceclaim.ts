import type { KindContext } from '../../kind/context.ts';
import { kind } from '../../kind/meta/kind.ts';
import { resource } from '../../kind/resource.ts';
import { alsoIn } from '../../kind/versions.ts';
import { field, type Infer } from '../../schema/struct.ts';
import { claimToV1beta2 } from './claim-conversion.ts';
import { claimStrategy } from './claim-strategy.ts';
import { ResourceClaimSpec } from './resource-claim-spec.ts';
import { ResourceClaimStatus } from './resource-claim-status.ts';
import { v1alpha3 } from './versions.ts';

export const ResourceClaim = kind(
  'resource/v1beta1.ResourceClaim',
  {
    spec: field(2, ResourceClaimSpec, { required: true, doc: 'What is claimed. It never changes.' }),
    status: field(3, ResourceClaimStatus, { doc: 'What has become of it.' }),
  },
  { doc: 'A claim to devices, which pods share or have to themselves.' },
);
export type ResourceClaim = Infer<typeof ResourceClaim>;

export function resourceclaims(context: KindContext) {
  const { strategy, status } = claimStrategy(context, ResourceClaim, ({ spec }) => claimToV1beta2(spec));
  return resource<ResourceClaim>({
    group: 'resource',
    version: 'v1beta1',
    kind: 'ResourceClaim',
    plural: 'resourceclaims',
    schema: ResourceClaim,
    strategy,
    subresources: { status },
  });
}

export const resourceclaimsV1alpha3 = (context: KindContext) =>
  alsoIn('v1alpha3', resourceclaims(context), v1alpha3.of(ResourceClaim));
