// DeviceClass, the whole kind: schema, printer columns, resource definition and validation.

import { type FieldError, tooMany } from '../../errors/field-error.ts';
import type { KindContext } from '../../kind/context.ts';
import { kind } from '../../kind/meta/kind.ts';
import { validateMetadata } from '../../kind/meta/validation.ts';
import { resource } from '../../kind/resource.ts';
import { definitionInVersion } from '../../kind/versions.ts';
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
  { doc: 'The configuration of devices of the class, for one driver.' },
);

const DeviceClassSpec = struct(
  'resource/v1beta1.DeviceClassSpec',
  {
    selectors: field(1, list(DeviceSelector, { type: 'atomic' }), {
      doc: 'Requirements on the devices of the class, at most 32. All must be satisfied.',
    }),
    config: field(2, list(DeviceClassConfiguration, { type: 'atomic' }), {
      doc: 'Configuration for the drivers of allocated devices, at most 32 entries. It does not affect allocation.',
    }),
  },
  { doc: 'The specification of a DeviceClass. Allocation uses its state at the time of allocation.' },
);

export const DeviceClass = kind(
  'resource/v1beta1.DeviceClass',
  {
    spec: field(2, DeviceClassSpec, {
      required: true,
      mustBePresent: true,
      doc: 'The specification of the class. Changes increment the generation.',
    }),
  },
  { doc: 'A class of devices that claims request by name. Created by an administrator or a vendor.' },
);
export type DeviceClass = Infer<typeof DeviceClass>;

/** The same kind in v1beta2, converted to v1beta1 for storage. */
export const deviceclassesV1beta2 = (context: KindContext) =>
  definitionInVersion('v1beta2', deviceclasses(context), v1beta2.of(DeviceClass));

export function deviceclasses(context: KindContext) {
  const selectors = new SelectorValidator(context.dialect);
  const validateSpec = (object: DeviceClass) => validateDeviceClass(object, selectors);
  const strategy = deviceStrategy(context, DeviceClass, validateSpec);
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
      // kube-apiserver runs the create validation and then the update validation, and reports the errors of both.
      validateUpdate: (object, old) => [
        ...validateMetadata(object.metadata, { namespaced: false, nameRule: strategy.validateName }),
        ...strategy.validate(object),
        ...strategy.validateUpdate(object, old),
      ],
    },
  });
}

/** The same kind in v1alpha3, converted to v1beta1 for storage. */
export const deviceclassesV1alpha3 = (context: KindContext) =>
  definitionInVersion('v1alpha3', deviceclasses(context), v1alpha3.of(DeviceClass));

const maxConfigurations = 32;

function validateDeviceClass(object: DeviceClass, selectorValidator: SelectorValidator): FieldError[] {
  const { selectors, config = [] } = object.spec;
  return [
    ...selectorValidator.validate(object, selectors, 'spec.selectors'),
    ...config.flatMap((entry, i) => validateConfiguration(entry, `spec.config[${i}]`)),
    ...(config.length > maxConfigurations ? [tooMany('spec.config', config.length, maxConfigurations)] : []),
  ];
}
