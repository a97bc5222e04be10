import { list } from '../../schema/collections.ts';
import { bool, int64, named, string } from '../../schema/scalars.ts';
import { field, type Infer, inline, optional, struct } from '../../schema/struct.ts';
import {
  DeviceConfiguration,
  DeviceSelector,
  DeviceToleration,
  deviceAllocationMode,
} from './device-parts.ts';

export const DeviceSubRequest = struct('resource/v1beta1.DeviceSubRequest', {
  name: field(1, string, { required: true }),
  deviceClassName: field(2, string, { required: true }),
  selectors: field(3, list(DeviceSelector, { type: 'atomic' })),
  allocationMode: field(4, deviceAllocationMode),
  count: field(5, int64),
  tolerations: field(7, list(DeviceToleration, { type: 'atomic' })),
});
export type DeviceSubRequest = Infer<typeof DeviceSubRequest>;

export const DeviceRequest = struct('resource/v1beta1.DeviceRequest', {
  name: field(1, string, { required: true }),
  deviceClassName: field(2, string, { alwaysWritten: true }),
  selectors: field(3, list(DeviceSelector, { type: 'atomic' })),
  allocationMode: field(4, deviceAllocationMode),
  count: field(5, int64),
  adminAccess: field(6, optional(bool)),
  firstAvailable: field(7, list(DeviceSubRequest, { type: 'atomic' })),
  tolerations: field(8, list(DeviceToleration, { type: 'atomic' })),
});
export type DeviceRequest = Infer<typeof DeviceRequest>;

export const DeviceConstraint = struct('resource/v1beta1.DeviceConstraint', {
  requests: field(1, list(string, { type: 'atomic' })),
  matchAttribute: field(2, optional(named('resource/v1beta1.FullyQualifiedName', string))),
});
export type DeviceConstraint = Infer<typeof DeviceConstraint>;

export const DeviceClaimConfiguration = struct('resource/v1beta1.DeviceClaimConfiguration', {
  requests: field(1, list(string, { type: 'atomic' })),
  ...inline(2, DeviceConfiguration),
});
export type DeviceClaimConfiguration = Infer<typeof DeviceClaimConfiguration>;

export const DeviceClaim = struct('resource/v1beta1.DeviceClaim', {
  requests: field(1, list(DeviceRequest, { type: 'atomic' }), { alwaysWritten: true }),
  constraints: field(2, list(DeviceConstraint, { type: 'atomic' })),
  config: field(3, list(DeviceClaimConfiguration, { type: 'atomic' })),
});
export type DeviceClaim = Infer<typeof DeviceClaim>;

export const ResourceClaimSpec = struct('resource/v1beta1.ResourceClaimSpec', {
  devices: field(1, DeviceClaim),
});
export type ResourceClaimSpec = Infer<typeof ResourceClaimSpec>;
