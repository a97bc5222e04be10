// Schema of ResourceClaimSpec v1beta1.

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
      doc: 'Constraints and configurations call it `<request>/<name>`.',
    }),
    deviceClassName: field(2, string, { required: true, doc: 'The class that the device must belong to.' }),
    selectors: field(3, list(DeviceSelector, { type: 'atomic' }), {
      doc: 'What else the device must be like: all of these.',
    }),
    allocationMode: field(4, deviceAllocationMode, {
      doc: 'ExactCount: so many devices. All: every one that fits.',
    }),
    count: field(5, int64, { doc: 'How many, with ExactCount; 1 unless given.' }),
    tolerations: field(7, list(DeviceToleration, { type: 'atomic' }), {
      doc: 'The taints that are put up with.',
    }),
  },
  { doc: 'One of the alternatives of a request.', defaults: defaultAllocation },
);
export type DeviceSubRequest = Infer<typeof DeviceSubRequest>;

export const DeviceRequest = struct(
  'resource/v1beta1.DeviceRequest',
  {
    name: field(1, string, {
      required: true,
      doc: 'Constraints, configurations and pods call it by this name.',
    }),
    deviceClassName: field(2, string, {
      alwaysWritten: true,
      doc: 'The class that the device must belong to. Either this or `firstAvailable`.',
    }),
    selectors: field(3, list(DeviceSelector, { type: 'atomic' }), {
      doc: 'What else the device must be like: all of these.',
    }),
    allocationMode: field(4, deviceAllocationMode, {
      doc: 'ExactCount: so many devices. All: every one that fits.',
    }),
    count: field(5, int64, { doc: 'How many, with ExactCount; 1 unless given.' }),
    adminAccess: field(6, optional(bool), {
      doc: 'Devices are looked at, not taken: they may be in use. Only in namespaces that are labelled for it.',
    }),
    firstAvailable: field(7, list(DeviceSubRequest, { type: 'atomic' }), {
      doc: 'Alternatives, at most 8: the first that can be had is taken.',
    }),
    tolerations: field(8, list(DeviceToleration, { type: 'atomic' }), {
      doc: 'The taints that are put up with.',
    }),
  },
  {
    doc: 'A wish for devices.',
    defaults(request) {
      if (request.deviceClassName !== '') defaultAllocation(request);
    },
  },
);
export type DeviceRequest = Infer<typeof DeviceRequest>;

export const DeviceConstraint = struct(
  'resource/v1beta1.DeviceConstraint',
  {
    requests: field(1, list(string, { type: 'atomic' }), {
      doc: 'The requests it is about; without any, all.',
    }),
    matchAttribute: field(2, optional(named('resource/v1beta1.FullyQualifiedName', string)), {
      doc: 'An attribute, `<domain>/<name>`, that must be the same for all of their devices. Needed.',
    }),
  },
  { doc: 'What the devices of several requests must have in common.' },
);
export type DeviceConstraint = Infer<typeof DeviceConstraint>;

export const DeviceClaimConfiguration = struct(
  'resource/v1beta1.DeviceClaimConfiguration',
  {
    requests: field(1, list(string, { type: 'atomic' }), {
      doc: 'The requests it is for; without any, all.',
    }),
    ...inline(2, DeviceConfiguration),
  },
  { doc: 'How the devices of some requests are to be set up.' },
);
export type DeviceClaimConfiguration = Infer<typeof DeviceClaimConfiguration>;

const DeviceClaim = struct(
  'resource/v1beta1.DeviceClaim',
  {
    requests: field(1, list(DeviceRequest, { type: 'atomic' }), {
      alwaysWritten: true,
      doc: 'The wishes, at most 32: each must come true. Without any the claim is empty.',
    }),
    constraints: field(2, list(DeviceConstraint, { type: 'atomic' }), {
      doc: 'What must hold across requests.',
    }),
    config: field(3, list(DeviceClaimConfiguration, { type: 'atomic' }), {
      doc: 'How the devices are to be set up.',
    }),
  },
  { doc: 'What devices are claimed.' },
);

export const ResourceClaimSpec = struct(
  'resource/v1beta1.ResourceClaimSpec',
  { devices: field(1, DeviceClaim, { doc: 'The devices that are claimed.' }) },
  { doc: 'What is claimed. It never changes.' },
);
export type ResourceClaimSpec = Infer<typeof ResourceClaimSpec>;
