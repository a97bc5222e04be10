// ResourceSlice v1beta1: schema, and the types and descriptions that other versions share with it.

import { kind } from '../../kind/meta/kind.ts';
import { list, mapOf } from '../../schema/collections.ts';
import { quantity } from '../../schema/quantity-type.ts';
import { bool, int64, string } from '../../schema/scalars.ts';
import { field, type Infer, optional, struct } from '../../schema/struct.ts';
import { NodeSelector } from '../core/node-selector.ts';
import { DeviceTaint } from './device-parts.ts';

export const ResourcePool = struct(
  'resource/v1beta1.ResourcePool',
  {
    name: field(1, string, {
      required: true,
      doc: 'The name of the pool: DNS subdomains separated by slashes.',
    }),
    generation: field(2, int64, {
      required: true,
      doc: 'The generation of the pool. Slices of older generations are ignored.',
    }),
    resourceSliceCount: field(3, int64, {
      required: true,
      doc: 'The number of slices of the pool in this generation. The pool is incomplete until all exist.',
    }),
  },
  { doc: 'The pool that the devices of a slice belong to.' },
);
export type ResourcePool = Infer<typeof ResourcePool>;

export const DeviceAttribute = struct(
  'resource/v1beta1.DeviceAttribute',
  {
    int: field(2, optional(int64), { doc: 'An integer.' }),
    bool: field(3, optional(bool), { doc: 'A boolean.' }),
    string: field(4, optional(string), { doc: 'A string of at most 64 characters.' }),
    version: field(5, optional(string), {
      doc: 'A semantic version (semver.org 2.0.0) of at most 64 characters.',
    }),
  },
  { doc: 'The value of a device attribute: exactly one of the fields is set.' },
);
export type DeviceAttribute = Infer<typeof DeviceAttribute>;

export const DeviceCapacity = struct(
  'resource/v1beta1.DeviceCapacity',
  { value: field(1, quantity, { required: true, doc: 'The amount of the capacity.' }) },
  { doc: 'A capacity of a device.' },
);
export type DeviceCapacity = Infer<typeof DeviceCapacity>;

const Counter = struct(
  'resource/v1beta1.Counter',
  { value: field(1, quantity, { required: true, doc: 'The amount that is available or consumed.' }) },
  { doc: 'An amount of a shared counter.' },
);

export const DeviceCounterConsumption = struct(
  'resource/v1beta1.DeviceCounterConsumption',
  {
    counterSet: field(1, string, { required: true, doc: 'The name of the counter set.' }),
    counters: field(2, mapOf(Counter), {
      required: true,
      omitEmpty: true,
      doc: 'The amount of each counter that the device consumes.',
    }),
  },
  { doc: 'The counters that a device consumes while it is allocated.' },
);
export type DeviceCounterConsumption = Infer<typeof DeviceCounterConsumption>;

/** OpenAPI descriptions of the device fields, for all versions. */
export const deviceDocs = {
  attributes: 'The attributes by name, optionally with a domain. At most 32 together with the capacities.',
  capacity: 'The capacities by name, optionally with a domain.',
  consumesCounters: "The amounts of the slice's shared counters that the device consumes.",
  nodeName: 'The node of the device. Only if the slice sets perDeviceNodeSelection.',
  nodeSelector:
    'The nodes from which the device is accessible. Only if the slice sets perDeviceNodeSelection.',
  allNodes: 'Whether the device is accessible from all nodes. Only if the slice sets perDeviceNodeSelection.',
  taints: 'The taints of the device, at most 4.',
};

const BasicDevice = struct(
  'resource/v1beta1.BasicDevice',
  {
    attributes: field(1, mapOf(DeviceAttribute, { keyName: 'v1beta1.QualifiedName' }), {
      doc: deviceDocs.attributes,
    }),
    capacity: field(2, mapOf(DeviceCapacity, { keyName: 'v1beta1.QualifiedName' }), {
      doc: deviceDocs.capacity,
    }),
    consumesCounters: field(3, list(DeviceCounterConsumption, { type: 'atomic' }), {
      doc: deviceDocs.consumesCounters,
    }),
    nodeName: field(4, optional(string), { doc: deviceDocs.nodeName }),
    nodeSelector: field(5, optional(NodeSelector), { doc: deviceDocs.nodeSelector }),
    allNodes: field(6, optional(bool), { doc: deviceDocs.allNodes }),
    taints: field(7, list(DeviceTaint, { type: 'atomic' }), { doc: deviceDocs.taints }),
  },
  { doc: 'The properties of a device.' },
);

export const Device = struct(
  'resource/v1beta1.Device',
  {
    name: field(1, string, {
      required: true,
      doc: 'The name of the device: a DNS label, unique in the pool.',
    }),
    basic: field(2, optional(BasicDevice), { default: {}, doc: 'The properties of the device.' }),
  },
  { doc: 'A device that can be allocated.' },
);
export type Device = Infer<typeof Device>;

export const CounterSet = struct(
  'resource/v1beta1.CounterSet',
  {
    name: field(1, string, { required: true, doc: 'The name of the counter set: a DNS label.' }),
    counters: field(2, mapOf(Counter), {
      required: true,
      omitEmpty: true,
      doc: 'The available amount of each counter.',
    }),
  },
  { doc: 'Counters that devices of a slice share.' },
);
export type CounterSet = Infer<typeof CounterSet>;

/** OpenAPI descriptions of the ResourceSliceSpec fields, for all versions. */
export const sliceDocs = {
  driver: 'The driver of the devices: a DNS subdomain. Immutable.',
  pool: 'The pool that the devices belong to.',
  nodeName:
    'The node of the devices. Immutable. Exactly one of nodeName, nodeSelector, allNodes and perDeviceNodeSelection is set.',
  nodeSelector: 'The nodes from which the devices are accessible, as one term.',
  allNodes: 'Whether the devices are accessible from all nodes.',
  devices: 'The devices, at most 128.',
  perDeviceNodeSelection: 'Whether each device has its own node selection.',
  sharedCounters: 'Counters that the devices share, at most 32 in total.',
};

export const ResourceSliceSpec = struct(
  'resource/v1beta1.ResourceSliceSpec',
  {
    driver: field(1, string, { required: true, doc: sliceDocs.driver }),
    pool: field(2, ResourcePool, { required: true, doc: sliceDocs.pool }),
    nodeName: field(3, string, { doc: sliceDocs.nodeName }),
    nodeSelector: field(4, optional(NodeSelector), { doc: sliceDocs.nodeSelector }),
    allNodes: field(5, bool, { doc: sliceDocs.allNodes }),
    devices: field(6, list(Device, { type: 'atomic' }), { omitEmpty: false, doc: sliceDocs.devices }),
    perDeviceNodeSelection: field(7, optional(bool), { doc: sliceDocs.perDeviceNodeSelection }),
    sharedCounters: field(8, list(CounterSet, { type: 'atomic' }), { doc: sliceDocs.sharedCounters }),
  },
  { doc: 'The specification of a ResourceSlice: devices of one driver and pool.' },
);
export type ResourceSliceSpec = Infer<typeof ResourceSliceSpec>;

export const ResourceSlice = kind(
  'resource/v1beta1.ResourceSlice',
  {
    spec: field(2, ResourceSliceSpec, {
      required: true,
      doc: 'The published devices. Changes increment the generation.',
    }),
  },
  { doc: 'Devices that a driver publishes: a pool or part of a pool.' },
);
export type ResourceSlice = Infer<typeof ResourceSlice>;
