// PersistentVolume: warnings about deprecated sources and labels.
import { quote } from '../../errors/quote.ts';
import type { KindContext } from '../../kind/context.ts';
import type { PersistentVolume } from './persistentvolume.ts';
import { deprecatedSourceWarnings } from './volume-warnings.ts';

/** Deprecated sources that cause a warning in a PersistentVolume. */
const warnedSources = ['photonPersistentDisk', 'scaleIO', 'storageos', 'glusterfs', 'cephfs', 'rbd'] as const;

export function persistentVolumeWarnings(volume: PersistentVolume, { dialect }: KindContext): string[] {
  const { metadata, spec } = volume;
  const warnings: string[] = [];
  const annotated = (annotation: string, since: string, instead: string) => {
    if (metadata.annotations?.[annotation] === undefined) return;
    warnings.push(
      `metadata.annotations[${annotation}]: deprecated since ${since}; use ${quote(instead)} attribute instead`,
    );
  };
  annotated(dialect.annotations.storageClass, 'v1.8', 'storageClassName');
  annotated(dialect.annotations.mountOptions, 'v1.31', 'mountOptions');
  if (spec.persistentVolumeReclaimPolicy === 'Recycle') {
    warnings.push(
      'spec.persistentVolumeReclaimPolicy: The Recycle reclaim policy is deprecated. Instead, the recommended approach is to use dynamic provisioning.',
    );
  }
  for (const source of warnedSources)
    if (spec[source]) warnings.push(`spec.${deprecatedSourceWarnings[source]}`);
  return [...warnings, ...affinityWarnings(volume, dialect)];
}

function affinityWarnings(
  { spec }: PersistentVolume,
  { deprecatedNodeLabels }: KindContext['dialect'],
): string[] {
  const terms = spec.nodeAffinity?.required?.nodeSelectorTerms ?? [];
  return terms.flatMap(({ matchExpressions = [] }, i) =>
    matchExpressions.flatMap(({ key }, j) => {
      const outdated = deprecatedNodeLabels.find(({ label }) => label === key);
      if (!outdated) return [];
      const fieldPath = `spec.nodeAffinity.required.nodeSelectorTerms[${i}].matchExpressions[${j}].key`;
      return [
        `${fieldPath}: ${key} is deprecated since ${outdated.deprecatedSince}; use ${quote(outdated.replacement)} instead`,
      ];
    }),
  );
}
