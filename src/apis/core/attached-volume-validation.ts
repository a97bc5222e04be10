// Volume sources: validation of those that a pod's volumes and PersistentVolumes have in common, one function per
// source.
// Dialect: the domains and names of Kubernetes' API or of Orch's own.
import type { Dialect } from '../../dialect/dialect.ts';
import {
  addErrors,
  type FieldError,
  goStringSlice,
  invalid,
  notSupported,
  required,
} from '../../errors/field-error.ts';
import { dnsLabel } from '../../schema/names.ts';
import type {
  AWSElasticBlockStoreVolumeSource,
  AzureDiskVolumeSource,
  FCVolumeSource,
  FlockerVolumeSource,
  GCEPersistentDiskVolumeSource,
  HostPathVolumeSource,
  NFSVolumeSource,
  QuobyteVolumeSource,
} from './attached-volume-sources.ts';
import { validateNoBacksteps } from './file-path-validation.ts';

/** Reports a required error for each named field that is empty. */
export function validateFieldsPresent<T extends object>(
  source: T,
  path: string,
  ...fields: (keyof T & string)[]
): FieldError[] {
  const isEmpty = (value: unknown) =>
    value === undefined || value === '' || (Array.isArray(value) && value.length === 0);
  return fields.filter((name) => isEmpty(source[name])).map((name) => required(`${path}.${name}`));
}

export function validateRange(value: number, path: string, min: number, max: number): FieldError[] {
  if (value >= min && value <= max) return [];
  return [invalid(path, value, `must be between ${min} and ${max}, inclusive`)];
}

export function validateHostPath({ path: hostPath, type }: HostPathVolumeSource, path: string): FieldError[] {
  if (hostPath === '') return [required(`${path}.path`)];
  const errors = validateNoBacksteps(hostPath, `${path}.path`);
  if (type !== undefined && !hostPathTypes.includes(type)) {
    errors.push(notSupported(`${path}.type`, type, hostPathTypes));
  }
  return errors;
}

const hostPathTypes: readonly string[] = [
  '',
  'BlockDevice',
  'CharDevice',
  'Directory',
  'DirectoryOrCreate',
  'File',
  'FileOrCreate',
  'Socket',
];

export function validateGceDisk(source: GCEPersistentDiskVolumeSource, path: string): FieldError[] {
  return [...validateFieldsPresent(source, path, 'pdName'), ...validatePartition(source.partition, path)];
}

export function validateAwsDisk(source: AWSElasticBlockStoreVolumeSource, path: string): FieldError[] {
  return [...validateFieldsPresent(source, path, 'volumeID'), ...validatePartition(source.partition, path)];
}

/** Partition 0 means the whole disk and is accepted, although kube-apiserver's message says 1 to 255. */
function validatePartition(partition = 0, path: string): FieldError[] {
  return partition === 0 ? [] : validateRange(partition, `${path}.partition`, 1, 255);
}

export function validateNfs(source: NFSVolumeSource, path: string): FieldError[] {
  const errors = validateFieldsPresent(source, path, 'server', 'path');
  if (!source.path.startsWith('/'))
    errors.push(invalid(`${path}.path`, source.path, 'must be an absolute path'));
  return errors;
}

interface IscsiTarget {
  targetPortal: string;
  iqn: string;
  lun: number;
  chapAuthDiscovery?: boolean;
  chapAuthSession?: boolean;
  secretRef?: unknown;
}

/** Validates iqn, lun and the CHAP secret. Callers validate targetPortal, since its errors come first. */
export function validateIscsiTarget(source: IscsiTarget, path: string): FieldError[] {
  const errors: FieldError[] = [];
  if (source.iqn === '') errors.push(required(`${path}.iqn`));
  else addErrors(errors, validateIscsiName(source.iqn, `${path}.iqn`));
  addErrors(errors, validateRange(source.lun, `${path}.lun`, 0, 255));
  if ((source.chapAuthDiscovery || source.chapAuthSession) && source.secretRef === undefined) {
    errors.push(required(`${path}.secretRef`));
  }
  return errors;
}

/** iSCSI name formats by prefix. The dot after eui and naa is unescaped, so it matches any character. */
const iscsiNames = {
  iqn: /^iqn\.[0-9]{4}-[0-9]{2}\.[A-Za-z0-9.-]+:[^,;*&$|\t\n\f\r ]+$/,
  eui: /^eui.[A-Za-z0-9]{16}$/,
  naa: /^naa.[A-Za-z0-9]{32}$/,
};

export function isIscsiQualifiedName(name: string): boolean {
  return iscsiNames.iqn.test(name);
}

export function validateIscsiName(name: string, path: string): FieldError[] {
  for (const [prefix, pattern] of Object.entries(iscsiNames)) {
    if (name.startsWith(prefix))
      return pattern.test(name) ? [] : [invalid(path, name, 'must be valid format')];
  }
  return [invalid(path, name, 'must be valid format starting with iqn, eui, or naa')];
}

const maxIscsiInterfaceNameBytes = 64;

/**
 * The kubelet's interface name is `<targetPortal>:<volumeName>`, which open-iscsi limits in length. Counts bytes,
 * although the message says characters.
 */
export function isIscsiNameTooLong(volumeName: string, targetPortal: string): boolean {
  return Buffer.byteLength(volumeName) + 1 + Buffer.byteLength(targetPortal) > maxIscsiInterfaceNameBytes;
}

export const iscsiNameTooLongMessage =
  'Total length of <volume name>:<iscsi.targetPortal> must be under 64 characters if iscsi.initiatorName is specified.';

export function validateFlocker(source: FlockerVolumeSource, path: string): FieldError[] {
  const { datasetName = '', datasetUUID = '' } = source;
  const errors: FieldError[] = [];
  if (datasetName === '' && datasetUUID === '') {
    errors.push(required(path, 'one of datasetName and datasetUUID is required'));
  }
  if (datasetName !== '' && datasetUUID !== '') {
    const detail = 'datasetName and datasetUUID can not be specified simultaneously';
    // kube-apiserver prints the word `resource` as the bad value.
    errors.push(invalid(path, 'resource', detail));
  }
  if (datasetName.includes('/'))
    errors.push(invalid(`${path}.datasetName`, datasetName, "must not contain '/'"));
  return errors;
}

const hostAndPort = /^(?:\[[^[\]]*\]|[^:[\]]*):[^:[\]]*$/;

export function validateQuobyte(source: QuobyteVolumeSource, path: string): FieldError[] {
  const detail = 'must be a host:port pair or multiple pairs separated by commas';
  const errors: FieldError[] = [];
  if (source.registry === '') errors.push(required(`${path}.registry`, detail));
  else if (!source.registry.split(',').every((pair) => hostAndPort.test(pair))) {
    errors.push(invalid(`${path}.registry`, source.registry, detail));
  }
  return [...errors, ...validateFieldsPresent(source, path, 'volume')];
}

export function validateFibreChannel(source: FCVolumeSource, path: string): FieldError[] {
  const { targetWWNs = [], wwids = [], lun } = source;
  if (targetWWNs.length === 0 && wwids.length === 0) {
    return [required(`${path}.targetWWNs`, 'must specify either targetWWNs or wwids, but not both')];
  }
  if (targetWWNs.length > 0 && wwids.length > 0) {
    const detail = 'targetWWNs and wwids can not be specified simultaneously';
    return [invalid(`${path}.targetWWNs`, goStringSlice(targetWWNs), detail)];
  }
  if (wwids.length > 0) return [];
  if (lun === undefined) return [required(`${path}.lun`, 'lun is required if targetWWNs is specified')];
  return validateRange(lun, `${path}.lun`, 0, 255);
}

/** Option keys under the project's own domains are reserved: the kubelet passes its own options to the driver there. */
export function validateFlexVolume(
  source: { driver: string; options?: Record<string, string> },
  path: string,
  { reservedDomains }: Dialect,
): FieldError[] {
  const errors = validateFieldsPresent(source, path, 'driver');
  for (const key in source.options) {
    // The leading dots make the suffix match whole DNS labels only.
    const domain = `.${key.split('/', 1)[0]!.toLowerCase()}`;
    if (!reservedDomains.some((reserved) => domain.endsWith(`.${reserved}`))) continue;
    const detail = `${reservedDomains.join(' and ')} namespaces are reserved`;
    errors.push(invalid(`${path}.options[${key}]`, key, detail));
  }
  return errors;
}

const cachingModes: readonly string[] = ['None', 'ReadOnly', 'ReadWrite'];
const diskKinds: readonly string[] = ['Dedicated', 'Managed', 'Shared'];
/** Printed as the supported value of diskURI. */
const managedDiskPattern =
  '/subscriptions/{sub-id}/resourcegroups/{group-name}/providers/microsoft.compute/disks/{disk-id}';
const blobDiskPattern = 'https://{account-name}.blob.core.windows.net/{container-name}/{disk-name}.vhd';

export function validateAzureDisk(source: AzureDiskVolumeSource, path: string): FieldError[] {
  const { diskURI, cachingMode, kind } = source;
  const errors = validateFieldsPresent(source, path, 'diskName', 'diskURI');
  if (cachingMode !== undefined && !cachingModes.includes(cachingMode)) {
    errors.push(notSupported(`${path}.cachingMode`, cachingMode, cachingModes));
  }
  if (kind !== undefined && !diskKinds.includes(kind)) {
    errors.push(notSupported(`${path}.kind`, kind, diskKinds));
  }
  const [prefix, pattern] =
    kind === 'Managed' ? ['/subscriptions', managedDiskPattern] : ['https://', blobDiskPattern];
  if (!diskURI.startsWith(prefix!)) errors.push(notSupported(`${path}.diskURI`, diskURI, [pattern!]));
  return errors;
}

export function validateStorageOs(
  source: { volumeName?: string; volumeNamespace?: string },
  path: string,
): FieldError[] {
  const validateLabel = (name: 'volumeName' | 'volumeNamespace') =>
    dnsLabel(source[name]!).map((problem) => invalid(`${path}.${name}`, source[name], problem));
  return [
    ...(source.volumeName ? validateLabel('volumeName') : [required(`${path}.volumeName`)]),
    ...(source.volumeNamespace ? validateLabel('volumeNamespace') : []),
  ];
}
