// Schema of ResourceClaimStatus.

import { Condition } from '../../kind/meta/condition.ts';
import { list } from '../../schema/collections.ts';
import { rawExtension } from '../../schema/raw.ts';
import { bool, named, string } from '../../schema/scalars.ts';
import { field, type Infer, inline, optional, struct } from '../../schema/struct.ts';
import { NodeSelector } from '../core/node-selector.ts';
import { DeviceConfiguration, DeviceToleration } from './device-parts.ts';

export const DeviceRequestAllocationResult = struct(
  'resource/v1beta1.DeviceRequestAllocationResult',
  {
    request: field(1, string, {
      required: true,
      doc: 'The request it is for, or `<request>/<alternative>`.',
    }),
    driver: field(2, string, { required: true, doc: 'The driver of the device.' }),
    pool: field(3, string, { required: true, doc: 'The pool that the device is in.' }),
    device: field(4, string, { required: true, doc: 'The device, by its name in the pool.' }),
    adminAccess: field(5, optional(bool), {
      alwaysWritten: true,
      doc: 'The device is only looked at: others may have it.',
    }),
    tolerations: field(6, list(DeviceToleration, { type: 'atomic' }), {
      doc: 'The tolerations of the request at the time of allocation.',
    }),
  },
  { doc: 'A device that was allocated.' },
);
export type DeviceRequestAllocationResult = Infer<typeof DeviceRequestAllocationResult>;

export const DeviceAllocationConfiguration = struct(
  'resource/v1beta1.DeviceAllocationConfiguration',
  {
    source: field(1, named('resource/v1beta1.AllocationConfigSource', string), {
      required: true,
      doc: 'Where it comes from: FromClass or FromClaim.',
    }),
    requests: field(2, list(string, { type: 'atomic' }), {
      doc: 'The requests it is for; without any, all.',
    }),
    ...inline(3, DeviceConfiguration),
  },
  { doc: 'How allocated devices are to be set up.' },
);
export type DeviceAllocationConfiguration = Infer<typeof DeviceAllocationConfiguration>;

const DeviceAllocationResult = struct(
  'resource/v1beta1.DeviceAllocationResult',
  {
    results: field(1, list(DeviceRequestAllocationResult, { type: 'atomic' }), {
      doc: 'The devices, at most 32.',
    }),
    config: field(2, list(DeviceAllocationConfiguration, { type: 'atomic' }), {
      doc: 'How they are to be set up: by their classes first, then by the claim.',
    }),
  },
  { doc: 'The devices that were allocated.' },
);

export const AllocationResult = struct(
  'resource/v1beta1.AllocationResult',
  {
    devices: field(1, DeviceAllocationResult, { doc: 'The devices.' }),
    nodeSelector: field(3, optional(NodeSelector), {
      doc: 'The nodes where they can be had; without it, everywhere.',
    }),
  },
  { doc: 'What was allocated for a claim.' },
);
export type AllocationResult = Infer<typeof AllocationResult>;

export const ResourceClaimConsumerReference = struct(
  'resource/v1beta1.ResourceClaimConsumerReference',
  {
    apiGroup: field(1, string, { doc: 'The group of the resource; empty for the core group.' }),
    resource: field(3, string, { required: true, doc: 'The resource, such as `pods`.' }),
    name: field(4, string, { required: true, doc: 'The object.' }),
    uid: field(5, named('types.UID', string), { required: true, doc: 'Its uid.' }),
  },
  { doc: 'Somebody who may use a claim.' },
);
export type ResourceClaimConsumerReference = Infer<typeof ResourceClaimConsumerReference>;

export const NetworkDeviceData = struct(
  'resource/v1beta1.NetworkDeviceData',
  {
    interfaceName: field(1, string, { doc: 'The network interface, at most 256 characters.' }),
    ips: field(2, list(string, { type: 'atomic' }), {
      doc: 'Its addresses with the length of their prefix: `10.9.8.7/24`.',
    }),
    hardwareAddress: field(3, string, { doc: 'Its hardware address, at most 128 characters.' }),
  },
  { doc: 'What is known of an allocated network device.' },
);
export type NetworkDeviceData = Infer<typeof NetworkDeviceData>;

export const AllocatedDeviceStatus = struct(
  'resource/v1beta1.AllocatedDeviceStatus',
  {
    driver: field(1, string, { required: true, doc: 'The driver of the device.' }),
    pool: field(2, string, { required: true, doc: 'The pool that it is in.' }),
    device: field(3, string, { required: true, doc: 'Its name in the pool.' }),
    conditions: field(4, list(Condition, { type: 'map', keys: ['type'] }), {
      alwaysWritten: true,
      doc: 'How the device is doing, at most 8.',
    }),
    data: field(5, optional(rawExtension), { doc: 'What its driver wants to be known, at most 10 Ki.' }),
    networkData: field(6, optional(NetworkDeviceData), { doc: 'What is known of it as a network device.' }),
  },
  { doc: 'How an allocated device is doing, by its driver.' },
);
export type AllocatedDeviceStatus = Infer<typeof AllocatedDeviceStatus>;

export const ResourceClaimStatus = struct(
  'resource/v1beta1.ResourceClaimStatus',
  {
    allocation: field(1, optional(AllocationResult), {
      doc: 'What was allocated. Once there it does not change, but it may be taken back.',
    }),
    reservedFor: field(
      2,
      list(ResourceClaimConsumerReference, { type: 'map', keys: ['uid'], patch: 'merge', patchKey: 'uid' }),
      { doc: 'Who may use the claim, at most 256. Only what is allocated can be reserved.' },
    ),
    devices: field(4, list(AllocatedDeviceStatus, { type: 'map', keys: ['driver', 'device', 'pool'] }), {
      doc: 'How the allocated devices are doing.',
    }),
  },
  { doc: 'What has become of a claim.' },
);
export type ResourceClaimStatus = Infer<typeof ResourceClaimStatus>;
