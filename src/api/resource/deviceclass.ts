import { list } from '../../schema/collections.ts';
import { field, type Infer, inline, struct } from '../../schema/struct.ts';
import type { KindContext } from '../context.ts';
import { kind } from '../meta/kind.ts';
import { plainStrategy } from '../plain-strategy.ts';
import { resource } from '../resource.ts';
import { alsoIn } from '../versions.ts';
import { DeviceConfiguration, DeviceSelector } from './device-parts.ts';
import { v1alpha3, v1beta2 } from './versions.ts';

export const DeviceClassConfiguration = struct('resource/v1beta1.DeviceClassConfiguration', {
  ...inline(1, DeviceConfiguration),
});
export type DeviceClassConfiguration = Infer<typeof DeviceClassConfiguration>;

export const DeviceClassSpec = struct('resource/v1beta1.DeviceClassSpec', {
  selectors: field(1, list(DeviceSelector, { type: 'atomic' })),
  config: field(2, list(DeviceClassConfiguration, { type: 'atomic' })),
});
export type DeviceClassSpec = Infer<typeof DeviceClassSpec>;

export const DeviceClass = kind(
  'resource/v1beta1.DeviceClass',
  {
    spec: field(2, DeviceClassSpec, { required: true }),
  },
  { doc: '' },
);
export type DeviceClass = Infer<typeof DeviceClass>;

export const deviceclassesV1beta2 = (context: KindContext) =>
  alsoIn('v1beta2', deviceclasses(context), v1beta2.of(DeviceClass));

export const deviceclasses = (context: KindContext) =>
  resource<DeviceClass>({
    group: 'resource',
    version: 'v1beta1',
    kind: 'DeviceClass',
    plural: 'deviceclasses',
    namespaced: false,
    schema: DeviceClass,
    strategy: { ...plainStrategy(context, DeviceClass), deleteReturnsObject: true },
  });

export const deviceclassesV1alpha3 = (context: KindContext) =>
  alsoIn('v1alpha3', deviceclasses(context), v1alpha3.of(DeviceClass));
