import { list } from '../../schema/collections.ts';
import { rawExtension } from '../../schema/raw.ts';
import { bool, named, string } from '../../schema/scalars.ts';
import { field, type Infer, inline, optional, struct } from '../../schema/struct.ts';
import type { KindContext } from '../context.ts';
import { NodeSelector } from '../core/node-selector.ts';
import { Condition } from '../meta/condition.ts';
import { kind } from '../meta/kind.ts';
import { plainStrategy, statusOf } from '../plain-strategy.ts';
import { resource } from '../resource.ts';
import { alsoIn } from '../versions.ts';
import { DeviceConfiguration, DeviceToleration } from './device-parts.ts';
import { ResourceClaimSpec } from './resource-claim-spec.ts';
import { v1alpha3 } from './versions.ts';

export const DeviceRequestAllocationResult = struct('resource/v1beta1.DeviceRequestAllocationResult', {
  request: field(1, string, { required: true }),
  driver: field(2, string, { required: true }),
  pool: field(3, string, { required: true }),
  device: field(4, string, { required: true }),
  adminAccess: field(5, optional(bool), { alwaysWritten: true }),
  tolerations: field(6, list(DeviceToleration, { type: 'atomic' })),
});
export type DeviceRequestAllocationResult = Infer<typeof DeviceRequestAllocationResult>;

export const DeviceAllocationConfiguration = struct('resource/v1beta1.DeviceAllocationConfiguration', {
  source: field(1, named('resource/v1beta1.AllocationConfigSource', string), { required: true }),
  requests: field(2, list(string, { type: 'atomic' })),
  ...inline(3, DeviceConfiguration),
});
export type DeviceAllocationConfiguration = Infer<typeof DeviceAllocationConfiguration>;

export const DeviceAllocationResult = struct('resource/v1beta1.DeviceAllocationResult', {
  results: field(1, list(DeviceRequestAllocationResult, { type: 'atomic' })),
  config: field(2, list(DeviceAllocationConfiguration, { type: 'atomic' })),
});
export type DeviceAllocationResult = Infer<typeof DeviceAllocationResult>;

export const AllocationResult = struct('resource/v1beta1.AllocationResult', {
  devices: field(1, DeviceAllocationResult),
  nodeSelector: field(3, optional(NodeSelector)),
});
export type AllocationResult = Infer<typeof AllocationResult>;

export const ResourceClaimConsumerReference = struct('resource/v1beta1.ResourceClaimConsumerReference', {
  apiGroup: field(1, string),
  resource: field(3, string, { required: true }),
  name: field(4, string, { required: true }),
  uid: field(5, named('types.UID', string), { required: true }),
});
export type ResourceClaimConsumerReference = Infer<typeof ResourceClaimConsumerReference>;

export const NetworkDeviceData = struct('resource/v1beta1.NetworkDeviceData', {
  interfaceName: field(1, string),
  ips: field(2, list(string, { type: 'atomic' })),
  hardwareAddress: field(3, string),
});
export type NetworkDeviceData = Infer<typeof NetworkDeviceData>;

export const AllocatedDeviceStatus = struct('resource/v1beta1.AllocatedDeviceStatus', {
  driver: field(1, string, { required: true }),
  pool: field(2, string, { required: true }),
  device: field(3, string, { required: true }),
  conditions: field(4, list(Condition, { type: 'map', keys: ['type'] }), { alwaysWritten: true }),
  data: field(5, optional(rawExtension)),
  networkData: field(6, optional(NetworkDeviceData)),
});
export type AllocatedDeviceStatus = Infer<typeof AllocatedDeviceStatus>;

export const ResourceClaimStatus = struct('resource/v1beta1.ResourceClaimStatus', {
  allocation: field(1, optional(AllocationResult)),
  reservedFor: field(
    2,
    list(ResourceClaimConsumerReference, { type: 'map', keys: ['uid'], patch: 'merge', patchKey: 'uid' }),
  ),
  devices: field(4, list(AllocatedDeviceStatus, { type: 'map', keys: ['driver', 'device', 'pool'] })),
});
export type ResourceClaimStatus = Infer<typeof ResourceClaimStatus>;

export const ResourceClaim = kind(
  'resource/v1beta1.ResourceClaim',
  {
    spec: field(2, ResourceClaimSpec, { required: true }),
    status: field(3, ResourceClaimStatus),
  },
  { doc: '' },
);
export type ResourceClaim = Infer<typeof ResourceClaim>;

export const resourceclaims = (context: KindContext) =>
  resource<ResourceClaim>({
    group: 'resource',
    version: 'v1beta1',
    kind: 'ResourceClaim',
    plural: 'resourceclaims',
    schema: ResourceClaim,
    strategy: { ...plainStrategy(context, ResourceClaim), deleteReturnsObject: true },
    subresources: { status: statusOf(context, ResourceClaim) },
  });

export const resourceclaimsV1alpha3 = (context: KindContext) =>
  alsoIn('v1alpha3', resourceclaims(context), v1alpha3.of(ResourceClaim));
