// ResourceSlice v1alpha3: schema.

import { kind } from '../../kind/meta/kind.ts';
import { list, mapOf } from '../../schema/collections.ts';
import { quantity } from '../../schema/quantity-type.ts';
import { bool, string } from '../../schema/scalars.ts';
import { field, type Infer, optional, struct } from '../../schema/struct.ts';
import { NodeSelector } from '../core/node-selector.ts';
import { DeviceTaint } from './device-parts.ts';
import {
  CounterSet,
  DeviceAttribute,
  DeviceCounterConsumption,
  deviceDocs,
  ResourcePool,
  sliceDocs,
} from './resourceslice.ts';
import { v1alpha3 } from './versions.ts';

const BasicDeviceV1alpha3 = struct(
  'resource/v1alpha3.BasicDevice',
  {
    attributes: field(1, mapOf(v1alpha3.of(DeviceAttribute), { keyName: 'v1alpha3.QualifiedName' }), {
      doc: deviceDocs.attributes,
    }),
    capacity: field(2, mapOf(quantity, { keyName: 'v1alpha3.QualifiedName' }), { doc: deviceDocs.capacity }),
    consumesCounters: field(3, list(v1alpha3.of(DeviceCounterConsumption), { type: 'atomic' }), {
      doc: deviceDocs.consumesCounters,
    }),
    nodeName: field(4, optional(string), { doc: deviceDocs.nodeName }),
    nodeSelector: field(5, optional(NodeSelector), { doc: deviceDocs.nodeSelector }),
    allNodes: field(6, optional(bool), { doc: deviceDocs.allNodes }),
    taints: field(7, list(v1alpha3.of(DeviceTaint), { type: 'atomic' }), { doc: deviceDocs.taints }),
  },
  { doc: 'The properties of a device.' },
);

export const DeviceV1alpha3 = struct(
  'resource/v1alpha3.Device',
  {
    name: field(1, string, {
      required: true,
      doc: 'The name of the device: a DNS label, unique in the pool.',
    }),
    basic: field(2, optional(BasicDeviceV1alpha3), { default: {}, doc: 'The properties of the device.' }),
  },
  { doc: 'A device that can be allocated.' },
);
export type DeviceV1alpha3 = Infer<typeof DeviceV1alpha3>;

export const ResourceSliceSpecV1alpha3 = struct(
  'resource/v1alpha3.ResourceSliceSpec',
  {
    driver: field(1, string, { required: true, doc: sliceDocs.driver }),
    pool: field(2, v1alpha3.of(ResourcePool), { required: true, doc: sliceDocs.pool }),
    nodeName: field(3, string, { doc: sliceDocs.nodeName }),
    nodeSelector: field(4, optional(NodeSelector), { doc: sliceDocs.nodeSelector }),
    allNodes: field(5, bool, { doc: sliceDocs.allNodes }),
    devices: field(6, list(DeviceV1alpha3, { type: 'atomic' }), {
      omitEmpty: false,
      doc: sliceDocs.devices,
    }),
    perDeviceNodeSelection: field(7, optional(bool), { doc: sliceDocs.perDeviceNodeSelection }),
    sharedCounters: field(8, list(v1alpha3.of(CounterSet), { type: 'atomic' }), {
      doc: sliceDocs.sharedCounters,
    }),
  },
  { doc: 'The specification of a ResourceSlice: devices of one driver and pool.' },
);
export type ResourceSliceSpecV1alpha3 = Infer<typeof ResourceSliceSpecV1alpha3>;

export const ResourceSliceV1alpha3 = kind(
  'resource/v1alpha3.ResourceSlice',
  {
    spec: field(2, ResourceSliceSpecV1alpha3, {
      required: true,
      doc: 'The published devices. Changes increment the generation.',
    }),
  },
  { doc: 'Devices that a driver publishes: a pool or part of a pool.' },
);
export type ResourceSliceV1alpha3 = Infer<typeof ResourceSliceV1alpha3>;
