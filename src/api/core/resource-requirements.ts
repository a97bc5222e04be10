import { list } from '../../schema/collections.ts';
import { string } from '../../schema/scalars.ts';
import { field, type Infer, struct } from '../../schema/struct.ts';
import { resourceList } from './resource-list.ts';

export const VolumeResourceRequirements = struct('core/v1.VolumeResourceRequirements', {
  limits: field(1, resourceList),
  requests: field(2, resourceList),
});
export type VolumeResourceRequirements = Infer<typeof VolumeResourceRequirements>;

export const ResourceClaim = struct('core/v1.ResourceClaim', {
  name: field(1, string, { required: true }),
  request: field(2, string),
});
export type ResourceClaim = Infer<typeof ResourceClaim>;

export const ResourceRequirements = struct('core/v1.ResourceRequirements', {
  limits: field(1, resourceList),
  requests: field(2, resourceList),
  claims: field(3, list(ResourceClaim, { type: 'map', keys: ['name'] })),
});
export type ResourceRequirements = Infer<typeof ResourceRequirements>;
