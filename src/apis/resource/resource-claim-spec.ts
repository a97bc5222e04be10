// ResourceClaimSpec v1beta1: schema.

import { list } from '../../schema/collections.ts';
import { bool, int64, named, string } from '../../schema/scalars.ts';
import { field, type Infer, inline, optional, struct } from '../../schema/struct.ts';
import { defaultAllocation } from './allocation-defaults.ts';
import {
  DeviceConfiguration,
  DeviceSelector,
  DeviceToleration,
  deviceAllocationMode,
} from './device-parts.ts';

export const DeviceSubRequest = struct(
  'resource/v1beta1.DeviceSubRequest',
  {
    name: field(1, string, {
      required: true,
      doc: 'The name of the subrequest, which constraints and configurations refer to as `<request>/<name>`.',
    }),
    deviceClassName: field(2, string, { required: true, doc: 'The name of the DeviceClass of the devices.' }),
    selectors: field(3, list(DeviceSelector, { type: 'atomic' }), {
      doc: 'Further requirements on the devices. All must be satisfied.',
    }),
    allocationMode: field(4, deviceAllocationMode, {
      doc: 'ExactCount allocates `count` devices; All allocates all matching devices.',
    }),
    count: field(5, int64, { doc: 'The number of devices for ExactCount. Defaults to 1.' }),
    tolerations: field(7, list(DeviceToleration, { type: 'atomic' }), {
      doc: 'The device taints that the request tolerates.',
    }),
  },
  { doc: 'An alternative of a device request.', defaults: defaultAllocation },
);
export type DeviceSubRequest = Infer<typeof DeviceSubRequest>;

export const DeviceRequest = struct(
  'resource/v1beta1.DeviceRequest',
  {
    name: field(1, string, {
      required: true,
      doc: 'The name of the request, which pods, constraints and configurations refer to.',
    }),
    deviceClassName: field(2, string, {
      omitEmpty: false,
      doc: 'The name of the DeviceClass of the devices. Mutually exclusive with `firstAvailable`.',
    }),
    selectors: field(3, list(DeviceSelector, { type: 'atomic' }), {
      doc: 'Further requirements on the devices. All must be satisfied.',
    }),
    allocationMode: field(4, deviceAllocationMode, {
      doc: 'ExactCount allocates `count` devices; All allocates all matching devices.',
    }),
    count: field(5, int64, { doc: 'The number of devices for ExactCount. Defaults to 1.' }),
    adminAccess: field(6, optional(bool), {
      doc: 'Requests administrative access: devices that are in use can be allocated too. Only in namespaces with the admin access label.',
    }),
    firstAvailable: field(7, list(DeviceSubRequest, { type: 'atomic' }), {
      doc: 'Alternatives in order of preference, at most 8. The first that can be satisfied is used.',
    }),
    tolerations: field(8, list(DeviceToleration, { type: 'atomic' }), {
      doc: 'The device taints that the request tolerates.',
    }),
  },
  {
    doc: 'A request for devices.',
    defaults(request) {
      // A request without a class has only firstAvailable, whose alternatives have their own defaults.
      if (request.deviceClassName !== '') defaultAllocation(request);
    },
  },
);
export type DeviceRequest = Infer<typeof DeviceRequest>;

export const DeviceConstraint = struct(
  'resource/v1beta1.DeviceConstraint',
  {
    requests: field(1, list(string, { type: 'atomic' }), {
      doc: 'The requests that the constraint covers. If empty, all requests.',
    }),
    matchAttribute: field(2, optional(named('resource/v1beta1.FullyQualifiedName', string)), {
      doc: 'A qualified attribute `<domain>/<name>` that must have the same value on all covered devices. Required.',
    }),
  },
  { doc: 'A constraint across the devices of several requests.' },
);
export type DeviceConstraint = Infer<typeof DeviceConstraint>;

export const DeviceClaimConfiguration = struct(
  'resource/v1beta1.DeviceClaimConfiguration',
  {
    requests: field(1, list(string, { type: 'atomic' }), {
      doc: 'The requests that the configuration applies to. If empty, all requests.',
    }),
    ...inline(2, DeviceConfiguration),
  },
  { doc: 'The configuration of the devices of some requests.' },
);
export type DeviceClaimConfiguration = Infer<typeof DeviceClaimConfiguration>;

const DeviceClaim = struct(
  'resource/v1beta1.DeviceClaim',
  {
    requests: field(1, list(DeviceRequest, { type: 'atomic' }), {
      omitEmpty: false,
      doc: 'The device requests, at most 32. All must be satisfied. If empty, the claim allocates nothing.',
    }),
    constraints: field(2, list(DeviceConstraint, { type: 'atomic' }), {
      doc: 'Constraints across the devices of several requests.',
    }),
    config: field(3, list(DeviceClaimConfiguration, { type: 'atomic' }), {
      doc: 'The configuration of the devices.',
    }),
  },
  { doc: 'The requested devices, their constraints and configuration.' },
);

export const ResourceClaimSpec = struct(
  'resource/v1beta1.ResourceClaimSpec',
  { devices: field(1, DeviceClaim, { doc: 'The requested devices.' }) },
  { doc: 'The specification of a ResourceClaim. Immutable.' },
);
export type ResourceClaimSpec = Infer<typeof ResourceClaimSpec>;
