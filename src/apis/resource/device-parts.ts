// DRA (dynamic resource allocation): schemas that several kinds of the group share.

import { rawExtension } from '../../schema/collections.ts';
import { int64, named, publishedEnum, string, time } from '../../schema/scalars.ts';
import { field, type Infer, optional, struct } from '../../schema/struct.ts';

const CELDeviceSelector = struct(
  'resource/v1beta1.CELDeviceSelector',
  {
    expression: field(1, string, {
      required: true,
      doc:
        'A CEL expression of at most 10 Ki that is true for matching devices. Its variables are `device.driver`, ' +
        '`device.attributes[<prefix>].<name>` and `device.capacity[<prefix>].<name>`; an unknown prefix is an empty map; an unknown ' +
        'name, or a result that is not a boolean, is an error that aborts the allocation.',
    }),
  },
  { doc: 'Selects devices with a CEL expression.' },
);

export const DeviceSelector = struct(
  'resource/v1beta1.DeviceSelector',
  {
    cel: field(1, optional(CELDeviceSelector), {
      doc: 'The CEL selector. Required.',
    }),
  },
  { doc: 'A requirement on a device: exactly one selector is set.' },
);
export type DeviceSelector = Infer<typeof DeviceSelector>;

const OpaqueDeviceConfiguration = struct(
  'resource/v1beta1.OpaqueDeviceConfiguration',
  {
    driver: field(1, string, {
      required: true,
      doc: 'The driver that reads the parameters: a DNS subdomain, which should end with a DNS domain of the vendor.',
    }),
    parameters: field(2, rawExtension, {
      required: true,
      doc: 'Driver-defined parameters: a JSON object of at most 10 Ki.',
    }),
  },
  { doc: 'Driver-specific parameters.' },
);

export const DeviceConfiguration = struct(
  'resource/v1beta1.DeviceConfiguration',
  { opaque: field(1, optional(OpaqueDeviceConfiguration), { doc: 'Driver-specific parameters. Required.' }) },
  { doc: 'The configuration of devices. It is passed to drivers and does not affect allocation.' },
);
export type DeviceConfiguration = Infer<typeof DeviceConfiguration>;

export const deviceAllocationMode = named('resource/v1beta1.DeviceAllocationMode', string);

const deviceTaintEffect = named(
  'resource/v1beta1.DeviceTaintEffect',
  publishedEnum('NoSchedule', 'NoExecute'),
);

export const DeviceToleration = struct(
  'resource/v1beta1.DeviceToleration',
  {
    key: field(1, string, { doc: 'The key of the taint. Empty, with operator Exists, matches all taints.' }),
    operator: field(2, named('resource/v1beta1.DeviceTolerationOperator', publishedEnum('Exists', 'Equal')), {
      default: 'Equal',
      isDefaultPublished: true,
      doc: 'Equal compares key and value; Exists only the key.',
    }),
    value: field(3, string, { doc: 'The value of the taint. Must be empty with operator Exists.' }),
    effect: field(4, deviceTaintEffect, { doc: 'The tolerated effect. Empty matches all effects.' }),
    tolerationSeconds: field(5, optional(int64), {
      doc: 'Seconds that a NoExecute taint is tolerated. Absent: forever.',
    }),
  },
  { doc: 'A device taint that is tolerated.' },
);
export type DeviceToleration = Infer<typeof DeviceToleration>;

export const DeviceTaint = struct(
  'resource/v1beta1.DeviceTaint',
  {
    key: field(1, string, { required: true, doc: 'The key of the taint: a label name.' }),
    value: field(2, string, { doc: 'The value of the taint: a label value.' }),
    effect: field(3, deviceTaintEffect, {
      required: true,
      doc: 'NoSchedule: the device is not allocated to claims that do not tolerate the taint. NoExecute: pods that use it are also evicted.',
    }),
    timeAdded: field(4, optional(time), { doc: 'When the taint was added. Set by the server if absent.' }),
  },
  { doc: 'A taint of a device, which repels claims that do not tolerate it.' },
);
export type DeviceTaint = Infer<typeof DeviceTaint>;
