// ResourceSlice (DRA): validation of the spec, after conversion to v1beta2 (upstream: ValidateResourceSlice).

import {
  addErrors,
  duplicate,
  type FieldError,
  FormattedValue,
  invalid,
  required,
  tooLong,
  tooMany,
} from '../../errors/field-error.ts';
import { goSyntaxOfType } from '../../errors/go-syntax-of-type.ts';
import { NodeSelector } from '../core/node-selector.ts';
import { validateNodeSelector } from '../core/node-selector-validation.ts';
import { validateConsumption, validateCounterSets } from './counter-validation.ts';
import {
  validateDriver,
  validateLabelName,
  validatePoolName,
  validateQualifiedName,
  validateSubdomain,
  validateTaint,
} from './device-validation.ts';
import type { DeviceAttribute, ResourcePool } from './resourceslice.ts';
import type { DeviceV1beta2, ResourceSliceSpecV1beta2 } from './resourceslice-v1beta2.ts';

const maxDevices = 128;
/** Attributes and capacities of a device together. */
const maxAttributes = 32;
const maxTaints = 4;
const maxAttributeValueBytes = 64;

/**
 * Validates the spec and, on update, its change from `old`. On create, `old` is the spec itself: nothing has changed.
 */
export function validateSlice(spec: ResourceSliceSpecV1beta2, old = spec): FieldError[] {
  const { devices = [], sharedCounters = [] } = spec;
  const errors = [
    ...validateDriver(spec.driver, 'spec.driver'),
    ...validatePool(spec.pool),
    ...validateImmutableFields(spec, old),
    ...validateNodeSelection(spec),
  ];
  if (devices.length > maxDevices) errors.push(tooMany('spec.devices', devices.length, maxDevices));
  const seen = new Set<string>();
  for (const [i, device] of devices.entries()) {
    const path = `spec.devices[${i}]`;
    addErrors(errors, validateDevice(device, path, spec));
    if (seen.has(device.name)) errors.push(duplicate(`${path}.name`, device.name));
    seen.add(device.name);
  }
  return [...errors, ...validateCounterSets(sharedCounters, 'spec.sharedCounters')];
}

/** Field selectors use driver, pool name and nodeName, which are therefore immutable. */
function validateImmutableFields(
  spec: ResourceSliceSpecV1beta2,
  old: ResourceSliceSpecV1beta2,
): FieldError[] {
  const immutableFields = [
    ['spec.pool.name', spec.pool.name, old.pool.name],
    ['spec.driver', spec.driver, old.driver],
    ['spec.nodeName', spec.nodeName, old.nodeName],
  ] as const;
  return immutableFields
    .filter(([, newValue, oldValue]) => newValue !== oldValue)
    .map(([path, newValue]) => invalid(path, newValue ?? 'null', 'field is immutable'));
}

function validatePool({ name, generation, resourceSliceCount }: ResourcePool): FieldError[] {
  const errors = validatePoolName(name, 'spec.pool.name');
  if (resourceSliceCount <= 0) {
    errors.push(invalid('spec.pool.resourceSliceCount', resourceSliceCount, 'must be greater than zero'));
  }
  if (generation < 0) {
    errors.push(invalid('spec.pool.generation', generation, 'must be greater than or equal to zero'));
  }
  return errors;
}

const unsetOrTrue = 'must be either unset or set to true';

/** Lists field names for error messages. */
const formatFieldSet = (fields: readonly string[]) => `{${fields.map((field) => `\`${field}\``).join(', ')}}`;

/** Requires exactly one of nodeName, nodeSelector, allNodes and perDeviceNodeSelection. */
function validateNodeSelection(spec: ResourceSliceSpecV1beta2): FieldError[] {
  const { nodeName, nodeSelector, allNodes, perDeviceNodeSelection } = spec;
  const errors: FieldError[] = [];
  const setFields: string[] = [];
  if (nodeName === '') {
    errors.push(invalid('spec.nodeName', nodeName, 'must be either unset or set to a non-empty string'));
  } else if (nodeName !== undefined) {
    setFields.push('nodeName');
    addErrors(errors, validateSubdomain(nodeName, 'spec.nodeName'));
  }
  if (nodeSelector) {
    setFields.push('nodeSelector');
    addErrors(errors, validateNodeSelector(nodeSelector, 'spec.nodeSelector'));
    addErrors(errors, validateSingleTerm(nodeSelector));
  }
  for (const [field, value] of Object.entries({ allNodes, perDeviceNodeSelection })) {
    if (value === undefined) continue;
    if (value) setFields.push(field);
    else errors.push(invalid(`spec.${field}`, value, unsetOrTrue));
  }
  const rule = 'exactly one of `nodeName`, `nodeSelector`, `allNodes`, `perDeviceNodeSelection` is required';
  if (setFields.length === 0) errors.push(required('spec', rule));
  if (setFields.length > 1)
    errors.push(invalid('spec', formatFieldSet(setFields), `${rule}, but multiple fields are set`));
  return errors;
}

function validateSingleTerm({ nodeSelectorTerms }: NodeSelector): FieldError[] {
  if (nodeSelectorTerms?.length === 1) return [];
  const badValue = goSyntaxOfType(NodeSelector.fields.nodeSelectorTerms.type, nodeSelectorTerms);
  return [
    invalid('spec.nodeSelector.nodeSelectorTerms', badValue, 'must have exactly one node selector term'),
  ];
}

function validateDevice(device: DeviceV1beta2, path: string, spec: ResourceSliceSpecV1beta2): FieldError[] {
  const { name, attributes = {}, capacity = {}, taints = [], consumesCounters = [] } = device;
  const errors = validateLabelName(name, `${path}.name`);
  for (const key of Object.keys(attributes).sort()) {
    const fieldPath = `${path}.attributes[${key}]`;
    addErrors(errors, [
      ...validateQualifiedName(key, fieldPath),
      ...validateAttribute(attributes[key]!, fieldPath),
    ]);
  }
  for (const key of Object.keys(capacity).sort())
    addErrors(errors, validateQualifiedName(key, `${path}.capacity[${key}]`));
  const count = Object.keys(attributes).length + Object.keys(capacity).length;
  if (count > maxAttributes) {
    const detail = `the total number of attributes and capacities must not exceed ${maxAttributes}`;
    errors.push(invalid(path, count, detail));
  }
  if (taints.length > maxTaints) errors.push(tooMany(`${path}.taints`, taints.length, maxTaints));
  for (const [i, taint] of taints.entries()) addErrors(errors, validateTaint(taint, `${path}.taints[${i}]`));
  addErrors(errors, validateConsumption(consumesCounters, path, spec.sharedCounters ?? []));
  const perDevice = spec.perDeviceNodeSelection === true;
  return [...errors, ...validateDeviceNodeSelection(device, path, { perDevice })];
}

const semver =
  /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(?:-(?:0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*)(?:\.(?:0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*))*)?(?:\+[0-9a-zA-Z-]+(?:\.[0-9a-zA-Z-]+)*)?$/;

function validateAttribute(attribute: DeviceAttribute, path: string): FieldError[] {
  const { string: text, version } = attribute;
  const errors: FieldError[] = [];
  if (text !== undefined && Buffer.byteLength(text) > maxAttributeValueBytes)
    errors.push(tooLong(`${path}.string`, maxAttributeValueBytes));
  if (version !== undefined) {
    if (Buffer.byteLength(version) > maxAttributeValueBytes)
      errors.push(tooLong(`${path}.version`, maxAttributeValueBytes));
    else if (!semver.test(version)) {
      const detail = 'must be a string compatible with semver.org spec 2.0.0';
      errors.push(invalid(`${path}.version`, version, detail));
    }
  }
  const setCount = Object.values(attribute).filter((value) => value !== undefined).length;
  const rule = 'exactly one value must be specified';
  if (setCount === 0) errors.push(required(path, rule));
  if (setCount > 1) errors.push(invalid(path, formatAttribute(attribute), rule));
  return errors;
}

/** An attribute as Go's %#v prints it. Upstream prints the address of a pointer, which differs per process. */
function formatAttribute(attribute: DeviceAttribute): FormattedValue {
  const pointer = (type: string, value: unknown) =>
    `(*${type})(${value === undefined ? 'nil' : '0xc000000000'})`;
  return new FormattedValue(
    `resource.DeviceAttribute{IntValue:${pointer('int64', attribute.int)}, BoolValue:${pointer('bool', attribute.bool)}, ` +
      `StringValue:${pointer('string', attribute.string)}, VersionValue:${pointer('string', attribute.version)}}`,
  );
}

/** A device has its own node selection only if the slice says so (`perDevice`), and then exactly one. */
function validateDeviceNodeSelection(
  device: DeviceV1beta2,
  path: string,
  { perDevice }: { perDevice: boolean },
): FieldError[] {
  const { nodeName, nodeSelector, allNodes } = device;
  if (!perDevice) {
    if (nodeName === undefined && nodeSelector === undefined && allNodes === undefined) return [];
    const detail =
      '`nodeName`, `nodeSelector` and `allNodes` can only be set if `perDeviceNodeSelection` is set to true in the ResourceSlice spec';
    return [invalid(path, 'null', detail)];
  }
  const errors: FieldError[] = [];
  const setFields: string[] = [];
  if (nodeName === '') errors.push(invalid(`${path}.nodeName`, nodeName, 'must not be empty'));
  else if (nodeName !== undefined) {
    setFields.push('nodeName');
    addErrors(errors, validateSubdomain(nodeName, `${path}.nodeName`));
  }
  if (nodeSelector) {
    setFields.push('nodeSelector');
    addErrors(errors, validateNodeSelector(nodeSelector, `${path}.nodeSelector`));
  }
  if (allNodes) setFields.push('allNodes');
  else if (allNodes === false) errors.push(invalid(`${path}.allNodes`, allNodes, unsetOrTrue));
  const rule =
    'exactly one of `nodeName`, `nodeSelector`, or `allNodes` is required when `perDeviceNodeSelection` is set to true in the ResourceSlice spec';
  if (setFields.length === 0) errors.push(required(path, rule));
  if (setFields.length > 1) errors.push(invalid(path, formatFieldSet(setFields), rule));
  return errors;
}
