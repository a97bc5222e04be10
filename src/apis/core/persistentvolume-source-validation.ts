// PersistentVolumeSource: validation of the source of a PersistentVolume, one validator per source. Field names in
// paths that differ from those of the API (cephFS, persistentDisk, targetportal, initiatorname) are kube-apiserver's.
import type { Dialect } from '../../dialect/dialect.ts';
import { addErrors, type FieldError, forbidden, invalid, required } from '../../errors/field-error.ts';
import { dnsLabel, dnsSubdomain } from '../../schema/names.ts';
import {
  iscsiNameTooLongMessage,
  isIscsiNameTooLong,
  isIscsiQualifiedName,
  validateAwsDisk,
  validateAzureDisk,
  validateFibreChannel,
  validateFieldsPresent,
  validateFlexVolume,
  validateFlocker,
  validateGceDisk,
  validateHostPath,
  validateIscsiTarget,
  validateNfs,
  validateQuobyte,
  validateStorageOs,
} from './attached-volume-validation.ts';
import { validateCsiDriverName } from './csi-driver-name.ts';
import { validateNoBacksteps } from './file-path-validation.ts';
import type { SecretReference } from './local-object-reference.ts';
import type { PersistentVolumeSpec } from './persistentvolume.ts';
import type {
  AzureFilePersistentVolumeSource,
  CSIPersistentVolumeSource,
  GlusterfsPersistentVolumeSource,
  ISCSIPersistentVolumeSource,
  LocalVolumeSource,
  PersistentVolumeSource,
} from './persistentvolume-sources.ts';

/** Exactly one source must be set. Of several, kube-apiserver validates the first and rejects the others. */
export function validatePersistentVolumeSource(
  spec: PersistentVolumeSpec,
  path: string,
  volumeName: string,
  dialect: Dialect,
): FieldError[] {
  const names = sourceNames.filter((name) => spec[name] !== undefined);
  if (names.length === 0) return [required(path, 'must specify a volume type')];
  return names.flatMap((name, i) => {
    // kube-apiserver validates flexVolume even if another source is set.
    if (i === 0 || name === 'flexVolume')
      return runSourceValidator(name, spec, { volumeName, dialect, specPath: path });
    const fieldPath = `${path}.${name === 'cephfs' ? 'cephFS' : name}`;
    return [forbidden(fieldPath, 'may not specify more than 1 volume type')];
  });
}

/** Whether the source supports mount options, which an annotation carried before `spec.mountOptions` existed. */
export function supportsMountOptions(source: PersistentVolumeSource): boolean {
  return sourcesWithMountOptions.some((name) => source[name] !== undefined);
}

const sourcesWithMountOptions = [
  'gcePersistentDisk',
  'awsElasticBlockStore',
  'glusterfs',
  'nfs',
  'rbd',
  'quobyte',
  'cephfs',
  'iscsi',
  'cinder',
  'azureFile',
  'vsphereVolume',
  'photonPersistentDisk',
  'azureDisk',
] as const;

type Sources = { [K in keyof PersistentVolumeSource]-?: NonNullable<PersistentVolumeSource[K]> };
interface PersistentVolumeSourceContext {
  readonly volumeName: string;
  readonly dialect: Dialect;
  /** The field path of the PersistentVolumeSpec. */
  readonly specPath: string;
}
type SourceValidator<T> = (
  source: T,
  path: string,
  context: PersistentVolumeSourceContext,
  spec: PersistentVolumeSpec,
) => FieldError[];

function runSourceValidator<K extends keyof Sources>(
  name: K,
  spec: PersistentVolumeSpec,
  context: PersistentVolumeSourceContext,
): FieldError[] {
  const validate: SourceValidator<Sources[K]> = sourceValidators[name];
  const fieldName = name === 'gcePersistentDisk' ? 'persistentDisk' : name;
  return validate(spec[name] as Sources[K], `${context.specPath}.${fieldName}`, context, spec);
}

/** Keys in kube-apiserver's validation order. */
const sourceValidators: { readonly [K in keyof Sources]: SourceValidator<Sources[K]> } = {
  hostPath: validateHostPath,
  gcePersistentDisk: validateGceDisk,
  awsElasticBlockStore: validateAwsDisk,
  glusterfs: validateGlusterfs,
  flocker: validateFlocker,
  nfs: validateNfs,
  rbd: (source, path) => validateFieldsPresent(source, path, 'monitors', 'image'),
  quobyte: validateQuobyte,
  cephfs: (source, path) => validateFieldsPresent(source, path, 'monitors'),
  iscsi: validateIscsi,
  cinder: (source, path) => [
    ...validateFieldsPresent(source, path, 'volumeID'),
    ...(source.secretRef
      ? validateFieldsPresent(source.secretRef, `${path}.secretRef`, 'name', 'namespace')
      : []),
  ],
  fc: validateFibreChannel,
  flexVolume: (source, path, { dialect }) => validateFlexVolume(source, path, dialect),
  azureFile: validateAzureFile,
  vsphereVolume: (source, path) => validateFieldsPresent(source, path, 'volumePath'),
  photonPersistentDisk: (source, path) => validateFieldsPresent(source, path, 'pdID'),
  portworxVolume: (source, path) => validateFieldsPresent(source, path, 'volumeID'),
  azureDisk: validateAzureDisk,
  scaleIO: (source, path) => validateFieldsPresent(source, path, 'gateway', 'system', 'volumeName'),
  local: validateLocal,
  storageos: (source, path) => [
    ...validateStorageOs(source, path),
    ...(source.secretRef
      ? validateFieldsPresent(source.secretRef, `${path}.secretRef`, 'name', 'namespace')
      : []),
  ],
  csi: validateCsi,
};
const sourceNames = Object.keys(sourceValidators) as (keyof Sources)[];

function validateGlusterfs(source: GlusterfsPersistentVolumeSource, path: string): FieldError[] {
  const errors = validateFieldsPresent(source, path, 'endpoints', 'path');
  const { endpointsNamespace: namespace } = source;
  if (namespace === undefined) return errors;
  const problems =
    namespace === ''
      ? ['if the endpointnamespace is set, it must be a valid namespace name']
      : dnsLabel(namespace);
  return [...errors, ...problems.map((problem) => invalid(`${path}.endpointsNamespace`, namespace, problem))];
}

function validateIscsi(
  source: ISCSIPersistentVolumeSource,
  path: string,
  { volumeName }: PersistentVolumeSourceContext,
): FieldError[] {
  const { targetPortal, initiatorName, secretRef } = source;
  const errors = validateFieldsPresent(source, path, 'targetPortal');
  if (initiatorName !== undefined && isIscsiNameTooLong(volumeName, targetPortal)) {
    errors.push(invalid(`${path}.targetportal`, targetPortal, iscsiNameTooLongMessage));
  }
  addErrors(errors, validateIscsiTarget(source, path));
  if (secretRef) addErrors(errors, validateFieldsPresent(secretRef, `${path}.secretRef`, 'name'));
  if (initiatorName !== undefined && !isIscsiQualifiedName(initiatorName)) {
    errors.push(invalid(`${path}.initiatorname`, initiatorName, 'must be valid format'));
  }
  return errors;
}

function validateAzureFile(source: AzureFilePersistentVolumeSource, path: string): FieldError[] {
  const errors = validateFieldsPresent(source, path, 'secretName', 'shareName');
  if (source.secretNamespace === '') errors.push(required(`${path}.secretNamespace`));
  return errors;
}

function validateLocal(
  source: LocalVolumeSource,
  path: string,
  { specPath }: PersistentVolumeSourceContext,
  { nodeAffinity }: PersistentVolumeSpec,
): FieldError[] {
  const errors = validateFieldsPresent(source, path, 'path');
  if (source.path !== '') addErrors(errors, validateNoBacksteps(source.path, `${path}.path`));
  if (nodeAffinity) return errors;
  return [...errors, required(`${specPath}.nodeAffinity`, 'Local volume requires node affinity')];
}

const csiSecrets = [
  'controllerPublishSecretRef',
  'controllerExpandSecretRef',
  'nodePublishSecretRef',
  'nodeExpandSecretRef',
] as const;

/** kube-apiserver does not validate nodeStageSecretRef. */
function validateCsi(source: CSIPersistentVolumeSource, path: string): FieldError[] {
  return [
    ...validateCsiDriverName(source.driver, `${path}.driver`),
    ...validateFieldsPresent(source, path, 'volumeHandle'),
    ...csiSecrets.flatMap((name) => (source[name] ? validateSecret(source[name], `${path}.${name}`) : [])),
  ];
}

function validateSecret({ name = '', namespace = '' }: SecretReference, path: string): FieldError[] {
  const validateName = (text: string, fieldPath: string, rule: (text: string) => string[]) =>
    text === '' ? [required(fieldPath)] : rule(text).map((problem) => invalid(fieldPath, text, problem));
  return [
    ...validateName(name, `${path}.name`, dnsSubdomain),
    ...validateName(namespace, `${path}.namespace`, dnsLabel),
  ];
}
