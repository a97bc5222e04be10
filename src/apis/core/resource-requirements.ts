// ResourceRequirements, VolumeResourceRequirements and ResourceClaim: schemas.
import { list } from '../../schema/collections.ts';
import { string } from '../../schema/scalars.ts';
import { field, type Infer, struct } from '../../schema/struct.ts';
import { resourceList } from './resource-list.ts';

export const VolumeResourceRequirements = struct(
  'core/v1.VolumeResourceRequirements',
  {
    limits: field(1, resourceList, { doc: 'The maximum amount of each resource.' }),
    requests: field(2, resourceList, { doc: 'The minimum amount of each resource.' }),
  },
  { doc: 'The storage requirements of a volume.' },
);
export type VolumeResourceRequirements = Infer<typeof VolumeResourceRequirements>;

export const ResourceClaim = struct(
  'core/v1.ResourceClaim',
  {
    name: field(1, string, { required: true, doc: "The name of an entry in the pod's `resourceClaims`." }),
    request: field(2, string, {
      doc: 'The name of a request in the claim. If absent, everything in the claim is available to the container.',
    }),
  },
  { doc: 'A reference to a ResourceClaim that a container uses.' },
);
export type ResourceClaim = Infer<typeof ResourceClaim>;

export const ResourceRequirements = struct(
  'core/v1.ResourceRequirements',
  {
    limits: field(1, resourceList, { doc: 'The maximum amount of each resource.' }),
    requests: field(2, resourceList, {
      doc: 'The minimum amount of each resource. Defaults to `limits`.',
    }),
    claims: field(3, list(ResourceClaim, { type: 'map', keys: ['name'] }), {
      doc: 'The ResourceClaims of the pod that the container uses.',
    }),
  },
  { doc: 'The resource requirements of a container or pod.' },
);
export type ResourceRequirements = Infer<typeof ResourceRequirements>;
