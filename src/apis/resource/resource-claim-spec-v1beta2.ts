// Schema of ResourceClaimSpec v1beta2.

import { ObjectMeta } from '../../kind/meta/object-meta.ts';
import { list } from '../../schema/collections.ts';
import { bool, int64, string } from '../../schema/scalars.ts';
import { field, type Infer, optional, struct } from '../../schema/struct.ts';
import { defaultAllocation } from './allocation-defaults.ts';
import { DeviceSelector, DeviceToleration, deviceAllocationMode } from './device-parts.ts';
import { DeviceClaimConfiguration, DeviceConstraint } from './resource-claim-spec.ts';
import { v1beta2 } from './versions.ts';

const selectors = list(v1beta2.of(DeviceSelector), { type: 'atomic' });
const tolerations = list(v1beta2.of(DeviceToleration), { type: 'atomic' });
const allocationMode = v1beta2.of(deviceAllocationMode);

export const ExactDeviceRequestV1beta2 = struct(
  'resource/v1beta2.ExactDeviceRequest',
  {
    deviceClassName: field(1, string, { required: true, doc: 'The class that the device must belong to.' }),
    selectors: field(2, selectors, { doc: 'What else the device must be like: all of these.' }),
    allocationMode: field(3, allocationMode, {
      doc: 'ExactCount: so many devices. All: every one that fits.',
    }),
    count: field(4, int64, { doc: 'How many, with ExactCount; 1 unless given.' }),
    adminAccess: field(5, optional(bool), {
      doc: 'Devices are looked at, not taken: they may be in use. Only in namespaces that are labelled for it.',
    }),
    tolerations: field(6, tolerations, { doc: 'The taints that are put up with.' }),
  },
  { doc: 'A wish for devices of one class.', defaults: defaultAllocation },
);
export type ExactDeviceRequestV1beta2 = Infer<typeof ExactDeviceRequestV1beta2>;

export const DeviceSubRequestV1beta2 = struct(
  'resource/v1beta2.DeviceSubRequest',
  {
    name: field(1, string, {
      required: true,
      doc: 'Constraints and configurations call it `<request>/<name>`.',
    }),
    deviceClassName: field(2, string, { required: true, doc: 'The class that the device must belong to.' }),
    selectors: field(3, selectors, { doc: 'What else the device must be like: all of these.' }),
    allocationMode: field(4, allocationMode, {
      doc: 'ExactCount: so many devices. All: every one that fits.',
    }),
    count: field(5, int64, { doc: 'How many, with ExactCount; 1 unless given.' }),
    tolerations: field(6, tolerations, { doc: 'The taints that are put up with.' }),
  },
  { doc: 'One of the alternatives of a request.', defaults: defaultAllocation },
);
export type DeviceSubRequestV1beta2 = Infer<typeof DeviceSubRequestV1beta2>;

export const DeviceRequestV1beta2 = struct(
  'resource/v1beta2.DeviceRequest',
  {
    name: field(1, string, {
      required: true,
      doc: 'Constraints, configurations and pods call it by this name.',
    }),
    exactly: field(2, optional(ExactDeviceRequestV1beta2), {
      doc: 'What is wished for. Either this or `firstAvailable`.',
    }),
    firstAvailable: field(3, list(DeviceSubRequestV1beta2, { type: 'atomic' }), {
      doc: 'Alternatives, at most 8: the first that can be had is taken.',
    }),
  },
  { doc: 'A wish for devices.' },
);
export type DeviceRequestV1beta2 = Infer<typeof DeviceRequestV1beta2>;

export const DeviceClaimV1beta2 = struct(
  'resource/v1beta2.DeviceClaim',
  {
    requests: field(1, list(DeviceRequestV1beta2, { type: 'atomic' }), {
      alwaysWritten: true,
      doc: 'The wishes, at most 32: each must come true. Without any the claim is empty.',
    }),
    constraints: field(2, list(v1beta2.of(DeviceConstraint), { type: 'atomic' }), {
      doc: 'What must hold across requests.',
    }),
    config: field(3, list(v1beta2.of(DeviceClaimConfiguration), { type: 'atomic' }), {
      doc: 'How the devices are to be set up.',
    }),
  },
  { doc: 'What devices are claimed.' },
);
export type DeviceClaimV1beta2 = Infer<typeof DeviceClaimV1beta2>;

export const ResourceClaimSpecV1beta2 = struct(
  'resource/v1beta2.ResourceClaimSpec',
  { devices: field(1, DeviceClaimV1beta2, { doc: 'The devices that are claimed.' }) },
  { doc: 'What is claimed. It never changes.' },
);
export type ResourceClaimSpecV1beta2 = Infer<typeof ResourceClaimSpecV1beta2>;

export const ResourceClaimTemplateSpecV1beta2 = struct(
  'resource/v1beta2.ResourceClaimTemplateSpec',
  {
    metadata: field(1, ObjectMeta, {
      doc: 'The labels and annotations that the claims get. Nothing else may be set.',
    }),
    spec: field(2, ResourceClaimSpecV1beta2, { required: true, doc: 'What the claims claim.' }),
  },
  { doc: 'What claims made from the template are like. It never changes.' },
);
export type ResourceClaimTemplateSpecV1beta2 = Infer<typeof ResourceClaimTemplateSpecV1beta2>;
