// Volume: validation of the volumes of pods and pod templates, with one validator per source (upstream:
// ValidateVolumes).
// Dialect rules: rules in which Orch's own API differs from Kubernetes'.
import {
  addErrors,
  duplicate,
  type FieldError,
  forbidden,
  invalid,
  notSupported,
  required,
} from '../../errors/field-error.ts';
import { quote } from '../../errors/quote.ts';
import type { KindContext } from '../../kind/context.ts';
import { dnsLabel, dnsSubdomain } from '../../schema/names.ts';
import {
  iscsiNameTooLongMessage,
  isIscsiNameTooLong,
  validateAwsDisk,
  validateAzureDisk,
  validateFibreChannel,
  validateFieldsPresent,
  validateFlexVolume,
  validateFlocker,
  validateGceDisk,
  validateHostPath,
  validateIscsiName,
  validateIscsiTarget,
  validateNfs,
  validateQuobyte,
  validateStorageOs,
} from './attached-volume-validation.ts';
import { validateCsiDriverName } from './csi-driver-name.ts';
import { validateDescendingPath } from './file-path-validation.ts';
import { validateClaimTemplate } from './persistentvolumeclaim-validation.ts';
import type {
  CSIVolumeSource,
  EmptyDirVolumeSource,
  EphemeralVolumeSource,
  GitRepoVolumeSource,
  ImageVolumeSource,
  ISCSIVolumeSource,
} from './pod-volume-sources.ts';
import {
  validateConfigMapVolume,
  validateDownwardVolume,
  validateProjectedVolume,
  validateSecretVolume,
} from './projected-volume-validation.ts';
import { mustParseQuantity } from './resource-list.ts';
import type { Volume, VolumeSource } from './volume.ts';

/** The context of the volumes of one pod or pod template. */
export interface VolumesContext extends KindContext {
  /** Name of the pod; absent for pod templates. */
  readonly podName?: string;
}

export interface ValidatedVolumes {
  readonly errors: FieldError[];
  /** The valid volumes by name; containers can mount only these. */
  readonly sources: ReadonlyMap<string, VolumeSource>;
}

/** Validates the volumes of a pod or pod template. `path` is their field path, e.g. `spec.volumes`. */
export function validateVolumes(
  volumes: readonly Volume[],
  path: string,
  context: VolumesContext,
): ValidatedVolumes {
  const errors: FieldError[] = [];
  const sources = new Map<string, VolumeSource>();
  const ephemeralClaimNames = new Set<string>();
  if (context.podName) {
    for (const { name, ephemeral } of volumes)
      if (ephemeral) ephemeralClaimNames.add(`${context.podName}-${name}`);
  }
  for (const [i, volume] of volumes.entries()) {
    const fieldPath = `${path}[${i}]`;
    const volumeErrors = validateVolume(volume, fieldPath, context);
    if (sources.has(volume.name)) volumeErrors.push(duplicate(`${fieldPath}.name`, volume.name));
    if (volumeErrors.length === 0) sources.set(volume.name, volume);
    for (const error of volumeErrors) errors.push(error);
    const claimName = volume.persistentVolumeClaim?.claimName ?? '';
    if (ephemeralClaimNames.has(claimName)) {
      const detail = 'must not reference a PVC that gets created for an ephemeral volume';
      errors.push(invalid(`${fieldPath}.persistentVolumeClaim.claimName`, claimName, detail));
    }
  }
  return { errors, sources };
}

function validateVolume(volume: Volume, path: string, context: VolumesContext): FieldError[] {
  const errors = validateSource(volume, path, context);
  const { name } = volume;
  if (name === '') errors.push(required(`${path}.name`));
  else
    addErrors(
      errors,
      dnsLabel(name).map((problem) => invalid(`${path}.name`, name, problem)),
    );
  return errors;
}

/** Exactly one source must be set. Of several, kube-apiserver validates the first and rejects the others. */
function validateSource(volume: Volume, path: string, context: VolumesContext): FieldError[] {
  const names = sourceNames.filter((name) => volume[name] !== undefined);
  const [first, ...others] = names;
  if (first === undefined) return [required(path, 'must specify a volume type')];
  return [
    ...runSourceValidator(first, volume, path, context),
    ...others.map((name) =>
      forbidden(`${path}.${pathNameWhenRejected[name] ?? name}`, 'may not specify more than 1 volume type'),
    ),
  ];
}

type Sources = { [K in keyof VolumeSource]-?: NonNullable<VolumeSource[K]> };
interface VolumeSourceContext extends VolumesContext {
  /** Field path and name of the volume. */
  readonly volume: { readonly path: string; readonly name: string };
}
type SourceValidator<T> = (source: T, path: string, sourceContext: VolumeSourceContext) => FieldError[];

function runSourceValidator<K extends keyof Sources>(
  name: K,
  volume: Volume,
  path: string,
  context: VolumesContext,
): FieldError[] {
  const validate: SourceValidator<Sources[K]> = sourceValidators[name];
  const fieldPath = `${path}.${pathNameWhenValidated[name] ?? name}`;
  return validate(volume[name] as Sources[K], fieldPath, {
    ...context,
    volume: { path, name: volume.name },
  });
}

/** kube-apiserver misspells some sources in error paths (`downwarAPI`); clients see these exact texts. */
const pathNameWhenRejected: Partial<Record<keyof VolumeSource, string>> = {
  cephfs: 'cephFS',
  downwardAPI: 'downwarAPI',
};
const pathNameWhenValidated: Partial<Record<keyof VolumeSource, string>> = {
  gcePersistentDisk: 'persistentDisk',
};

/** Keys in kube-apiserver's validation order. */
const sourceValidators: { readonly [K in keyof Sources]: SourceValidator<Sources[K]> } = {
  emptyDir: validateEmptyDir,
  hostPath: validateHostPath,
  gitRepo: validateGitRepo,
  gcePersistentDisk: validateGceDisk,
  awsElasticBlockStore: validateAwsDisk,
  secret: validateSecretVolume,
  nfs: validateNfs,
  iscsi: validateIscsi,
  glusterfs: (source, path) => validateFieldsPresent(source, path, 'endpoints', 'path'),
  flocker: validateFlocker,
  persistentVolumeClaim: (source, path) => validateFieldsPresent(source, path, 'claimName'),
  rbd: (source, path) => validateFieldsPresent(source, path, 'monitors', 'image'),
  cinder: (source, path) => [
    ...validateFieldsPresent(source, path, 'volumeID'),
    ...(source.secretRef ? validateFieldsPresent(source.secretRef, `${path}.secretRef`, 'name') : []),
  ],
  cephfs: (source, path) => validateFieldsPresent(source, path, 'monitors'),
  quobyte: validateQuobyte,
  downwardAPI: validateDownwardVolume,
  fc: validateFibreChannel,
  flexVolume: (source, path, { dialect }) => validateFlexVolume(source, path, dialect),
  configMap: validateConfigMapVolume,
  azureFile: (source, path) => validateFieldsPresent(source, path, 'secretName', 'shareName'),
  vsphereVolume: (source, path) => validateFieldsPresent(source, path, 'volumePath'),
  photonPersistentDisk: (source, path) => validateFieldsPresent(source, path, 'pdID'),
  portworxVolume: (source, path) => validateFieldsPresent(source, path, 'volumeID'),
  azureDisk: validateAzureDisk,
  storageos: (source, path) => [
    ...validateStorageOs(source, path),
    ...(source.secretRef ? validateFieldsPresent(source.secretRef, `${path}.secretRef`, 'name') : []),
  ],
  projected: (source, path, { dialect }) => validateProjectedVolume(source, path, dialect.rules),
  scaleIO: (source, path) => validateFieldsPresent(source, path, 'gateway', 'system', 'volumeName'),
  csi: validateCsi,
  ephemeral: validateEphemeral,
  image: validateImage,
};
const sourceNames = Object.keys(sourceValidators) as (keyof Sources)[];

function validateEmptyDir({ sizeLimit }: EmptyDirVolumeSource, path: string): FieldError[] {
  if (sizeLimit === undefined || mustParseQuantity(sizeLimit).amount >= 0n) return [];
  return [forbidden(`${path}.sizeLimit`, 'SizeLimit field must be a valid resource quantity')];
}

function validateGitRepo(source: GitRepoVolumeSource, path: string): FieldError[] {
  return [
    ...validateFieldsPresent(source, path, 'repository'),
    ...validateDescendingPath(source.directory ?? '', `${path}.directory`),
  ];
}

function validateIscsi(
  source: ISCSIVolumeSource,
  path: string,
  { volume }: VolumeSourceContext,
): FieldError[] {
  const { initiatorName, targetPortal } = source;
  const errors = [
    ...validateFieldsPresent(source, path, 'targetPortal'),
    ...validateIscsiTarget(source, path),
  ];
  if (initiatorName === undefined) return errors;
  addErrors(errors, validateIscsiName(initiatorName, `${path}.initiatorname`));
  if (isIscsiNameTooLong(volume.name, targetPortal)) {
    errors.push(invalid(`${volume.path}.name`, volume.name, iscsiNameTooLongMessage));
  }
  return errors;
}

/** kube-apiserver omits `nodePublishSecretRef` from the path of an invalid Secret name. */
function validateCsi({ driver, nodePublishSecretRef }: CSIVolumeSource, path: string): FieldError[] {
  const errors = validateCsiDriverName(driver, `${path}.driver`);
  if (!nodePublishSecretRef) return errors;
  const { name = '' } = nodePublishSecretRef;
  if (name === '') return [...errors, required(`${path}.nodePublishSecretRef.name`)];
  return [...errors, ...dnsSubdomain(name).map((problem) => invalid(`${path}.name`, name, problem))];
}

/** The claim's name is `<pod>-<volume>`, which must be a valid name. */
function validateEphemeral(
  { volumeClaimTemplate }: EphemeralVolumeSource,
  path: string,
  { podName, volume, features }: VolumeSourceContext,
): FieldError[] {
  const errors = volumeClaimTemplate
    ? validateClaimTemplate(volumeClaimTemplate, `${path}.volumeClaimTemplate`, features)
    : [required(`${path}.volumeClaimTemplate`)];
  if (!podName || volume.name === '') return errors;
  const claimName = `${podName}-${volume.name}`;
  return [
    ...errors,
    ...dnsSubdomain(claimName).map((problem) =>
      invalid(`${volume.path}.name`, volume.name, `PVC name ${quote(claimName)}: ${problem}`),
    ),
  ];
}

const pullPolicies: readonly string[] = ['Always', 'IfNotPresent', 'Never'];

function validateImage({ pullPolicy = '' }: ImageVolumeSource, path: string): FieldError[] {
  return pullPolicies.includes(pullPolicy)
    ? []
    : [notSupported(`${path}.pullPolicy`, pullPolicy, pullPolicies)];
}
