import { list, mapOf } from '../../schema/collections.ts';
import { quantity } from '../../schema/quantity-type.ts';
import { bool, int64, string } from '../../schema/scalars.ts';
import { field, type Infer, optional, struct } from '../../schema/struct.ts';
import type { KindContext } from '../context.ts';
import { NodeSelector } from '../core/node-selector.ts';
import { kind } from '../meta/kind.ts';
import { plainStrategy } from '../plain-strategy.ts';
import { resource } from '../resource.ts';
import { DeviceTaint } from './device-parts.ts';

export const ResourcePool = struct('resource/v1beta1.ResourcePool', {
  name: field(1, string, { required: true }),
  generation: field(2, int64, { required: true }),
  resourceSliceCount: field(3, int64, { required: true }),
});
export type ResourcePool = Infer<typeof ResourcePool>;

export const DeviceAttribute = struct('resource/v1beta1.DeviceAttribute', {
  int: field(2, optional(int64)),
  bool: field(3, optional(bool)),
  string: field(4, optional(string)),
  version: field(5, optional(string)),
});
export type DeviceAttribute = Infer<typeof DeviceAttribute>;

export const DeviceCapacity = struct('resource/v1beta1.DeviceCapacity', {
  value: field(1, quantity, { required: true }),
});
export type DeviceCapacity = Infer<typeof DeviceCapacity>;

export const Counter = struct('resource/v1beta1.Counter', {
  value: field(1, quantity, { required: true }),
});
export type Counter = Infer<typeof Counter>;

export const DeviceCounterConsumption = struct('resource/v1beta1.DeviceCounterConsumption', {
  counterSet: field(1, string, { required: true }),
  counters: field(2, mapOf(Counter), { required: true, omitEmpty: true }),
});
export type DeviceCounterConsumption = Infer<typeof DeviceCounterConsumption>;

export const BasicDevice = struct('resource/v1beta1.BasicDevice', {
  attributes: field(1, mapOf(DeviceAttribute, { keyName: 'v1beta1.QualifiedName' })),
  capacity: field(2, mapOf(DeviceCapacity, { keyName: 'v1beta1.QualifiedName' })),
  consumesCounters: field(3, list(DeviceCounterConsumption, { type: 'atomic' })),
  nodeName: field(4, optional(string)),
  nodeSelector: field(5, optional(NodeSelector)),
  allNodes: field(6, optional(bool)),
  taints: field(7, list(DeviceTaint, { type: 'atomic' })),
});
export type BasicDevice = Infer<typeof BasicDevice>;

export const Device = struct('resource/v1beta1.Device', {
  name: field(1, string, { required: true }),
  basic: field(2, optional(BasicDevice)),
});
export type Device = Infer<typeof Device>;

export const CounterSet = struct('resource/v1beta1.CounterSet', {
  name: field(1, string, { required: true }),
  counters: field(2, mapOf(Counter), { required: true, omitEmpty: true }),
});
export type CounterSet = Infer<typeof CounterSet>;

export const ResourceSliceSpec = struct('resource/v1beta1.ResourceSliceSpec', {
  driver: field(1, string, { required: true }),
  pool: field(2, ResourcePool, { required: true }),
  nodeName: field(3, string),
  nodeSelector: field(4, optional(NodeSelector)),
  allNodes: field(5, bool),
  devices: field(6, list(Device, { type: 'atomic' }), { alwaysWritten: true }),
  perDeviceNodeSelection: field(7, optional(bool)),
  sharedCounters: field(8, list(CounterSet, { type: 'atomic' })),
});
export type ResourceSliceSpec = Infer<typeof ResourceSliceSpec>;

export const ResourceSlice = kind(
  'resource/v1beta1.ResourceSlice',
  {
    spec: field(2, ResourceSliceSpec, { required: true }),
  },
  { doc: '' },
);
export type ResourceSlice = Infer<typeof ResourceSlice>;

export const resourceslices = (context: KindContext) =>
  resource<ResourceSlice>({
    group: 'resource',
    version: 'v1beta1',
    kind: 'ResourceSlice',
    plural: 'resourceslices',
    namespaced: false,
    schema: ResourceSlice,
    strategy: { ...plainStrategy(context, ResourceSlice), deleteReturnsObject: true },
  });
