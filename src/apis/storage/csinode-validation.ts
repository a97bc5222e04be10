// Validation of CSINode.

import { duplicate, type FieldError, invalid, required } from '../../errors/field-error.ts';
import { goSyntaxOfType } from '../../errors/go-syntax-of-type.ts';
import type { KindContext } from '../../kind/context.ts';
import { validateFinalizersQualified, validateMetadata } from '../../kind/meta/validation.ts';
import { nameIsSubdomain, qualifiedName } from '../../schema/names.ts';
import { validateCsiDriverName } from '../core/csi-driver-name.ts';
import { type CSINode, CSINodeDriver } from './csinode.ts';

const maxNodeIdBytes = 256;

export function validateCsiNode({ metadata, spec }: CSINode, { dialect }: KindContext): FieldError[] {
  const names = new Set<string>();
  return [
    ...validateFinalizersQualified(metadata, dialect),
    ...(spec.drivers ?? []).flatMap((driver, i) => validateDriver(driver, `spec.drivers[${i}]`, names)),
  ];
}

/** Validates a driver. `names` are those of the drivers before it. */
function validateDriver(driver: CSINodeDriver, path: string, names: Set<string>): FieldError[] {
  const { name, nodeID, allocatable, topologyKeys } = driver;
  const errors = validateCsiDriverName(name, `${path}.name`);
  if (nodeID === '') errors.push(required(`${path}.nodeID`));
  if (Buffer.byteLength(nodeID) > maxNodeIdBytes) {
    errors.push(invalid(`${path}.nodeID`, nodeID, `must be ${maxNodeIdBytes} characters or less`));
  }
  const { count } = allocatable ?? {};
  if (count !== undefined && count < 0) {
    errors.push(invalid(`${path}.allocatable.count`, count, 'must be greater than or equal to 0'));
  }
  if (names.has(name)) errors.push(duplicate(`${path}.name`, name));
  names.add(name);
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

/** kube-apiserver validates the whole object twice. */
export function validateCsiNodeUpdate(object: CSINode, old: CSINode, context: KindContext): FieldError[] {
  const validateAsCreate = () => [
    ...validateMetadata(object.metadata, false, nameIsSubdomain),
    ...validateCsiNode(object, context),
  ];
  return [...validateAsCreate(), ...validateAsCreate(), ...validateDriversUnchanged(object, old, context)];
}

/** Drivers are immutable, except for allocatable if the gate MutableCSINodeAllocatableCount is on. */
function validateDriversUnchanged({ spec }: CSINode, old: CSINode, { features }: KindContext): FieldError[] {
  const countMayChange = features.enabled('MutableCSINodeAllocatableCount');
  const compared = (driver: CSINodeDriver): CSINodeDriver => {
    const { allocatable: _, ...rest } = driver;
    return countMayChange ? rest : driver;
  };
  const oldValue = new Map((old.spec.drivers ?? []).map((driver) => [driver.name, driver]));
  return (spec.drivers ?? []).flatMap((driver) => {
    const was = oldValue.get(driver.name);
    if (!was || CSINodeDriver.write(compared(driver)) === CSINodeDriver.write(compared(was))) return [];
    return [invalid('spec.drivers', goSyntaxOfType(CSINodeDriver, compared(driver)), 'field is immutable')];
  });
}
