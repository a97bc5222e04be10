// Container: validation of volumeMounts and volumeDevices (upstream: ValidateVolumeMounts, ValidateVolumeDevices).
import {
  addErrors,
  type FieldError,
  forbidden,
  invalid,
  notFound,
  notSupported,
  required,
} from '../../errors/field-error.ts';
import type { Container } from './container.ts';
import type { VolumeMount } from './container-mounts.ts';
import { validateDescendingPath, validateNoBacksteps } from './file-path-validation.ts';
import type { VolumeSource } from './volume.ts';

/** The pod's valid volumes by name; containers can mount only these. */
export type MountableVolumes = ReadonlyMap<string, VolumeSource>;

export function validateVolumeMounts(
  container: Container,
  volumes: MountableVolumes,
  path: string,
): FieldError[] {
  const errors: FieldError[] = [];
  const devices = container.volumeDevices ?? [];
  // kube-apiserver keeps the last of several devices with the same name.
  const devicePathByName = new Map(devices.map((device) => [device.name, device.devicePath]));
  const devicePaths = new Set(devicePathByName.values());
  const seenMountPaths = new Set<string>();
  for (const [i, mount] of (container.volumeMounts ?? []).entries()) {
    const fieldPath = `${path}[${i}]`;
    const { name, mountPath, subPath, subPathExpr } = mount;
    if (name === '') errors.push(required(`${fieldPath}.name`));
    if (!volumes.has(name)) errors.push(notFound(`${fieldPath}.name`, name));
    if (mountPath === '') errors.push(required(`${fieldPath}.mountPath`));
    if (seenMountPaths.has(mountPath))
      errors.push(invalid(`${fieldPath}.mountPath`, mountPath, 'must be unique'));
    seenMountPaths.add(mountPath);
    if (devicePathByName.has(name)) {
      errors.push(invalid(`${fieldPath}.name`, name, 'must not already exist in volumeDevices'));
    }
    if (devicePaths.has(mountPath)) {
      errors.push(
        invalid(`${fieldPath}.mountPath`, mountPath, 'must not already exist as a path in volumeDevices'),
      );
    }
    // kube-apiserver omits the mount's index from these paths.
    if (subPath) addErrors(errors, validateDescendingPath(subPath, `${path}.subPath`));
    if (subPathExpr) {
      if (subPath) {
        const detail = 'subPathExpr and subPath are mutually exclusive';
        errors.push(invalid(`${fieldPath}.subPathExpr`, subPathExpr, detail));
      }
      addErrors(errors, validateDescendingPath(subPathExpr, `${path}.subPathExpr`));
    }
    addErrors(errors, validatePropagation(mount, container, `${path}.mountPropagation`));
    addErrors(errors, validateRecursiveReadOnly(mount, `${path}.recursiveReadOnly`));
  }
  return errors;
}

function validatePropagation(
  { mountPropagation }: VolumeMount,
  { securityContext }: Container,
  path: string,
): FieldError[] {
  if (mountPropagation === undefined) return [];
  const errors: FieldError[] = [];
  const modes = ['Bidirectional', 'HostToContainer', 'None'];
  if (!modes.includes(mountPropagation)) errors.push(notSupported(path, mountPropagation, modes));
  if (mountPropagation === 'Bidirectional' && !securityContext?.privileged) {
    const detail = 'Bidirectional mount propagation is available only to privileged containers';
    errors.push(forbidden(path, detail));
  }
  return errors;
}

function validateRecursiveReadOnly(mount: VolumeMount, path: string): FieldError[] {
  const { recursiveReadOnly: mode, readOnly, mountPropagation } = mount;
  if (mode === undefined || mode === 'Disabled') return [];
  if (mode !== 'Enabled' && mode !== 'IfPossible') {
    return [notSupported(path, mode, ['Disabled', 'Enabled', 'IfPossible'])];
  }
  const errors: FieldError[] = [];
  if (!readOnly) errors.push(forbidden(path, 'may only be specified when readOnly is true'));
  if (mountPropagation !== undefined && mountPropagation !== 'None') {
    errors.push(forbidden(path, 'may only be specified when mountPropagation is None or not specified'));
  }
  return errors;
}

export function validateVolumeDevices(
  container: Container,
  volumes: MountableVolumes,
  path: string,
): FieldError[] {
  const errors: FieldError[] = [];
  const mounts = container.volumeMounts ?? [];
  const mountPathByName = new Map(mounts.map((mount) => [mount.name, mount.mountPath]));
  const mountPaths = new Set(mountPathByName.values());
  const seenNames = new Set<string>();
  const seenDevicePaths = new Set<string>();
  for (const [i, { name, devicePath }] of (container.volumeDevices ?? []).entries()) {
    const fieldPath = `${path}[${i}]`;
    if (name === '') errors.push(required(`${fieldPath}.name`));
    if (seenNames.has(name)) errors.push(invalid(`${fieldPath}.name`, name, 'must be unique'));
    const volume = volumes.get(name);
    if (!volume) errors.push(notFound(`${fieldPath}.name`, name));
    else if (!volume.persistentVolumeClaim && !volume.ephemeral) {
      const detail = 'can only use volume source type of PersistentVolumeClaim or Ephemeral for block mode';
      errors.push(invalid(`${fieldPath}.name`, name, detail));
    }
    if (devicePath === '') errors.push(required(`${fieldPath}.devicePath`));
    if (seenDevicePaths.has(devicePath))
      errors.push(invalid(`${fieldPath}.devicePath`, devicePath, 'must be unique'));
    if (validateNoBacksteps(devicePath, path).length > 0) {
      errors.push(invalid(`${fieldPath}.devicePath`, devicePath, "can not contain backsteps ('..')"));
    } else {
      seenDevicePaths.add(devicePath);
    }
    if (mountPathByName.has(name)) {
      errors.push(invalid(`${fieldPath}.name`, name, 'must not already exist in volumeMounts'));
    }
    if (mountPaths.has(devicePath)) {
      errors.push(
        invalid(`${fieldPath}.devicePath`, devicePath, 'must not already exist as a path in volumeMounts'),
      );
    }
    if (name !== '') seenNames.add(name);
  }
  return errors;
}
