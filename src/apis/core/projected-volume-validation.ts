// Secret, ConfigMap, downwardAPI and projected volumes: validation.
import type { DialectRules } from '../../dialect/dialect.ts';
import { addErrors, type FieldError, forbidden, invalid, required } from '../../errors/field-error.ts';
import { goSyntaxOfType } from '../../errors/go-syntax-of-type.ts';
import { formattedLabelSelector } from '../../kind/meta/format-labels.ts';
import { validateLabelSelector } from '../../kind/meta/label-selector-rules.ts';
import { clusterTrustBundleNameRule, validateSignerName } from '../certificates/signer-name.ts';
import { validateFieldReference, validateResourceReference } from './field-reference-validation.ts';
import { validateFileMode, validateFilePath } from './file-path-validation.ts';
import {
  ClusterTrustBundleProjection,
  type ConfigMapVolumeSource,
  type DownwardAPIVolumeFile,
  type DownwardAPIVolumeSource,
  type KeyToPath,
  type ProjectedVolumeSource,
  type SecretVolumeSource,
  type ServiceAccountTokenProjection,
  type VolumeProjection,
} from './projected-volume.ts';
import { validateTokenLifetime } from './token-lifetime.ts';

export function validateSecretVolume(source: SecretVolumeSource, path: string): FieldError[] {
  return [
    ...(source.secretName ? [] : [required(`${path}.secretName`)]),
    ...validateFileMode(source.defaultMode, `${path}.defaultMode`),
    ...validateItems(source.items, path),
  ];
}

export function validateConfigMapVolume(source: ConfigMapVolumeSource, path: string): FieldError[] {
  return [
    ...(source.name ? [] : [required(`${path}.name`)]),
    ...validateFileMode(source.defaultMode, `${path}.defaultMode`),
    ...validateItems(source.items, path),
  ];
}

function validateItems(items: readonly KeyToPath[] = [], path: string): FieldError[] {
  return items.flatMap((item, i) => validateItem(item, `${path}.items[${i}]`));
}

function validateItem({ key, path: file, mode }: KeyToPath, path: string): FieldError[] {
  return [
    ...(key ? [] : [required(`${path}.key`)]),
    ...validateFilePath(file, `${path}.path`),
    ...validateFileMode(mode, `${path}.mode`),
  ];
}

export function validateDownwardVolume(source: DownwardAPIVolumeSource, path: string): FieldError[] {
  return [
    ...validateFileMode(source.defaultMode, `${path}.defaultMode`),
    ...validateFiles(source.items, path),
  ];
}

const downwardFields = [
  'metadata.annotations',
  'metadata.labels',
  'metadata.name',
  'metadata.namespace',
  'metadata.uid',
];

/** kube-apiserver reports errors at the volume's path, without the item's index. */
function validateFiles(files: readonly DownwardAPIVolumeFile[] = [], path: string): FieldError[] {
  return files.flatMap((file) => validateFile(file, path));
}

function validateFile(file: DownwardAPIVolumeFile, path: string): FieldError[] {
  return [
    ...validateFilePath(file.path, `${path}.path`),
    ...validateContent(file, path),
    ...validateFileMode(file.mode, `${path}.mode`),
  ];
}

function validateContent({ fieldRef, resourceFieldRef }: DownwardAPIVolumeFile, path: string): FieldError[] {
  if (fieldRef) {
    const errors = validateFieldReference(fieldRef, `${path}.fieldRef`, downwardFields);
    if (resourceFieldRef) {
      const detail = 'fieldRef and resourceFieldRef can not be specified simultaneously';
      // kube-apiserver prints the word `resource` as the bad value.
      errors.push(invalid(path, 'resource', detail));
    }
    return errors;
  }
  if (resourceFieldRef)
    return validateResourceReference(resourceFieldRef, `${path}.resourceFieldRef`, {
      requiresContainerName: true,
    });
  return [required(path, 'one of fieldRef and resourceFieldRef is required')];
}

/** Upstream accepts a projection without a source; the rule projectionsHaveOneSource of a dialect rejects it. */
export function validateProjectedVolume(
  source: ProjectedVolumeSource,
  path: string,
  { projectionsHaveOneSource }: DialectRules,
): FieldError[] {
  const seenPaths = new Set<string>();
  return [
    ...validateFileMode(source.defaultMode, `${path}.defaultMode`),
    ...(source.sources ?? []).flatMap((projection, i) =>
      projectionsHaveOneSource && hasNoSource(projection)
        ? [required(`${path}.sources[${i}]`, 'must specify a volume type')]
        : validateProjection(projection, path, i, seenPaths),
    ),
  ];
}

const hasNoSource = (projection: VolumeProjection) =>
  Object.values(projection).every((source) => source === undefined);

/** Validates one projection. `seenPaths` has the file paths of the earlier ones, and gets those of this one. */
function validateProjection(
  projection: VolumeProjection,
  volumePath: string,
  index: number,
  seenPaths: Set<string>,
): FieldError[] {
  const path = `${volumePath}.sources[${index}]`;
  const { secret, configMap, downwardAPI, serviceAccountToken, clusterTrustBundle } = projection;
  const errors: FieldError[] = [];
  const claimPath = (file: string, badValue: string | undefined) => {
    if (seenPaths.has(file)) errors.push(invalid(volumePath, badValue ?? '', 'conflicting duplicate paths'));
    seenPaths.add(file);
  };
  for (const [sourceField, source] of Object.entries({ secret, configMap })) {
    if (!source) continue;
    if (!source.name) errors.push(required(`${path}.${sourceField}.name`));
    for (const [i, item] of (source.items ?? []).entries()) {
      addErrors(errors, validateItem(item, `${path}.${sourceField}.items[${i}]`));
      if (item.path) claimPath(item.path, source.name);
    }
  }
  for (const file of downwardAPI?.items ?? []) {
    addErrors(errors, validateFile(file, `${path}.downwardAPI`));
    if (file.path) claimPath(file.path, file.path);
  }
  if (serviceAccountToken) addErrors(errors, validateToken(serviceAccountToken, path, volumePath));
  if (clusterTrustBundle) {
    addErrors(errors, validateBundle(clusterTrustBundle, `${path}.clusterTrustBundle`));
    claimPath(clusterTrustBundle.path, clusterTrustBundle.path);
  }
  if (Object.values(projection).filter((source) => source !== undefined).length > 1) {
    errors.push(forbidden(path, 'may not specify more than 1 volume type per source'));
  }
  return errors;
}

/** kube-apiserver reports an invalid `path` at the volume, not at the source. */
function validateToken(token: ServiceAccountTokenProjection, path: string, volumePath: string): FieldError[] {
  const secondsPath = `${path}.serviceAccountToken.expirationSeconds`;
  return [
    ...validateTokenLifetime(token.expirationSeconds, secondsPath),
    ...validateFilePath(token.path, `${volumePath}.path`),
  ];
}

function validateBundle(bundle: ClusterTrustBundleProjection, path: string): FieldError[] {
  return [...validateSelection(bundle, path), ...validateFilePath(bundle.path, `${path}.path`)];
}

function validateSelection(bundle: ClusterTrustBundleProjection, path: string): FieldError[] {
  const { name, signerName, labelSelector } = bundle;
  if (name !== undefined && signerName !== undefined) {
    return [
      invalid(
        path,
        goSyntaxOfType(ClusterTrustBundleProjection, bundle),
        'only one of name and signerName may be used',
      ),
    ];
  }
  if (name !== undefined) {
    const errors = name === '' ? [required(`${path}.name`, 'must be a valid object name')] : [];
    const nameRule = clusterTrustBundleNameRule(signerOfBundleName(name));
    for (const problem of nameRule(name)) {
      errors.push(invalid(`${path}.name`, name, `not a valid clustertrustbundlename: ${problem}`));
    }
    if (labelSelector) {
      const detail = 'labelSelector must be unset if name is specified';
      errors.push(invalid(`${path}.labelSelector`, formattedLabelSelector(labelSelector), detail));
    }
    return errors;
  }
  if (signerName !== undefined) {
    return [
      ...(signerName === '' ? [required(`${path}.signerName`, 'must be a valid signer name')] : []),
      ...validateSignerName(signerName, `${path}.signerName`),
      ...validateLabelSelector(labelSelector, `${path}.labelSelector`),
    ];
  }
  return [required(path, 'either name or signerName must be specified')];
}

/** The signer in the name of a ClusterTrustBundle, `<signer with : for />:<name>`; '' if the name has no colon. */
function signerOfBundleName(name: string): string {
  return name.slice(0, Math.max(0, name.lastIndexOf(':'))).replaceAll(':', '/');
}
