import { list, mapOf } from '../../schema/collections.ts';
import { bool, string } from '../../schema/scalars.ts';
import { field, type Infer, optional, struct } from '../../schema/struct.ts';
import type { KindContext } from '../context.ts';
import { NodeSelector } from '../core/node-selector.ts';
import { kind } from '../meta/kind.ts';
import { plainStrategy } from '../plain-strategy.ts';
import { resource } from '../resource.ts';
import { DeviceTaint } from './device-parts.ts';
import {
  CounterSet,
  DeviceAttribute,
  DeviceCapacity,
  DeviceCounterConsumption,
  ResourcePool,
} from './resourceslice.ts';
import { v1beta2 } from './versions.ts';

export const DeviceV1beta2 = struct('resource/v1beta2.Device', {
  name: field(1, string, { required: true }),
  attributes: field(2, mapOf(v1beta2.of(DeviceAttribute), { keyName: 'v1beta2.QualifiedName' })),
  capacity: field(3, mapOf(v1beta2.of(DeviceCapacity), { keyName: 'v1beta2.QualifiedName' })),
  consumesCounters: field(4, list(v1beta2.of(DeviceCounterConsumption), { type: 'atomic' })),
  nodeName: field(5, optional(string)),
  nodeSelector: field(6, optional(NodeSelector)),
  allNodes: field(7, optional(bool)),
  taints: field(8, list(v1beta2.of(DeviceTaint), { type: 'atomic' })),
});
export type DeviceV1beta2 = Infer<typeof DeviceV1beta2>;

export const ResourceSliceSpecV1beta2 = struct('resource/v1beta2.ResourceSliceSpec', {
  driver: field(1, string, { required: true }),
  pool: field(2, v1beta2.of(ResourcePool), { required: true }),
  nodeName: field(3, optional(string)),
  nodeSelector: field(4, optional(NodeSelector)),
  allNodes: field(5, optional(bool)),
  devices: field(6, list(DeviceV1beta2, { type: 'atomic' }), { alwaysWritten: true }),
  perDeviceNodeSelection: field(7, optional(bool)),
  sharedCounters: field(8, list(v1beta2.of(CounterSet), { type: 'atomic' })),
});
export type ResourceSliceSpecV1beta2 = Infer<typeof ResourceSliceSpecV1beta2>;

export const ResourceSliceV1beta2 = kind(
  'resource/v1beta2.ResourceSlice',
  {
    spec: field(2, ResourceSliceSpecV1beta2, { required: true }),
  },
  { doc: '' },
);
export type ResourceSliceV1beta2 = Infer<typeof ResourceSliceV1beta2>;

export const resourceslicesV1beta2 = (context: KindContext) =>
  resource<ResourceSliceV1beta2>({
    group: 'resource',
    version: 'v1beta2',
    kind: 'ResourceSlice',
    plural: 'resourceslices',
    namespaced: false,
    schema: ResourceSliceV1beta2,
    strategy: { ...plainStrategy(context, ResourceSliceV1beta2), deleteReturnsObject: true },
  });
