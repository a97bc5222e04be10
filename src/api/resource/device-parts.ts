import { rawExtension } from '../../schema/raw.ts';
import { int64, named, oneOf, string } from '../../schema/scalars.ts';
import { field, type Infer, optional, struct } from '../../schema/struct.ts';
import { time } from '../../schema/time.ts';

export const CELDeviceSelector = struct('resource/v1beta1.CELDeviceSelector', {
  expression: field(1, string, { required: true }),
});
export type CELDeviceSelector = Infer<typeof CELDeviceSelector>;

export const DeviceSelector = struct('resource/v1beta1.DeviceSelector', {
  cel: field(1, optional(CELDeviceSelector)),
});
export type DeviceSelector = Infer<typeof DeviceSelector>;

export const OpaqueDeviceConfiguration = struct('resource/v1beta1.OpaqueDeviceConfiguration', {
  driver: field(1, string, { required: true }),
  parameters: field(2, rawExtension, { required: true }),
});
export type OpaqueDeviceConfiguration = Infer<typeof OpaqueDeviceConfiguration>;

export const DeviceConfiguration = struct('resource/v1beta1.DeviceConfiguration', {
  opaque: field(1, optional(OpaqueDeviceConfiguration)),
});
export type DeviceConfiguration = Infer<typeof DeviceConfiguration>;

export const deviceAllocationMode = named('resource/v1beta1.DeviceAllocationMode', string);

export const deviceTaintEffect = named(
  'resource/v1beta1.DeviceTaintEffect',
  oneOf('NoSchedule', 'NoExecute'),
);

export const DeviceToleration = struct('resource/v1beta1.DeviceToleration', {
  key: field(1, string),
  operator: field(2, named('resource/v1beta1.DeviceTolerationOperator', oneOf('Exists', 'Equal')), {
    default: 'Equal',
    announced: true,
  }),
  value: field(3, string),
  effect: field(4, deviceTaintEffect),
  tolerationSeconds: field(5, optional(int64)),
});
export type DeviceToleration = Infer<typeof DeviceToleration>;

export const DeviceTaint = struct('resource/v1beta1.DeviceTaint', {
  key: field(1, string, { required: true }),
  value: field(2, string),
  effect: field(3, deviceTaintEffect, { required: true }),
  timeAdded: field(4, optional(time)),
});
export type DeviceTaint = Infer<typeof DeviceTaint>;
