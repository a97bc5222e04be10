// Volume: warnings about deprecated sources and overlapping file paths.
import { quote } from '../../errors/quote.ts';
import { claimSizeWarnings } from './persistentvolumeclaim-validation.ts';
import type { ProjectedVolumeSource, VolumeProjection } from './projected-volume.ts';
import type { Volume } from './volume.ts';

/** Deprecated volume sources and their warnings. */
export const deprecatedSourceWarnings = {
  photonPersistentDisk: 'photonPersistentDisk: deprecated in v1.11, non-functional in v1.16+',
  gitRepo: 'gitRepo: deprecated in v1.11, and disabled by default in v1.33+',
  scaleIO: 'scaleIO: deprecated in v1.16, non-functional in v1.22+',
  flocker: 'flocker: deprecated in v1.22, non-functional in v1.25+',
  storageos: 'storageOS: deprecated in v1.22, non-functional in v1.25+',
  quobyte: 'quobyte: deprecated in v1.22, non-functional in v1.25+',
  glusterfs: 'glusterfs: deprecated in v1.25, non-functional in v1.26+',
  cephfs: 'cephfs: deprecated in v1.28, non-functional in v1.31+',
  rbd: 'rbd: deprecated in v1.28, non-functional in v1.31+',
} as const;

/** Warnings for the volumes of a pod or pod template. */
export function volumeWarnings(volumes: readonly Volume[], path: string): string[] {
  const warnings: string[] = [];
  for (const [i, volume] of volumes.entries()) {
    const fieldPath = `${path}[${i}]`;
    for (const [source, warning] of Object.entries(deprecatedSourceWarnings)) {
      if (volume[source as keyof typeof deprecatedSourceWarnings]) warnings.push(`${fieldPath}.${warning}`);
    }
    const template = volume.ephemeral?.volumeClaimTemplate;
    if (template) {
      warnings.push(...claimSizeWarnings(template.spec, `${fieldPath}.ephemeral.volumeClaimTemplate.spec`));
    }
  }
  return [...warnings, ...volumes.flatMap(overlapWarnings)];
}

function overlapWarnings(volume: Volume): string[] {
  const { name, secret, configMap, downwardAPI, projected } = volume;
  const describe = (source: string) => `volume ${quote(name)} (${source})`;
  if (secret) {
    const description = describe(`Secret ${quote(secret.secretName ?? '')}`);
    return overlappingPathWarnings(filesOf(secret.items), description);
  }
  if (configMap) {
    const description = describe(`ConfigMap ${quote(configMap.name ?? '')}`);
    return overlappingPathWarnings(filesOf(configMap.items), description);
  }
  if (downwardAPI) return overlappingPathWarnings(filesOf(downwardAPI.items), describe('DownwardAPI'));
  if (!projected) return [];
  return [
    ...(hasEmptySource(projected) ? [`${describe('Projected')} has no sources provided`] : []),
    ...overlappingPathWarnings((projected.sources ?? []).flatMap(projectedFiles), describe('Projected')),
  ];
}

/** A file in a volume; `from` names its source in a projected volume and is empty otherwise. */
interface VolumeFile {
  readonly path: string;
  readonly from: string;
}

function filesOf(items: readonly { path: string }[] = [], from = ''): VolumeFile[] {
  return items.map(({ path }) => ({ path: path.replace(/\/$/, ''), from }));
}

function projectedFiles(source: VolumeProjection): VolumeFile[] {
  const { secret, configMap, downwardAPI, serviceAccountToken, clusterTrustBundle } = source;
  if (secret) return filesOf(secret.items, `Secret ${quote(secret.name ?? '')}`);
  if (configMap) return filesOf(configMap.items, `ConfigMap ${quote(configMap.name ?? '')}`);
  if (downwardAPI) return filesOf(downwardAPI.items, 'DownwardAPI');
  if (serviceAccountToken) return filesOf([serviceAccountToken], 'ServiceAccountToken');
  if (!clusterTrustBundle) return [];
  const { name, signerName } = clusterTrustBundle;
  return filesOf([clusterTrustBundle], `ClusterTrustBundle ${quote(name ?? signerName ?? '')}`);
}

/** Whether one of the projected sources has no type set. */
function hasEmptySource({ sources }: ProjectedVolumeSource): boolean {
  return (sources ?? []).some((projection) =>
    Object.values(projection).every((source) => source === undefined),
  );
}

/** The comparison is quadratic; volumes with more files than this get no overlap warnings. */
const maxComparedFiles = 500;

/** Warns about files with the same path, and files whose path is another's directory. */
function overlappingPathWarnings(files: readonly VolumeFile[], volumeDescription: string): string[] {
  if (files.length > maxComparedFiles) return [];
  const warnings = new Set<string>();
  const format = ({ path, from }: VolumeFile) => (from === '' ? quote(path) : `${quote(path)} (${from})`);
  for (const [i, file] of files.entries()) {
    for (const other of files.slice(0, i)) {
      const isOverlapping =
        file.path === other.path ||
        file.path.startsWith(`${other.path}/`) ||
        other.path.startsWith(`${file.path}/`);
      if (!isOverlapping) continue;
      warnings.add(`${volumeDescription}: overlapping paths: ${format(file)} with ${format(other)}`);
    }
  }
  return [...warnings];
}
