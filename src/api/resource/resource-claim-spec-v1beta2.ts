import { list } from '../../schema/collections.ts';
import { bool, int64, string } from '../../schema/scalars.ts';
import { field, type Infer, optional, struct } from '../../schema/struct.ts';
import { DeviceSelector, DeviceToleration, deviceAllocationMode } from './device-parts.ts';
import { DeviceClaimConfiguration, DeviceConstraint } from './resource-claim-spec.ts';
import { v1beta2 } from './versions.ts';

export const ExactDeviceRequestV1beta2 = struct('resource/v1beta2.ExactDeviceRequest', {
  deviceClassName: field(1, string, { required: true }),
  selectors: field(2, list(v1beta2.of(DeviceSelector), { type: 'atomic' })),
  allocationMode: field(3, v1beta2.of(deviceAllocationMode)),
  count: field(4, int64),
  adminAccess: field(5, optional(bool)),
  tolerations: field(6, list(v1beta2.of(DeviceToleration), { type: 'atomic' })),
});
export type ExactDeviceRequestV1beta2 = Infer<typeof ExactDeviceRequestV1beta2>;

export const DeviceSubRequestV1beta2 = struct('resource/v1beta2.DeviceSubRequest', {
  name: field(1, string, { required: true }),
  deviceClassName: field(2, string, { required: true }),
  selectors: field(3, list(v1beta2.of(DeviceSelector), { type: 'atomic' })),
  allocationMode: field(4, v1beta2.of(deviceAllocationMode)),
  count: field(5, int64),
  tolerations: field(6, list(v1beta2.of(DeviceToleration), { type: 'atomic' })),
});
export type DeviceSubRequestV1beta2 = Infer<typeof DeviceSubRequestV1beta2>;

export const DeviceRequestV1beta2 = struct('resource/v1beta2.DeviceRequest', {
  name: field(1, string, { required: true }),
  exactly: field(2, optional(ExactDeviceRequestV1beta2)),
  firstAvailable: field(3, list(DeviceSubRequestV1beta2, { type: 'atomic' })),
});
export type DeviceRequestV1beta2 = Infer<typeof DeviceRequestV1beta2>;

export const DeviceClaimV1beta2 = struct('resource/v1beta2.DeviceClaim', {
  requests: field(1, list(DeviceRequestV1beta2, { type: 'atomic' }), { alwaysWritten: true }),
  constraints: field(2, list(v1beta2.of(DeviceConstraint), { type: 'atomic' })),
  config: field(3, list(v1beta2.of(DeviceClaimConfiguration), { type: 'atomic' })),
});
export type DeviceClaimV1beta2 = Infer<typeof DeviceClaimV1beta2>;

export const ResourceClaimSpecV1beta2 = struct('resource/v1beta2.ResourceClaimSpec', {
  devices: field(1, DeviceClaimV1beta2),
});
export type ResourceClaimSpecV1beta2 = Infer<typeof ResourceClaimSpecV1beta2>;
