// ResourceSlice v1beta2: schema.

import { kind } from '../../kind/meta/kind.ts';
import { list, mapOf } from '../../schema/collections.ts';
import { bool, string } from '../../schema/scalars.ts';
import { field, type Infer, optional, struct } from '../../schema/struct.ts';
import { NodeSelector } from '../core/node-selector.ts';
import { DeviceTaint } from './device-parts.ts';
import {
  CounterSet,
  DeviceAttribute,
  DeviceCapacity,
  DeviceCounterConsumption,
  deviceDocs,
  ResourcePool,
  sliceDocs,
} from './resourceslice.ts';
import { v1beta2 } from './versions.ts';

export const DeviceV1beta2 = struct(
  'resource/v1beta2.Device',
  {
    name: field(1, string, {
      required: true,
      doc: 'The name of the device: a DNS label, unique in the pool.',
    }),
    attributes: field(2, mapOf(v1beta2.of(DeviceAttribute), { keyName: 'v1beta2.QualifiedName' }), {
      doc: deviceDocs.attributes,
    }),
    capacity: field(3, mapOf(v1beta2.of(DeviceCapacity), { keyName: 'v1beta2.QualifiedName' }), {
      doc: deviceDocs.capacity,
    }),
    consumesCounters: field(4, list(v1beta2.of(DeviceCounterConsumption), { type: 'atomic' }), {
      doc: deviceDocs.consumesCounters,
    }),
    nodeName: field(5, optional(string), { doc: deviceDocs.nodeName }),
    nodeSelector: field(6, optional(NodeSelector), { doc: deviceDocs.nodeSelector }),
    allNodes: field(7, optional(bool), { doc: deviceDocs.allNodes }),
    taints: field(8, list(v1beta2.of(DeviceTaint), { type: 'atomic' }), { doc: deviceDocs.taints }),
  },
  { doc: 'A device that can be allocated.' },
);
export type DeviceV1beta2 = Infer<typeof DeviceV1beta2>;

export const ResourceSliceSpecV1beta2 = struct(
  'resource/v1beta2.ResourceSliceSpec',
  {
    driver: field(1, string, { required: true, doc: sliceDocs.driver }),
    pool: field(2, v1beta2.of(ResourcePool), { required: true, doc: sliceDocs.pool }),
    nodeName: field(3, optional(string), { doc: sliceDocs.nodeName }),
    nodeSelector: field(4, optional(NodeSelector), { doc: sliceDocs.nodeSelector }),
    allNodes: field(5, optional(bool), { doc: sliceDocs.allNodes }),
    devices: field(6, list(DeviceV1beta2, { type: 'atomic' }), {
      omitEmpty: false,
      doc: sliceDocs.devices,
    }),
    perDeviceNodeSelection: field(7, optional(bool), { doc: sliceDocs.perDeviceNodeSelection }),
    sharedCounters: field(8, list(v1beta2.of(CounterSet), { type: 'atomic' }), {
      doc: sliceDocs.sharedCounters,
    }),
  },
  { doc: 'The specification of a ResourceSlice: devices of one driver and pool.' },
);
export type ResourceSliceSpecV1beta2 = Infer<typeof ResourceSliceSpecV1beta2>;

export const ResourceSliceV1beta2 = kind(
  'resource/v1beta2.ResourceSlice',
  {
    spec: field(2, ResourceSliceSpecV1beta2, {
      required: true,
      doc: 'The published devices. Changes increment the generation.',
    }),
  },
  { doc: 'Devices that a driver publishes: a pool or part of a pool.' },
);
export type ResourceSliceV1beta2 = Infer<typeof ResourceSliceV1beta2>;
