// DeviceClass: schema, strategy, validation and printer columns.

import { type FieldError, tooMany } from '../../errors/field-error.ts';
import type { KindContext } from '../../kind/context.ts';
import { kind } from '../../kind/meta/kind.ts';
import { resource } from '../../kind/resource.ts';
import { alsoIn } from '../../kind/versions.ts';
import { list } from '../../schema/collections.ts';
import { field, type Infer, inline, struct } from '../../schema/struct.ts';
import { DeviceConfiguration, DeviceSelector } from './device-parts.ts';
import { deviceStrategy } from './device-strategy.ts';
import { validateConfiguration } from './device-validation.ts';
import { nameAndAgeTable } from './name-and-age-table.ts';
import { SelectorValidator } from './selector-rules.ts';
import { v1alpha3, v1beta2 } from './versions.ts';

const DeviceClassConfiguration = struct(
  'resource/v1beta1.DeviceClassConfiguration',
  { ...inline(1, DeviceConfiguration) },
  { doc: 'How devices of the class are to be set up, for one driver.' },
);

const DeviceClassSpec = struct(
  'resource/v1beta1.DeviceClassSpec',
  {
    selectors: field(1, list(DeviceSelector, { type: 'atomic' }), {
      doc: 'What devices of the class are like: each of these, at most 32.',
    }),
    config: field(2, list(DeviceClassConfiguration, { type: 'atomic' }), {
      doc: 'Handed to the drivers of allocated devices, at most 32. It plays no part in allocation.',
    }),
  },
  { doc: 'What makes a class of devices. What counts is what it says when devices are allocated.' },
);

export const DeviceClass = kind(
  'resource/v1beta1.DeviceClass',
  {
    spec: field(2, DeviceClassSpec, {
      required: true,
      present: true,
      doc: 'What makes the class. A change is a new generation.',
    }),
  },
  { doc: 'A class of devices, made by an administrator or a vendor, that claims ask for by its name.' },
);
export type DeviceClass = Infer<typeof DeviceClass>;

export const deviceclassesV1beta2 = (context: KindContext) =>
  alsoIn('v1beta2', deviceclasses(context), v1beta2.of(DeviceClass));

export function deviceclasses(context: KindContext) {
  const selectors = new SelectorValidator(context.dialect);
  const check = (object: DeviceClass) => validateDeviceClass(object, selectors);
  const strategy = deviceStrategy(context, DeviceClass, check);
  return resource<DeviceClass>({
    group: 'resource',
    version: 'v1beta1',
    kind: 'DeviceClass',
    plural: 'deviceclasses',
    namespaced: false,
    schema: DeviceClass,
    table: nameAndAgeTable,
    strategy: {
      ...strategy,
      load: (object, old) => selectors.load(object, object.spec.selectors, old?.spec.selectors),
      // kube-apiserver validates twice and reports the errors twice.
      validateUpdate: (object, old) => [...strategy.validateUpdate(object, old), ...check(object)],
    },
  });
}

export const deviceclassesV1alpha3 = (context: KindContext) =>
  alsoIn('v1alpha3', deviceclasses(context), v1alpha3.of(DeviceClass));

const maxConfigurations = 32;

function validateDeviceClass(object: DeviceClass, rules: SelectorValidator): FieldError[] {
  const { selectors, config = [] } = object.spec;
  return [
    ...rules.validate(object, selectors, 'spec.selectors'),
    ...config.flatMap((entry, i) => validateConfiguration(entry, `spec.config[${i}]`)),
    ...(config.length > maxConfigurations ? [tooMany('spec.config', config.length, maxConfigurations)] : []),
  ];
}
