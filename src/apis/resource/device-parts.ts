// DRA: schemas that several kinds of the group share.

import { rawExtension } from '../../schema/raw.ts';
import { documentedEnum, int64, named, string } from '../../schema/scalars.ts';
import { field, type Infer, optional, struct } from '../../schema/struct.ts';
import { time } from '../../schema/time.ts';

const CELDeviceSelector = struct(
  'resource/v1beta1.CELDeviceSelector',
  {
    expression: field(1, string, {
      required: true,
      doc:
        'A CEL expression, at most 10 Ki long, that is true of a device that fits. It knows `device.driver`, ' +
        '`device.attributes[<prefix>].<name>` and `device.capacity[<prefix>].<name>`; an unknown prefix is an empty map, an unknown ' +
        'name an error that ends the allocation, as is any result but true or false.',
    }),
  },
  { doc: 'Selects devices by an expression.' },
);

export const DeviceSelector = struct(
  'resource/v1beta1.DeviceSelector',
  {
    cel: field(1, optional(CELDeviceSelector), {
      doc: 'An expression that the device must satisfy. Needed.',
    }),
  },
  { doc: 'What a device must be like.' },
);
export type DeviceSelector = Infer<typeof DeviceSelector>;

const OpaqueDeviceConfiguration = struct(
  'resource/v1beta1.OpaqueDeviceConfiguration',
  {
    driver: field(1, string, {
      required: true,
      doc: 'The driver that is to read them: a DNS subdomain, which should end in a domain of its vendor.',
    }),
    parameters: field(2, rawExtension, {
      required: true,
      doc: 'What the driver is told: an object of its own making, at most 10 Ki long.',
    }),
  },
  { doc: 'Parameters that only a driver understands.' },
);

export const DeviceConfiguration = struct(
  'resource/v1beta1.DeviceConfiguration',
  { opaque: field(1, optional(OpaqueDeviceConfiguration), { doc: 'Parameters for one driver. Needed.' }) },
  { doc: 'How devices are to be set up. It is handed to drivers, and plays no part in allocation.' },
);
export type DeviceConfiguration = Infer<typeof DeviceConfiguration>;

export const deviceAllocationMode = named('resource/v1beta1.DeviceAllocationMode', string);

const deviceTaintEffect = named(
  'resource/v1beta1.DeviceTaintEffect',
  documentedEnum('NoSchedule', 'NoExecute'),
);

export const DeviceToleration = struct(
  'resource/v1beta1.DeviceToleration',
  {
    key: field(1, string, { doc: 'The key of the taint; without it, and with Exists, every taint.' }),
    operator: field(
      2,
      named('resource/v1beta1.DeviceTolerationOperator', documentedEnum('Exists', 'Equal')),
      {
        default: 'Equal',
        announced: true,
        doc: 'Equal: key and value must be the same. Exists: the key must.',
      },
    ),
    value: field(3, string, { doc: 'The value of the taint; none with Exists.' }),
    effect: field(4, deviceTaintEffect, { doc: 'The effect that is put up with; without it, all.' }),
    tolerationSeconds: field(5, optional(int64), {
      doc: 'How long NoExecute is put up with, in seconds; without it, for good.',
    }),
  },
  { doc: 'A taint that is put up with.' },
);
export type DeviceToleration = Infer<typeof DeviceToleration>;

export const DeviceTaint = struct(
  'resource/v1beta1.DeviceTaint',
  {
    key: field(1, string, { required: true, doc: 'What it is called: as a label.' }),
    value: field(2, string, { doc: 'Its value: as that of a label.' }),
    effect: field(3, deviceTaintEffect, {
      required: true,
      doc: 'NoSchedule: claims do not get the device. NoExecute: and pods that have it are evicted.',
    }),
    timeAdded: field(4, optional(time), { doc: 'Since when; filled in when it is written.' }),
  },
  { doc: 'Keeps claims from a device that do not tolerate it.' },
);
export type DeviceTaint = Infer<typeof DeviceTaint>;
