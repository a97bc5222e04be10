import { list } from '../../schema/collections.ts';
import { string } from '../../schema/scalars.ts';
import { field, type Infer, optional, struct } from '../../schema/struct.ts';
import type { KindContext } from '../context.ts';
import { kind } from '../meta/kind.ts';
import { plainStrategy } from '../plain-strategy.ts';
import { resource } from '../resource.ts';
import { DeviceSelector, DeviceTaint } from './device-parts.ts';
import { v1alpha3 } from './versions.ts';

export const DeviceTaintSelectorV1alpha3 = struct('resource/v1alpha3.DeviceTaintSelector', {
  deviceClassName: field(1, optional(string)),
  driver: field(2, optional(string)),
  pool: field(3, optional(string)),
  device: field(4, optional(string)),
  selectors: field(5, list(v1alpha3.of(DeviceSelector), { type: 'atomic' })),
});
export type DeviceTaintSelectorV1alpha3 = Infer<typeof DeviceTaintSelectorV1alpha3>;

export const DeviceTaintRuleSpecV1alpha3 = struct('resource/v1alpha3.DeviceTaintRuleSpec', {
  deviceSelector: field(1, optional(DeviceTaintSelectorV1alpha3)),
  taint: field(2, v1alpha3.of(DeviceTaint), { required: true, omitEmpty: true }),
});
export type DeviceTaintRuleSpecV1alpha3 = Infer<typeof DeviceTaintRuleSpecV1alpha3>;

export const DeviceTaintRuleV1alpha3 = kind(
  'resource/v1alpha3.DeviceTaintRule',
  {
    spec: field(2, DeviceTaintRuleSpecV1alpha3, { required: true }),
  },
  { doc: '' },
);
export type DeviceTaintRuleV1alpha3 = Infer<typeof DeviceTaintRuleV1alpha3>;

export const devicetaintrules = (context: KindContext) =>
  resource<DeviceTaintRuleV1alpha3>({
    group: 'resource',
    version: 'v1alpha3',
    kind: 'DeviceTaintRule',
    plural: 'devicetaintrules',
    namespaced: false,
    schema: DeviceTaintRuleV1alpha3,
    strategy: { ...plainStrategy(context, DeviceTaintRuleV1alpha3), deleteReturnsObject: true },
  });
