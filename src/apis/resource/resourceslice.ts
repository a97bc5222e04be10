// Schema of ResourceSlice v1beta1.

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
      doc: 'What the pool is called: DNS subdomains between slashes.',
    }),
    generation: field(2, int64, {
      required: true,
      doc: 'Counts the states of the pool. Slices of an older one no longer count.',
    }),
    resourceSliceCount: field(3, int64, {
      required: true,
      doc: 'How many slices the pool has in this generation: until all are there, it is incomplete.',
    }),
  },
  { doc: 'The pool that the devices of a slice belong to.' },
);
export type ResourcePool = Infer<typeof ResourcePool>;

export const DeviceAttribute = struct(
  'resource/v1beta1.DeviceAttribute',
  {
    int: field(2, optional(int64), { doc: 'A number.' }),
    bool: field(3, optional(bool), { doc: 'True or false.' }),
    string: field(4, optional(string), { doc: 'A text, at most 64 characters.' }),
    version: field(5, optional(string), { doc: 'A version as of semver.org 2.0.0, at most 64 characters.' }),
  },
  { doc: 'What an attribute of a device says: just one of these.' },
);
export type DeviceAttribute = Infer<typeof DeviceAttribute>;

export const DeviceCapacity = struct(
  'resource/v1beta1.DeviceCapacity',
  { value: field(1, quantity, { required: true, doc: 'How much there is of it.' }) },
  { doc: 'Something that a device has so much of.' },
);
export type DeviceCapacity = Infer<typeof DeviceCapacity>;

const Counter = struct(
  'resource/v1beta1.Counter',
  { value: field(1, quantity, { required: true, doc: 'How much there is, or is used, of it.' }) },
  { doc: 'An amount that devices share.' },
);

export const DeviceCounterConsumption = struct(
  'resource/v1beta1.DeviceCounterConsumption',
  {
    counterSet: field(1, string, { required: true, doc: 'The set that the counters are in.' }),
    counters: field(2, mapOf(Counter), {
      required: true,
      omitEmpty: true,
      doc: 'How much of each the device uses up.',
    }),
  },
  { doc: 'What a device uses up of a set of counters while it is allocated.' },
);
export type DeviceCounterConsumption = Infer<typeof DeviceCounterConsumption>;

/** OpenAPI descriptions of the device fields, for all versions. */
export const deviceDocs = {
  attributes: 'What it is like: by name, or domain and name. With the capacities at most 32.',
  capacity: 'What it has so much of: by name, or domain and name.',
  consumesCounters: "What it uses up of the slice's counters.",
  nodeName: 'The node it is at, where the slice leaves that to its devices.',
  nodeSelector: 'The nodes it can be had from, where the slice leaves that to its devices.',
  allNodes: 'It can be had from every node, where the slice leaves that to its devices.',
  taints: 'What keeps claims from it, at most 4.',
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
  { doc: 'What a device is like.' },
);

export const Device = struct(
  'resource/v1beta1.Device',
  {
    name: field(1, string, {
      required: true,
      doc: 'Tells it from the other devices of the pool: a DNS label.',
    }),
    basic: field(2, optional(BasicDevice), { default: {}, doc: 'What it is like.' }),
  },
  { doc: 'A device.' },
);
export type Device = Infer<typeof Device>;

export const CounterSet = struct(
  'resource/v1beta1.CounterSet',
  {
    name: field(1, string, { required: true, doc: 'What the set is called: a DNS label.' }),
    counters: field(2, mapOf(Counter), {
      required: true,
      omitEmpty: true,
      doc: 'How much there is of each.',
    }),
  },
  { doc: 'Counters that devices of a slice share.' },
);
export type CounterSet = Infer<typeof CounterSet>;

/** OpenAPI descriptions of the ResourceSliceSpec fields, for all versions. */
export const sliceDocs = {
  driver: 'The driver of the devices: a DNS subdomain. It never changes.',
  pool: 'The pool that the devices belong to.',
  nodeName:
    'The node the devices are at. It never changes. This, or one of the other ways to say where they are.',
  nodeSelector: 'The nodes that the devices can be had from: one term.',
  allNodes: 'The devices can be had from every node.',
  devices: 'The devices, at most 128.',
  perDeviceNodeSelection: 'Each device says itself where it is.',
  sharedCounters: 'Counters that the devices share, at most 32 in all.',
};

export const ResourceSliceSpec = struct(
  'resource/v1beta1.ResourceSliceSpec',
  {
    driver: field(1, string, { required: true, doc: sliceDocs.driver }),
    pool: field(2, ResourcePool, { required: true, doc: sliceDocs.pool }),
    nodeName: field(3, string, { doc: sliceDocs.nodeName }),
    nodeSelector: field(4, optional(NodeSelector), { doc: sliceDocs.nodeSelector }),
    allNodes: field(5, bool, { doc: sliceDocs.allNodes }),
    devices: field(6, list(Device, { type: 'atomic' }), { alwaysWritten: true, doc: sliceDocs.devices }),
    perDeviceNodeSelection: field(7, optional(bool), { doc: sliceDocs.perDeviceNodeSelection }),
    sharedCounters: field(8, list(CounterSet, { type: 'atomic' }), { doc: sliceDocs.sharedCounters }),
  },
  { doc: 'Devices of one driver and pool.' },
);
export type ResourceSliceSpec = Infer<typeof ResourceSliceSpec>;

export const ResourceSlice = kind(
  'resource/v1beta1.ResourceSlice',
  {
    spec: field(2, ResourceSliceSpec, { required: true, doc: 'The devices. A change is a new generation.' }),
  },
  { doc: 'Devices that a driver offers: all of a pool, or a part of it.' },
);
export type ResourceSlice = Infer<typeof ResourceSlice>;
