// ResourceClaimStatus: schema.

import { Condition } from '../../kind/meta/condition.ts';
import { list, rawExtension } from '../../schema/collections.ts';
import { bool, named, string } from '../../schema/scalars.ts';
import { field, type Infer, inline, optional, struct } from '../../schema/struct.ts';
import { NodeSelector } from '../core/node-selector.ts';
import { DeviceConfiguration, DeviceToleration } from './device-parts.ts';

export const DeviceRequestAllocationResult = struct(
  'resource/v1beta1.DeviceRequestAllocationResult',
  {
    request: field(1, string, {
      required: true,
      doc: 'The name of the request, or `<request>/<subrequest>`.',
    }),
    driver: field(2, string, { required: true, doc: 'The driver of the device.' }),
    pool: field(3, string, { required: true, doc: 'The pool of the device.' }),
    device: field(4, string, { required: true, doc: 'The name of the device in its pool.' }),
    adminAccess: field(5, optional(bool), {
      omitEmpty: false,
      doc: 'Whether the device was allocated for administrative access, so that other claims can use it too.',
    }),
    tolerations: field(6, list(DeviceToleration, { type: 'atomic' }), {
      doc: 'The tolerations of the request at the time of allocation.',
    }),
  },
  { doc: 'A device that is allocated for a request.' },
);
export type DeviceRequestAllocationResult = Infer<typeof DeviceRequestAllocationResult>;

export const DeviceAllocationConfiguration = struct(
  'resource/v1beta1.DeviceAllocationConfiguration',
  {
    source: field(1, named('resource/v1beta1.AllocationConfigSource', string), {
      required: true,
      doc: 'The origin of the configuration: FromClass or FromClaim.',
    }),
    requests: field(2, list(string, { type: 'atomic' }), {
      doc: 'The requests that the configuration applies to. If empty, all requests.',
    }),
    ...inline(3, DeviceConfiguration),
  },
  { doc: 'A configuration of allocated devices.' },
);
export type DeviceAllocationConfiguration = Infer<typeof DeviceAllocationConfiguration>;

const DeviceAllocationResult = struct(
  'resource/v1beta1.DeviceAllocationResult',
  {
    results: field(1, list(DeviceRequestAllocationResult, { type: 'atomic' }), {
      doc: 'The allocated devices, at most 32.',
    }),
    config: field(2, list(DeviceAllocationConfiguration, { type: 'atomic' }), {
      doc: 'The configuration of the devices: that of the classes first, then that of the claim.',
    }),
  },
  { doc: 'The allocated devices and their configuration.' },
);

export const AllocationResult = struct(
  'resource/v1beta1.AllocationResult',
  {
    devices: field(1, DeviceAllocationResult, { doc: 'The allocated devices.' }),
    nodeSelector: field(3, optional(NodeSelector), {
      doc: 'The nodes from which the devices are accessible. Absent: all nodes.',
    }),
  },
  { doc: 'The result of allocating a claim.' },
);
export type AllocationResult = Infer<typeof AllocationResult>;

export const ResourceClaimConsumerReference = struct(
  'resource/v1beta1.ResourceClaimConsumerReference',
  {
    apiGroup: field(1, string, { doc: 'The API group of the resource. Empty for the core group.' }),
    resource: field(3, string, { required: true, doc: 'The resource name, such as `pods`.' }),
    name: field(4, string, { required: true, doc: 'The name of the consumer.' }),
    uid: field(5, named('types.UID', string), { required: true, doc: 'The UID of the consumer.' }),
  },
  { doc: 'A reference to a consumer of a claim, usually a pod.' },
);
export type ResourceClaimConsumerReference = Infer<typeof ResourceClaimConsumerReference>;

export const NetworkDeviceData = struct(
  'resource/v1beta1.NetworkDeviceData',
  {
    interfaceName: field(1, string, { doc: 'The name of the network interface, at most 256 characters.' }),
    ips: field(2, list(string, { type: 'atomic' }), {
      doc: 'IP addresses with prefix length, such as `10.9.8.7/24`.',
    }),
    hardwareAddress: field(3, string, { doc: 'The hardware (MAC) address, at most 128 characters.' }),
  },
  { doc: 'The network properties of an allocated device.' },
);
export type NetworkDeviceData = Infer<typeof NetworkDeviceData>;

export const AllocatedDeviceStatus = struct(
  'resource/v1beta1.AllocatedDeviceStatus',
  {
    driver: field(1, string, { required: true, doc: 'The driver of the device.' }),
    pool: field(2, string, { required: true, doc: 'The pool of the device.' }),
    device: field(3, string, { required: true, doc: 'The name of the device in its pool.' }),
    conditions: field(4, list(Condition, { type: 'map', keys: ['type'] }), {
      omitEmpty: false,
      doc: 'The observed conditions of the device, at most 8.',
    }),
    data: field(5, optional(rawExtension), { doc: 'Driver-specific data, at most 10 Ki.' }),
    networkData: field(6, optional(NetworkDeviceData), { doc: 'The network properties of the device.' }),
  },
  { doc: 'The status of an allocated device, reported by its driver.' },
);
export type AllocatedDeviceStatus = Infer<typeof AllocatedDeviceStatus>;

export const ResourceClaimStatus = struct(
  'resource/v1beta1.ResourceClaimStatus',
  {
    allocation: field(1, optional(AllocationResult), {
      doc: 'The allocation result. Immutable once set, but it can be removed.',
    }),
    reservedFor: field(
      2,
      list(ResourceClaimConsumerReference, { type: 'map', keys: ['uid'], patch: 'merge', patchKey: 'uid' }),
      { doc: 'The consumers that may use the claim, at most 256. Only an allocated claim can be reserved.' },
    ),
    devices: field(4, list(AllocatedDeviceStatus, { type: 'map', keys: ['driver', 'device', 'pool'] }), {
      doc: 'The status of the allocated devices.',
    }),
  },
  { doc: 'The current status of a ResourceClaim.' },
);
export type ResourceClaimStatus = Infer<typeof ResourceClaimStatus>;
