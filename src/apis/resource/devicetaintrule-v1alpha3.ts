// DeviceTaintRule, the whole kind: schema, printer columns, resource definition and validation.

import type { FieldError } from '../../errors/field-error.ts';
import type { KindContext } from '../../kind/context.ts';
import { kind } from '../../kind/meta/kind.ts';
import { resource } from '../../kind/resource.ts';
import { age, since } from '../../kind/table/cells.ts';
import { ageColumn, column, nameColumn } from '../../kind/table/columns.ts';
import type { TableLayout } from '../../kind/table.ts';
import { list } from '../../schema/collections.ts';
import { string } from '../../schema/scalars.ts';
import { field, type Infer, optional, struct } from '../../schema/struct.ts';
import { DeviceSelector, DeviceTaint } from './device-parts.ts';
import { deviceStrategy } from './device-strategy.ts';
import {
  validateDriver,
  validateLabelName,
  validatePoolName,
  validateSubdomain,
  validateTaint,
} from './device-validation.ts';
import { SelectorValidator } from './selector-rules.ts';
import { setTaintTimeAdded } from './slice-features.ts';
import { v1alpha3 } from './versions.ts';

const DeviceTaintSelectorV1alpha3 = struct(
  'resource/v1alpha3.DeviceTaintSelector',
  {
    deviceClassName: field(1, optional(string), { doc: 'Selects devices of this DeviceClass.' }),
    driver: field(2, optional(string), { doc: 'Selects devices of this driver.' }),
    pool: field(3, optional(string), {
      doc: 'Selects devices of pools with this name, for all drivers unless `driver` is set.',
    }),
    device: field(4, optional(string), { doc: 'Selects devices with this name.' }),
    selectors: field(5, list(v1alpha3.of(DeviceSelector), { type: 'atomic' }), {
      doc: 'Selects devices that satisfy all of these, at most 32.',
    }),
  },
  { doc: 'Selects devices. All fields that are set must match.' },
);

const DeviceTaintRuleSpecV1alpha3 = struct(
  'resource/v1alpha3.DeviceTaintRuleSpec',
  {
    deviceSelector: field(1, optional(DeviceTaintSelectorV1alpha3), {
      doc: 'Selects the devices to taint. Empty: all devices. Absent: none.',
    }),
    taint: field(2, v1alpha3.of(DeviceTaint), {
      required: true,
      omitEmpty: true,
      doc: 'The taint to apply.',
    }),
  },
  { doc: 'A taint and a selector of devices.' },
);

export const DeviceTaintRuleV1alpha3 = kind(
  'resource/v1alpha3.DeviceTaintRule',
  {
    spec: field(2, DeviceTaintRuleSpecV1alpha3, {
      required: true,
      doc: 'The taint and the selector of devices. Changes increment the generation.',
    }),
  },
  { doc: 'Adds a taint to devices, as if their driver had published it.' },
);
export type DeviceTaintRuleV1alpha3 = Infer<typeof DeviceTaintRuleV1alpha3>;

const deviceTaintRuleTable: TableLayout<DeviceTaintRuleV1alpha3> = {
  columns: [
    nameColumn,
    column('Key', 'The key of the taint.'),
    column('Value', 'The value of the taint.'),
    column('Effect', 'The effect on pods that do not tolerate the taint.'),
    column('TimeAdded', 'When the taint was added.'),
    ageColumn,
  ],
  cells(rule, ages) {
    const { key, value = '', effect, timeAdded } = rule.spec.taint;
    return [rule.metadata.name ?? '', key, value, effect, since(timeAdded, ages), age(rule, ages)];
  },
};

export function devicetaintrules(context: KindContext) {
  const selectors = new SelectorValidator(context.dialect);
  const baseStrategy = deviceStrategy(context, DeviceTaintRuleV1alpha3, (object) =>
    validateTaintRule(object, selectors),
  );
  return resource<DeviceTaintRuleV1alpha3>({
    group: 'resource',
    version: 'v1alpha3',
    kind: 'DeviceTaintRule',
    plural: 'devicetaintrules',
    namespaced: false,
    schema: DeviceTaintRuleV1alpha3,
    table: deviceTaintRuleTable,
    strategy: {
      ...baseStrategy,
      load: (object, old) =>
        selectors.load(object, object.spec.deviceSelector?.selectors, old?.spec.deviceSelector?.selectors),
      prepareForCreate(object, now) {
        setTaintTimeAdded([object.spec.taint], now);
        baseStrategy.prepareForCreate(object, now);
      },
      prepareForUpdate(object, old, now) {
        setTaintTimeAdded([object.spec.taint], now);
        baseStrategy.prepareForUpdate(object, old, now);
      },
    },
  });
}

function validateTaintRule(
  object: DeviceTaintRuleV1alpha3,
  selectorValidator: SelectorValidator,
): FieldError[] {
  const { spec } = object;
  const path = 'spec.deviceSelector';
  const { deviceClassName, driver, pool, device, selectors } = spec.deviceSelector ?? {};
  const validateIfSet = (field: string, value: string | undefined, validate: typeof validateSubdomain) =>
    value === undefined ? [] : validate(value, `${path}.${field}`);
  return [
    ...validateIfSet('deviceClassName', deviceClassName, validateSubdomain),
    ...validateIfSet('driver', driver, validateDriver),
    ...validateIfSet('pool', pool, validatePoolName),
    ...validateIfSet('device', device, validateLabelName),
    ...selectorValidator.validate(object, selectors, `${path}.selectors`),
    ...validateTaint(spec.taint, 'spec.taint'),
  ];
}
