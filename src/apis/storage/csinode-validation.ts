// CSINode: validation on create and update (upstream: ValidateCSINode, ValidateCSINodeUpdate).

import { duplicate, type FieldError, invalid, required } from '../../errors/field-error.ts';
import { goSyntaxOfType } from '../../errors/go-syntax-of-type.ts';
import type { KindContext } from '../../kind/context.ts';
import { validateFinalizersQualified, validateMetadata } from '../../kind/meta/validation.ts';
import { nameIsSubdomain, qualifiedName } from '../../schema/names.ts';
import { validateCsiDriverName } from '../core/csi-driver-name.ts';
import { type CSINode, CSINodeDriver } from './csinode.ts';

const maxNodeIdBytes = 256;

export function validateCsiNode({ metadata, spec }: CSINode, { dialect }: KindContext): FieldError[] {
  const seenNames = new Set<string>();
  return [
    ...validateFinalizersQualified(metadata, dialect),
    ...(spec.drivers ?? []).flatMap((driver, i) => validateDriver(driver, `spec.drivers[${i}]`, seenNames)),
  ];
}

/** Validates a driver. `seenNames` has the names of the earlier ones, and gets that of this one. */
function validateDriver(driver: CSINodeDriver, path: string, seenNames: Set<string>): FieldError[] {
  const { name, nodeID, allocatable, topologyKeys } = driver;
  const errors = validateCsiDriverName(name, `${path}.name`);
  if (nodeID === '') errors.push(required(`${path}.nodeID`));
  // Counts bytes, although the message says characters.
  if (Buffer.byteLength(nodeID) > maxNodeIdBytes) {
    errors.push(invalid(`${path}.nodeID`, nodeID, `must be ${maxNodeIdBytes} characters or less`));
  }
  const { count } = allocatable ?? {};
  if (count !== undefined && count < 0) {
    errors.push(invalid(`${path}.allocatable.count`, count, 'must be greater than or equal to 0'));
  }
  if (seenNames.has(name)) errors.push(duplicate(`${path}.name`, name));
  seenNames.add(name);
  return [...errors, ...validateTopologyKeys(topologyKeys ?? [], path)];
}

/** As in kube-apiserver, the errors name the driver rather than the key. */
function validateTopologyKeys(keys: readonly string[], path: string): FieldError[] {
  const seen = new Set<string>();
  return keys.flatMap((key) => {
    const errors = key === '' ? [required(path)] : [];
    if (seen.has(key)) errors.push(duplicate(path, key));
    seen.add(key);
    return [...errors, ...qualifiedName(key).map((problem) => invalid(path, key, problem))];
  });
}

/** kube-apiserver runs create validation again on update, so each error appears twice. */
export function validateCsiNodeUpdate(object: CSINode, old: CSINode, context: KindContext): FieldError[] {
  const validateAsCreate = () => [
    ...validateMetadata(object.metadata, { namespaced: false, nameRule: nameIsSubdomain }),
    ...validateCsiNode(object, context),
  ];
  return [...validateAsCreate(), ...validateAsCreate(), ...validateDriversUnchanged(object, old, context)];
}

/** Drivers are immutable, except for allocatable if the gate MutableCSINodeAllocatableCount is on. */
function validateDriversUnchanged({ spec }: CSINode, old: CSINode, { features }: KindContext): FieldError[] {
  const countMayChange = features.enabled('MutableCSINodeAllocatableCount');
  const withoutMutableFields = (driver: CSINodeDriver): CSINodeDriver => {
    const { allocatable: _allocatable, ...immutableFields } = driver;
    return countMayChange ? immutableFields : driver;
  };
  const oldDriversByName = new Map((old.spec.drivers ?? []).map((driver) => [driver.name, driver]));
  return (spec.drivers ?? []).flatMap((driver) => {
    const oldDriver = oldDriversByName.get(driver.name);
    if (!oldDriver) return []; // drivers may be added
    const comparedDriver = withoutMutableFields(driver);
    const isSame =
      CSINodeDriver.write(comparedDriver) === CSINodeDriver.write(withoutMutableFields(oldDriver));
    if (isSame) return [];
    return [invalid('spec.drivers', goSyntaxOfType(CSINodeDriver, comparedDriver), 'field is immutable')];
  });
}
