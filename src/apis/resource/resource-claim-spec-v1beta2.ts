// ResourceClaimSpec v1beta2: schema.

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
    deviceClassName: field(1, string, { required: true, doc: 'The name of the DeviceClass of the devices.' }),
    selectors: field(2, selectors, { doc: 'Further requirements on the devices. All must be satisfied.' }),
    allocationMode: field(3, allocationMode, {
      doc: 'ExactCount allocates `count` devices; All allocates all matching devices.',
    }),
    count: field(4, int64, { doc: 'The number of devices for ExactCount. Defaults to 1.' }),
    adminAccess: field(5, optional(bool), {
      doc: 'Requests administrative access: devices that are in use can be allocated too. Only in namespaces with the admin access label.',
    }),
    tolerations: field(6, tolerations, { doc: 'The device taints that the request tolerates.' }),
  },
  { doc: 'A request for devices of one class.', defaults: defaultAllocation },
);
export type ExactDeviceRequestV1beta2 = Infer<typeof ExactDeviceRequestV1beta2>;

export const DeviceSubRequestV1beta2 = struct(
  'resource/v1beta2.DeviceSubRequest',
  {
    name: field(1, string, {
      required: true,
      doc: 'The name of the subrequest, which constraints and configurations refer to as `<request>/<name>`.',
    }),
    deviceClassName: field(2, string, { required: true, doc: 'The name of the DeviceClass of the devices.' }),
    selectors: field(3, selectors, { doc: 'Further requirements on the devices. All must be satisfied.' }),
    allocationMode: field(4, allocationMode, {
      doc: 'ExactCount allocates `count` devices; All allocates all matching devices.',
    }),
    count: field(5, int64, { doc: 'The number of devices for ExactCount. Defaults to 1.' }),
    tolerations: field(6, tolerations, { doc: 'The device taints that the request tolerates.' }),
  },
  { doc: 'An alternative of a device request.', defaults: defaultAllocation },
);
export type DeviceSubRequestV1beta2 = Infer<typeof DeviceSubRequestV1beta2>;

export const DeviceRequestV1beta2 = struct(
  'resource/v1beta2.DeviceRequest',
  {
    name: field(1, string, {
      required: true,
      doc: 'The name of the request, which pods, constraints and configurations refer to.',
    }),
    exactly: field(2, optional(ExactDeviceRequestV1beta2), {
      doc: 'A request for devices of one class. Mutually exclusive with `firstAvailable`.',
    }),
    firstAvailable: field(3, list(DeviceSubRequestV1beta2, { type: 'atomic' }), {
      doc: 'Alternatives in order of preference, at most 8. The first that can be satisfied is used.',
    }),
  },
  { doc: 'A request for devices.' },
);
export type DeviceRequestV1beta2 = Infer<typeof DeviceRequestV1beta2>;

export const DeviceClaimV1beta2 = struct(
  'resource/v1beta2.DeviceClaim',
  {
    requests: field(1, list(DeviceRequestV1beta2, { type: 'atomic' }), {
      omitEmpty: false,
      doc: 'The device requests, at most 32. All must be satisfied. If empty, the claim allocates nothing.',
    }),
    constraints: field(2, list(v1beta2.of(DeviceConstraint), { type: 'atomic' }), {
      doc: 'Constraints across the devices of several requests.',
    }),
    config: field(3, list(v1beta2.of(DeviceClaimConfiguration), { type: 'atomic' }), {
      doc: 'The configuration of the devices.',
    }),
  },
  { doc: 'The requested devices, their constraints and configuration.' },
);
export type DeviceClaimV1beta2 = Infer<typeof DeviceClaimV1beta2>;

export const ResourceClaimSpecV1beta2 = struct(
  'resource/v1beta2.ResourceClaimSpec',
  { devices: field(1, DeviceClaimV1beta2, { doc: 'The requested devices.' }) },
  { doc: 'The specification of a ResourceClaim. Immutable.' },
);
export type ResourceClaimSpecV1beta2 = Infer<typeof ResourceClaimSpecV1beta2>;

export const ResourceClaimTemplateSpecV1beta2 = struct(
  'resource/v1beta2.ResourceClaimTemplateSpec',
  {
    metadata: field(1, ObjectMeta, {
      doc: 'Labels and annotations of the claims. No other field is allowed.',
    }),
    spec: field(2, ResourceClaimSpecV1beta2, {
      required: true,
      doc: 'The specification of the claims, copied unchanged.',
    }),
  },
  { doc: 'The metadata and specification of the generated claims. Immutable.' },
);
export type ResourceClaimTemplateSpecV1beta2 = Infer<typeof ResourceClaimTemplateSpecV1beta2>;
