import { list, mapOf } from '../../schema/collections.ts';
import { quantity } from '../../schema/quantity-type.ts';
import { bool, string } from '../../schema/scalars.ts';
import { field, type Infer, optional, struct } from '../../schema/struct.ts';
import type { KindContext } from '../context.ts';
import { NodeSelector } from '../core/node-selector.ts';
import { kind } from '../meta/kind.ts';
import { plainStrategy } from '../plain-strategy.ts';
import { resource } from '../resource.ts';
import { DeviceTaint } from './device-parts.ts';
import { CounterSet, DeviceAttribute, DeviceCounterConsumption, ResourcePool } from './resourceslice.ts';
import { v1alpha3 } from './versions.ts';

export const BasicDeviceV1alpha3 = struct('resource/v1alpha3.BasicDevice', {
  attributes: field(1, mapOf(v1alpha3.of(DeviceAttribute), { keyName: 'v1alpha3.QualifiedName' })),
  capacity: field(2, mapOf(quantity, { keyName: 'v1alpha3.QualifiedName' })),
  consumesCounters: field(3, list(v1alpha3.of(DeviceCounterConsumption), { type: 'atomic' })),
  nodeName: field(4, optional(string)),
  nodeSelector: field(5, optional(NodeSelector)),
  allNodes: field(6, optional(bool)),
  taints: field(7, list(v1alpha3.of(DeviceTaint), { type: 'atomic' })),
});
export type BasicDeviceV1alpha3 = Infer<typeof BasicDeviceV1alpha3>;

export const DeviceV1alpha3 = struct('resource/v1alpha3.Device', {
  name: field(1, string, { required: true }),
  basic: field(2, optional(BasicDeviceV1alpha3)),
});
export type DeviceV1alpha3 = Infer<typeof DeviceV1alpha3>;

export const ResourceSliceSpecV1alpha3 = struct('resource/v1alpha3.ResourceSliceSpec', {
  driver: field(1, string, { required: true }),
  pool: field(2, v1alpha3.of(ResourcePool), { required: true }),
  nodeName: field(3, string),
  nodeSelector: field(4, optional(NodeSelector)),
  allNodes: field(5, bool),
  devices: field(6, list(DeviceV1alpha3, { type: 'atomic' }), { alwaysWritten: true }),
  perDeviceNodeSelection: field(7, optional(bool)),
  sharedCounters: field(8, list(v1alpha3.of(CounterSet), { type: 'atomic' })),
});
export type ResourceSliceSpecV1alpha3 = Infer<typeof ResourceSliceSpecV1alpha3>;

export const ResourceSliceV1alpha3 = kind(
  'resource/v1alpha3.ResourceSlice',
  {
    spec: field(2, ResourceSliceSpecV1alpha3, { required: true }),
  },
  { doc: '' },
);
export type ResourceSliceV1alpha3 = Infer<typeof ResourceSliceV1alpha3>;

export const resourceslicesV1alpha3 = (context: KindContext) =>
  resource<ResourceSliceV1alpha3>({
    group: 'resource',
    version: 'v1alpha3',
    kind: 'ResourceSlice',
    plural: 'resourceslices',
    namespaced: false,
    schema: ResourceSliceV1alpha3,
    strategy: { ...plainStrategy(context, ResourceSliceV1alpha3), deleteReturnsObject: true },
  });
