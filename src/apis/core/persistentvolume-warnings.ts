// PersistentVolume: warnings about deprecated sources and labels.
// Dialect: the names of annotations in Kubernetes' domain, or in Orch's own.
import { quote } from '../../errors/quote.ts';
import type { KindContext } from '../../kind/context.ts';
import type { PersistentVolume } from './persistentvolume.ts';
import { deprecatedSourceWarnings } from './volume-warnings.ts';

/** Deprecated sources that cause a warning in a PersistentVolume. */
const warnedSources = ['photonPersistentDisk', 'scaleIO', 'storageos', 'glusterfs', 'cephfs', 'rbd'] as const;

export function persistentVolumeWarnings(volume: PersistentVolume, { dialect }: KindContext): string[] {
  const { metadata, spec } = volume;
  const warnings: string[] = [];
  const warnIfAnnotated = (annotation: string, since: string, replacement: string) => {
    if (metadata.annotations?.[annotation] === undefined) return;
    warnings.push(
      `metadata.annotations[${annotation}]: deprecated since ${since}; use ${quote(replacement)} attribute instead`,
    );
  };
  warnIfAnnotated(dialect.annotations.storageClass, 'v1.8', 'storageClassName');
  warnIfAnnotated(dialect.annotations.mountOptions, 'v1.31', 'mountOptions');
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
      const deprecatedLabel = deprecatedNodeLabels.find(({ label }) => label === key);
      if (!deprecatedLabel) return [];
      const fieldPath = `spec.nodeAffinity.required.nodeSelectorTerms[${i}].matchExpressions[${j}].key`;
      return [
        `${fieldPath}: ${key} is deprecated since ${deprecatedLabel.deprecatedSince}; use ${quote(deprecatedLabel.replacement)} instead`,
      ];
    }),
  );
}
